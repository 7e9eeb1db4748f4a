// A gateway that is killed by -9 again and again while it answers: a fake Telegram that counts, a model that asks for
// tools whose effects are counted, and the tally of what was lost or done twice. Needs no test runner.
import { setTimeout as sleep } from "node:timers/promises";
import { ChatScene, createRandom, until } from "./chat-scene.ts";
import type { FakeMessage } from "./fake-telegram.ts";
import { answeredIn, doTasks, isApology, kinds, type Task, tellChat } from "./task-model.ts";

export interface Tally {
  asked: number;
  kills: number;
  /** Messages that got neither an answer nor an apology that quotes them. */
  lost: number;
  /** Commands that ran more than once. */
  doubleEffects: number;
  /** Messages that two different answers answer. */
  doubleAnswers: number;
  /** Messages that arrived more than once for no good reason. */
  doubleSends: number;
  /** Those whose first copy arrived so shortly before a kill that nobody could have noted it: Telegram takes no key. */
  resent: number;
  /** Beginnings of answers that stayed behind for the same reason. */
  strayDrafts: number;
  /** Set aside with an apology after the third death. */
  setAside: number;
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
  /** What else goes wrong, every other time that the gateway runs. */
  fault?: Fault;
}

/** The platform refuses what is sent to it, or the disk of the home is full. */
export type Fault = "platform" | "disk";

interface Asked extends Task {
  chat: number;
}

/** In which a sent message is surely noted, also on a busy machine. */
const noticeMs = 500;
/** In which a request that was on its way when its sender died still arrives. */
const arrivalMs = 100;
/** On a full disk nothing can be noted until there is room again. */
const noticeOnFullDiskMs = 60_000;
/** No life is longer. */
const longestLifeMs = 400;
const lastLooks = 5;

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
  readonly #asked: Asked[] = [];
  readonly #kills: number[] = [];
  readonly #noticeMs: number;
  #lastChat = 0;

  private constructor(chats: ChatScene) {
    this.#chats = chats;
    this.#noticeMs = chats.disk === undefined ? noticeMs : noticeOnFullDiskMs;
  }

  static async open({ program, kills, fault }: KillOptions): Promise<KillScene> {
    const chats = await ChatScene.open({
      program,
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
    this.#say(1 + upTo(3), upTo);
    await sleep(pause);
    this.#say(upTo(3), upTo);
    await sleep(until - pause);
  }

  async kill(): Promise<void> {
    this.#kills.push(performance.now());
    await this.#chats.kill();
  }

  /** A busy machine takes as long as it takes: given up is only what gets no further. */
  async settle(patienceMs: number): Promise<void> {
    const countOpen = () => this.#asked.filter((task) => !this.#isSettled(task)).length;
    for (let open = countOpen(), before = open + 1; open > 0 && open < before; ) {
      before = open;
      await until(() => countOpen() < before, patienceMs);
      open = countOpen();
    }
    await sleep(noticeMs);
    for (const task of this.#asked.filter((each) => !this.#isSettled(each)))
      process.stderr.write(`lost: ${task.kind} ${task.number}; told: ${this.#chats.toldIn(task.chat)}\n`);
  }

  async countBricked(patienceMs: number): Promise<number> {
    const chats = [...new Set(this.#asked.map(({ chat }) => chat))].slice(-lastLooks);
    const looks = chats.map((chat) => this.#ask(chat, "plain"));
    await until(() => looks.every((look) => this.#answersTo(look).length > 0), patienceMs);
    return looks.filter((look) => this.#answersTo(look).length === 0).length;
  }

  async tally(): Promise<Omit<Tally, "kills" | "bricked">> {
    const effects = await this.#chats.readEffects();
    const own = this.#chats.telegram.messages;
    const isWhole = (message: FakeMessage) =>
      answeredIn(message.text).length > 0 || isApology(message.text) || message.chatId === tellChat;
    const { doubleSends, resent } = this.#countCopies(own.filter(isWhole));
    const isDoubled = (task: Asked) => new Set(this.#answersTo(task)).size > 1;
    return {
      asked: this.#asked.length,
      lost: this.#asked.filter((task) => !this.#isSettled(task)).length,
      doubleEffects: effects.length - new Set(effects).size,
      doubleAnswers: this.#asked.filter(isDoubled).length,
      doubleSends,
      resent,
      strayDrafts: own.filter((message) => !isWhole(message)).length,
      setAside: this.#asked.filter((task) => this.#isApologised(task)).length,
    };
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#chats[Symbol.asyncDispose]();
  }

  #say(count: number, upTo: (most: number) => number): void {
    for (let more = 0; more < count; more++) this.#ask(this.#lastChat, kinds[upTo(kinds.length)] ?? "plain");
  }

  #ask(chat: number, kind: Task["kind"]): Asked {
    const task = { chat, kind, number: this.#asked.length };
    this.#asked.push(task);
    this.#chats.ask(chat, `${kind} ${task.number}`);
    return task;
  }

  #isSettled(task: Asked): boolean {
    return this.#answersTo(task).length > 0 || this.#isApologised(task);
  }

  #isApologised({ chat, kind, number }: Asked): boolean {
    const quote = new RegExp(`${kind} ${number}\\b`);
    return this.#chats.toldIn(chat).some((text) => isApology(text) && quote.test(text));
  }

  #answersTo({ chat, number }: Asked): string[] {
    return this.#chats.toldIn(chat).filter((text) => answeredIn(text).includes(number));
  }

  #countCopies(messages: readonly FakeMessage[]): { doubleSends: number; resent: number } {
    const counts = { doubleSends: 0, resent: 0 };
    for (const [index, first] of messages.entries()) {
      const again = messages
        .slice(index + 1)
        .find(({ chatId, text }) => chatId === first.chatId && text === first.text);
      if (again === undefined) continue;
      const isCut = this.#kills.some(
        (kill) => kill > first.at - arrivalMs && kill - first.at < this.#noticeMs && kill < again.at,
      );
      counts[isCut ? "resent" : "doubleSends"] += 1;
    }
    return counts;
  }
}
