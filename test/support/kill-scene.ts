// A gateway that is killed by -9 again and again while it answers: a fake platform that counts, a model that asks for
// tools whose effects are counted, and the tally of what was lost or done twice. Needs no test runner.
import { setTimeout as sleep } from "node:timers/promises";
import { AskedTasks, type Fault as CutOff, noticeMs, type TaskTally } from "./asked-tasks.ts";
import type { CampaignChannel } from "./campaign-platform.ts";
import { ChatScene, createRandom } from "./chat-scene.ts";
import { doTasks } from "./task-model.ts";

export interface Tally extends TaskTally {
  kills: number;
  /** Sessions whose next message got no answer. */
  bricked: number;
}

export interface KillOptions {
  kills: number;
  seed: number;
  /** The program and its first arguments. */
  program: string[];
  /** For a start, and for the answers at the end. */
  patienceMs?: number;
  /** The platform that people speak on; Telegram by default. */
  channel?: CampaignChannel;
  /** What else goes wrong, every other time that the gateway runs. */
  fault?: Fault;
}

/** The platform refuses what is sent to it, or the disk of the home is full. */
export type Fault = "platform" | "disk";

/** On a full disk nothing can be noted until there is room again. */
const noticeOnFullDiskMs = 60_000;
/** No life is longer. */
const longestLifeMs = 400;

export async function runKills(options: KillOptions): Promise<Tally> {
  const { kills, seed, fault, patienceMs = 180_000 } = options;
  const random = createRandom(seed);
  await using scene = await KillScene.open(options);
  for (let kill = 0; kill < kills; kill++) {
    scene.start();
    await scene.untilPolling(patienceMs);
    if (fault !== undefined) await scene.setFault(fault, kill % 2 === 0);
    await scene.live(random);
    await scene.kill();
    // A process that cannot write at all does not start: that is told, and is no matter of this scene.
    if (fault === "disk") await scene.setFault(fault, false);
  }
  if (fault !== undefined) await scene.setFault(fault, false);
  scene.start();
  await scene.settle(patienceMs);
  const tally = await scene.tally();
  return { ...tally, kills, bricked: await scene.countBricked(patienceMs) };
}

class KillScene implements AsyncDisposable {
  readonly #chats: ChatScene;
  readonly #tasks: AskedTasks;
  readonly #kills: CutOff[] = [];
  #lastChat = 0;

  private constructor(chats: ChatScene) {
    this.#chats = chats;
    this.#tasks = new AskedTasks(chats);
  }

  static async open({ program, kills, fault, channel }: KillOptions): Promise<KillScene> {
    const chats = await ChatScene.open({
      program,
      ...(channel && { channel }),
      chats: kills + 1,
      hasDisk: fault === "disk",
      config: {
        agents: { defaults: { model: "mine/m", maxConcurrentTurns: 4 } },
        memory: { autoRecall: false },
      },
      channels: { collectMs: 30 },
      telegram: { reactEmoji: "", streamEditInterval: 0.1 },
      reply: doTasks,
    });
    return new KillScene(chats);
  }

  start(): void {
    this.#chats.start();
  }

  untilPolling(patienceMs: number): Promise<void> {
    return this.#chats.untilPolling(patienceMs);
  }

  async setFault(fault: Fault, isOn: boolean): Promise<void> {
    if (fault === "platform") this.#chats.telegram.isRefusing = isOn;
    else if (isOn) await this.#chats.disk?.fill();
    else await this.#chats.disk?.clear();
  }

  /** Up to three messages in one breath, and often some more while they are being answered; sometimes behind older ones. */
  async live(random: () => number): Promise<void> {
    if (random() < 0.75) this.#lastChat += 1;
    const upTo = (most: number) => Math.floor(random() * most);
    const until = upTo(longestLifeMs);
    const pause = upTo(until);
    this.#tasks.say(this.#lastChat, 1 + upTo(3), upTo);
    await sleep(pause);
    this.#tasks.say(this.#lastChat, upTo(3), upTo);
    await sleep(until - pause);
  }

  async kill(): Promise<void> {
    const now = performance.now();
    const unnoticedMs = this.#chats.disk === undefined ? 0 : noticeOnFullDiskMs - noticeMs;
    this.#kills.push({ from: now - unnoticedMs, to: now });
    await this.#chats.kill();
  }

  settle(patienceMs: number): Promise<void> {
    return this.#tasks.settle(patienceMs);
  }

  countBricked(patienceMs: number): Promise<number> {
    return this.#tasks.countBricked(patienceMs);
  }

  async tally(): Promise<TaskTally> {
    return this.#tasks.tally(await this.#chats.readEffects(), this.#kills);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#chats[Symbol.asyncDispose]();
  }
}
