// A gateway whose clock is set, at a start and while it runs, with answers that wait for a platform that is down: what was
// lost, done twice, or kept waiting. Needs no test runner.
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ChatScene, until } from "./chat-scene.ts";
import { answeredIn, doTasks, type Task } from "./task-model.ts";

export interface ClockJump {
  /** Against the time before it. */
  ms: number;
  /** Otherwise while it runs. */
  isAtStart: boolean;
}

export interface ClockTally {
  jump: ClockJump;
  asked: number;
  /** Not answered. */
  lost: string[];
  doubleEffects: number;
  doubleAnswers: number;
  hasEnded: boolean;
}

export interface ClockOptions {
  /** Node, the program, and its first arguments. */
  program: string[];
  jumps: readonly ClockJump[];
}

/** For a start, and for the answers after a jump. */
const patienceMs = 180_000;
const preload = join(import.meta.dirname, "shifted-date.mjs");
/** Of each jump: two that talk before, one that talks after it. */
const chatsOfJump = 3;

export async function runClockJumps({ program, jumps }: ClockOptions): Promise<ClockTally[]> {
  await using scene = await ClockScene.open(program, jumps.length);
  const tallies: ClockTally[] = [];
  for (const jump of jumps) tallies.push(await scene.meet(jump));
  return tallies;
}

interface Asked extends Task {
  chat: number;
}

class ClockScene implements AsyncDisposable {
  readonly #chats: ChatScene;
  readonly #folder: string;
  #shift = 0;
  #asked: Asked[] = [];
  #number = 0;
  #firstChat = 0;

  private constructor(chats: ChatScene, folder: string) {
    this.#chats = chats;
    this.#folder = folder;
  }

  static async open([node = "", ...program]: string[], jumps: number): Promise<ClockScene> {
    const chats = await ChatScene.open({
      program: [node, "--import", preload, ...program],
      chats: chatsOfJump * jumps,
      config: { memory: { autoRecall: false } },
      channels: { collectMs: 30 },
      telegram: { reactEmoji: "" },
      reply: doTasks,
    });
    const scene = new ClockScene(chats, await mkdtemp(join(tmpdir(), "nanobot-clock-")));
    await scene.#jump(0);
    return scene;
  }

  async meet(jump: ClockJump): Promise<ClockTally> {
    const { telegram } = this.#chats;
    if (this.#chats.hasEnded) await this.#start();
    this.#asked = [];
    const before = (await this.#chats.readEffects()).length;
    telegram.isRefusing = true;
    const refused = telegram.refused;
    this.#ask(0, "write");
    this.#ask(1, "plain");
    // Both answers wait for their next try.
    await until(() => telegram.refused >= refused + 4, patienceMs);
    if (jump.isAtStart) await this.#chats.kill();
    await this.#jump(jump.ms);
    if (jump.isAtStart) await this.#start();
    telegram.isRefusing = false;
    const { hasEnded } = this.#chats;
    this.#ask(0, "plain");
    this.#ask(2, "write");
    await until(() => this.#asked.every((task) => this.#answersTo(task).length > 0), patienceMs);
    const effects = (await this.#chats.readEffects()).slice(before);
    this.#firstChat += chatsOfJump;
    const lost = this.#asked.filter((task) => this.#answersTo(task).length === 0);
    return {
      jump,
      asked: this.#asked.length,
      lost: lost.map(
        ({ chat, kind, number }) => `${kind} ${number}: ${this.#chats.toldIn(chat).join(" | ")}`,
      ),
      doubleEffects: effects.length - new Set(effects).size,
      doubleAnswers: this.#asked.filter((task) => new Set(this.#answersTo(task)).size > 1).length,
      hasEnded,
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chats[Symbol.asyncDispose]();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #start(): Promise<void> {
    this.#chats.start({ env: { DATE_SHIFT_FILE: join(this.#folder, "shift") } });
    await this.#chats.untilPolling(patienceMs);
  }

  /** The file is never seen half written. */
  async #jump(ms: number): Promise<void> {
    this.#shift += ms;
    const path = join(this.#folder, "shift");
    await writeFile(`${path}.new`, String(this.#shift));
    await rename(`${path}.new`, path);
  }

  #ask(chat: number, kind: Task["kind"]): void {
    const task = { chat: this.#firstChat + chat, kind, number: this.#number };
    this.#number += 1;
    this.#asked.push(task);
    this.#chats.ask(task.chat, `${kind} ${task.number}`);
  }

  #answersTo({ chat, number }: Asked): string[] {
    return this.#chats.toldIn(chat).filter((text) => answeredIn(text).includes(number));
  }
}
