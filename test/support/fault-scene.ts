// A gateway whose calls to the system fail for a while, by strace, while it answers: what was lost or done twice once they
// succeed again. Needs no test runner, but strace and the right to attach it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { ChatScene, until } from "./chat-scene.ts";
import { answeredIn, doTasks, isApology, type Task } from "./task-model.ts";

export interface InjectedFault {
  /** Of the system, with commas between them. */
  calls: string;
  error: string;
  /** Which of them fail, counted in each thread: all of them, unless it is said. */
  when?: string;
  /** Only calls for files of conversations. */
  isForSessions?: boolean;
}

export interface FaultTally {
  fault: string;
  asked: number;
  /** Calls that failed. */
  injected: number;
  /** Neither an answer nor an apology that quotes it. */
  lost: string[];
  doubleEffects: number;
  doubleAnswers: number;
  hasEnded: boolean;
}

/** To attach to another process needs a right. */
export const strace = [
  "sh",
  "-c",
  "strace -V && { test $(id -u) = 0 || grep -qx 0 /proc/sys/kernel/yama/ptrace_scope; }",
];

/** For a start, and for the answers after a fault: pauses between tries grow to a minute. */
const patienceMs = 180_000;
/** Some faults meet no call at all. */
const longestFaultMs = 4_000;
const shortestFaultMs = 500;

/** One gateway for all of them, one after the other. */
export async function runFaults(program: string[], faults: readonly InjectedFault[]): Promise<FaultTally[]> {
  await using scene = await FaultScene.open(program, faults.length);
  const tallies: FaultTally[] = [];
  for (const fault of faults) tallies.push(await scene.meet(fault));
  return tallies;
}

interface Asked extends Task {
  chat: number;
}

/** Of each fault: one that talks before, two that talk during it, one that talks after it. */
const chatsOfFault = 4;

class FaultScene implements AsyncDisposable {
  readonly #chats: ChatScene;
  readonly #folder: string;
  #asked: Asked[] = [];
  #number = 0;
  #firstChat = 0;

  private constructor(chats: ChatScene, folder: string) {
    this.#chats = chats;
    this.#folder = folder;
  }

  static async open(program: string[], faults: number): Promise<FaultScene> {
    const chats = await ChatScene.open({
      program,
      chats: chatsOfFault * faults,
      config: { memory: { autoRecall: false } },
      channels: { collectMs: 30 },
      telegram: { reactEmoji: "" },
      reply: doTasks,
    });
    return new FaultScene(chats, await mkdtemp(join(tmpdir(), "nanobot-strace-")));
  }

  async meet(fault: InjectedFault): Promise<FaultTally> {
    if (this.#chats.hasEnded) await this.#start();
    this.#asked = [];
    const before = (await this.#chats.readEffects()).length;
    // So that their files are there.
    for (const chat of [0, 1]) this.#ask(chat, "plain");
    await this.#settle();
    this.#ask(0, "write");
    this.#ask(0, "plain");
    const injected = await this.#during(fault, () => {
      this.#ask(1, "tell");
      this.#ask(1, "plain");
      this.#ask(2, "write");
    });
    const { hasEnded } = this.#chats;
    if (hasEnded) await this.#start();
    this.#ask(3, "plain");
    await this.#settle();
    const effects = (await this.#chats.readEffects()).slice(before);
    this.#firstChat += chatsOfFault;
    return {
      fault: `${fault.calls} ${fault.error} ${fault.when ?? "all"}`,
      asked: this.#asked.length,
      injected,
      lost: this.#asked.filter((task) => !this.#isSettled(task)).map((task) => this.#describe(task)),
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
    this.#chats.start();
    await this.#chats.untilPolling(patienceMs);
  }

  /** How many calls failed. */
  async #during({ calls, error, when, isForSessions }: InjectedFault, talk: () => void): Promise<number> {
    const output = join(this.#folder, "calls.txt");
    const paths = isForSessions === true ? await this.#sessionFiles() : [];
    const tracer = spawn("strace", [
      ...["-f", "-o", output, "-p", String(this.#chats.pid), "-e", `trace=${calls}`],
      ...["-e", `inject=${calls}:error=${error}${when === undefined ? "" : `:when=${when}`}`],
      ...paths.flatMap((path) => ["-P", path]),
    ]);
    const ended = once(tracer, "exit");
    await untilAttached(tracer);
    talk();
    const count = async () => (await readFile(output, "utf8")).split("(INJECTED)").length - 1;
    const end = performance.now() + longestFaultMs;
    await sleep(shortestFaultMs);
    while ((await count()) === 0 && performance.now() < end) await sleep(50);
    tracer.kill("SIGINT");
    await ended;
    return count();
  }

  async #sessionFiles(): Promise<string[]> {
    const names = await readdir(this.#chats.see("sessions"), { recursive: true });
    return names.filter((name) => name.endsWith(".jsonl")).map((name) => this.#chats.see("sessions", name));
  }

  #ask(chat: number, kind: Task["kind"]): void {
    const task = { chat: this.#firstChat + chat, kind, number: this.#number };
    this.#number += 1;
    this.#asked.push(task);
    this.#chats.ask(task.chat, `${kind} ${task.number}`);
  }

  async #settle(): Promise<void> {
    await until(() => this.#asked.every((task) => this.#isSettled(task)), patienceMs);
  }

  #isSettled(task: Asked): boolean {
    const quote = new RegExp(`${task.kind} ${task.number}\\b`);
    const told = this.#chats.toldIn(task.chat);
    return this.#answersTo(task).length > 0 || told.some((text) => isApology(text) && quote.test(text));
  }

  #answersTo({ chat, number }: Asked): string[] {
    return this.#chats.toldIn(chat).filter((text) => answeredIn(text).includes(number));
  }

  #describe({ chat, kind, number }: Asked): string {
    return `${kind} ${number}: ${JSON.stringify(this.#chats.toldIn(chat))}`;
  }
}

/** It says so for each thread, and goes on to tell of others: what it says is read to its end. */
async function untilAttached(tracer: ChildProcess): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let text = "";
  tracer.stderr?.on("data", (chunk: Buffer) => {
    text += chunk;
    if (text.includes("attached")) resolve();
  });
  tracer.once("exit", () => reject(new Error(`strace could not attach: ${text}`)));
  await promise;
}
