// A gateway that is killed by -9 again and again while it answers: a fake Telegram that counts, a model that asks for
// tools whose effects are counted, and the tally of what was lost or done twice. Needs no test runner.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type FakeMessage, FakeTelegram } from "./fake-telegram.ts";
import { type ReplyData, toOpenAIEvents } from "./model-wire.ts";
import { SmallDisk } from "./small-disk.ts";

/** What a message asks for: only words, a command whose effect is counted, or a message to another chat. */
const kinds = ["plain", "write", "tell"] as const;

export interface Tally {
  asked: number;
  kills: number;
  /** Messages that never got their answer. */
  lost: number;
  /** Commands that ran more than once. */
  doubleEffects: number;
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
  /** No start takes longer. */
  patienceMs?: number;
  /** What else goes wrong, every other time that the gateway runs. */
  fault?: Fault;
}

/** The platform refuses what is sent to it, or the disk of the home is full. */
export type Fault = "platform" | "disk";

const firstChat = 1_000;
const tellChat = "999";
/** In which a sent message is surely noted, also on a busy machine. */
const noticeMs = 500;
/** In which a request that was on its way when its sender died still arrives. */
const arrivalMs = 100;
/** On a full disk nothing can be noted until there is room again. */
const noticeOnFullDiskMs = 60_000;

export async function runKills(options: KillOptions): Promise<Tally> {
  const { kills, seed, fault, patienceMs = 60_000 } = options;
  const random = createRandom(seed);
  await using scene = await KillScene.open(options);
  const asked: number[] = [];
  for (let kill = 0; kill < kills; kill++) {
    scene.start();
    await scene.untilPolling(patienceMs);
    if (fault !== undefined) await scene.setFault(fault, kill % 2 === 0);
    const burst = 1 + Math.floor(random() * 2);
    for (let more = 0; more < burst; more++) {
      const number = asked.length;
      scene.ask(number, kinds[Math.floor(random() * kinds.length)] ?? "plain", random() < 0.5);
      asked.push(number);
    }
    await sleep(Math.floor(random() * 400));
    await scene.kill();
    // A process that cannot write at all does not start: that is told, and is no matter of this scene.
    if (fault === "disk") await scene.setFault(fault, false);
  }
  if (fault !== undefined) await scene.setFault(fault, false);
  scene.start();
  await scene.settle(asked, patienceMs);
  const answered = asked.filter((number) => scene.isAnswered(number));
  const bricked = await scene.countBricked(answered.slice(-5), patienceMs);
  return { asked: asked.length, kills, ...(await scene.tally(asked)), bricked };
}

class KillScene implements AsyncDisposable {
  readonly #telegram = new FakeTelegram();
  readonly #model: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { messages } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { messages: WireMessage[] };
      response.setHeader("content-type", "text/event-stream");
      const told = reply(messages);
      if (told.calls.length === 0) this.#noteSeconds(messages);
      response.end(toOpenAIEvents(told));
    });
  });
  readonly #program: string[];
  readonly #kills: number[] = [];
  /** Those that were said in two messages. */
  readonly #seconds = new Set<number>();
  /** Second halves that a model was shown. */
  readonly #read = new Set<string>();
  #disk: SmallDisk | undefined;
  #noticeMs = noticeMs;
  #home = "";
  #child: ChildProcess | undefined;

  private constructor(program: string[]) {
    this.#program = program;
  }

  static async open({ program, kills, fault }: KillOptions): Promise<KillScene> {
    const scene = new KillScene(program);
    await scene.#telegram.listen();
    await new Promise<void>((resolve) => scene.#model.listen(0, "127.0.0.1", resolve));
    if (fault === "disk") {
      scene.#disk = await SmallDisk.mount();
      scene.#noticeMs = noticeOnFullDiskMs;
    }
    scene.#home = scene.#disk?.path ?? (await mkdtemp(join(tmpdir(), "nanobot-kill-")));
    await mkdir(scene.#see("workspace"), { recursive: true });
    const owners = Array.from({ length: 3 * kills + 10 }, (_, number) => String(firstChat + number));
    const { port } = scene.#model.address() as AddressInfo;
    const config = {
      agents: { defaults: { model: "mine/m", maxConcurrentTurns: 4 } },
      providers: { mine: { apiBase: `http://127.0.0.1:${port}/v1`, apiKey: "k" } },
      tools: { approval: "off", exec: { sandbox: "off" } },
      memory: { autoRecall: false },
      gateway: { port: 0 },
      channels: {
        collectMs: 50,
        telegram: {
          enabled: true,
          token: scene.#telegram.token,
          apiBase: scene.#telegram.url,
          owners,
          reactEmoji: "",
          streamEditInterval: 0.1,
        },
      },
    };
    await writeFile(scene.#see("config.json"), JSON.stringify(config));
    return scene;
  }

  start(): void {
    const argv = [...this.#program, "gateway"];
    const [file = "", ...args] = this.#disk?.enter(argv) ?? argv;
    const env = { ...process.env, NANOBOT_HOME: this.#home, HOME: this.#home };
    this.#child = spawn(file, args, { env, stdio: "ignore" });
  }

  async setFault(fault: Fault, isOn: boolean): Promise<void> {
    if (fault === "platform") this.#telegram.isRefusing = isOn;
    else if (isOn) await this.#disk?.fill();
    else await this.#disk?.clear();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, "exit");
    this.#kills.push(performance.now());
    child.kill("SIGKILL");
    await ended;
  }

  /** `isTwo`: the second half of it comes as a message of its own, in the same breath. */
  ask(number: number, kind: string, isTwo = false, suffix = ""): void {
    const id = firstChat + number;
    const person = { from: { id, is_bot: false, first_name: "P" }, chat: { id, type: "private" } };
    this.#telegram.say(`${kind} ${number}${suffix}`, person);
    if (!isTwo) return;
    this.#telegram.say(toSecond(number), person);
    this.#seconds.add(number);
  }

  async untilPolling(patienceMs: number): Promise<void> {
    const before = this.#telegram.polls;
    await this.#until(() => this.#telegram.polls > before, patienceMs);
  }

  async settle(asked: readonly number[], patienceMs: number): Promise<void> {
    await this.#until(() => asked.every((number) => !this.#isLost(number)), patienceMs);
    await sleep(500);
  }

  isAnswered(number: number, suffix = ""): boolean {
    return this.#answersTo(number, suffix) > 0;
  }

  async countBricked(numbers: readonly number[], patienceMs: number): Promise<number> {
    for (const number of numbers) this.ask(number, "plain", false, " again");
    const isDone = () => numbers.every((number) => this.isAnswered(number, " again"));
    await this.#until(isDone, patienceMs);
    return numbers.filter((number) => !this.isAnswered(number, " again")).length;
  }

  async tally(asked: readonly number[]): Promise<Omit<Tally, "asked" | "kills" | "bricked">> {
    const effects = await readFile(this.#see("workspace", "effects.txt"), "utf8").catch(() => "");
    const lines = effects.split("\n").filter((line) => line !== "");
    const own = this.#telegram.messages.filter(({ text }) => !text.includes("again"));
    const isAnswer = ({ chatId, text }: FakeMessage) => text === toAnswer(String(Number(chatId) - firstChat));
    const isApology = ({ text }: FakeMessage) => text.startsWith("Sorry");
    const isWhole = (message: FakeMessage) =>
      isAnswer(message) || isApology(message) || isNoted(message.text) || message.chatId === tellChat;
    const { doubleSends, resent } = this.#countCopies(own.filter(isWhole));
    const setAside = new Set(own.filter(isApology).map(({ chatId }) => chatId));
    const lost = asked.filter((number) => this.#isLost(number));
    for (const number of lost) process.stderr.write(`${this.#describe(number)}\n`);
    return {
      lost: lost.length,
      doubleEffects: lines.length - new Set(lines).size,
      doubleSends,
      resent,
      strayDrafts: own.filter((message) => !isWhole(message)).length,
      setAside: setAside.size,
    };
  }

  /** Neither answered nor named in an apology, it or its second half. */
  #isLost(number: number): boolean {
    const own = this.#telegram.messages.filter(({ chatId }) => chatId === String(firstChat + number));
    const isQuoted = (text: string) =>
      own.some((message) => message.text.startsWith("Sorry") && message.text.includes(text));
    const isAnswered = this.isAnswered(number);
    if (!isAnswered && !kinds.some((kind) => isQuoted(`${kind} ${number}`))) return true;
    const second = toSecond(number);
    const isRead = this.#read.has(second) && (isAnswered || own.some(({ text }) => isNoted(text)));
    return this.#seconds.has(number) && !isRead && !isQuoted(second);
  }

  /** What was seen of it, for whoever looks into a loss. */
  #describe(number: number): string {
    const own = this.#telegram.messages.filter(({ chatId }) => chatId === String(firstChat + number));
    const second = this.#seconds.has(number) ? { isSecondRead: this.#read.has(toSecond(number)) } : {};
    return `lost: ${JSON.stringify({ number, ...second, shown: own.map(({ text }) => text) })}`;
  }

  #noteSeconds(messages: readonly WireMessage[]): void {
    for (const { role, content } of messages)
      if (role === "user")
        for (const [second] of textOf(content).matchAll(/also \d+/g)) this.#read.add(second);
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

  async [Symbol.asyncDispose](): Promise<void> {
    await this.kill();
    await this.#telegram[Symbol.asyncDispose]();
    this.#model.closeAllConnections();
    await new Promise((resolve) => this.#model.close(resolve));
    if (this.#disk === undefined) await rm(this.#home, { recursive: true, force: true });
    else await this.#disk.unmount();
  }

  /** A file of the home, for this process. */
  #see(...path: string[]): string {
    const whole = join(this.#home, ...path);
    return this.#disk?.seenFromOutside(whole) ?? whole;
  }

  #answersTo(number: number, suffix = ""): number {
    const chatId = String(firstChat + number);
    const answer = toAnswer(`${number}${suffix}`);
    return this.#telegram.messages.filter((message) => message.chatId === chatId && message.text === answer)
      .length;
  }

  async #until(condition: () => boolean, patienceMs: number): Promise<void> {
    for (const end = Date.now() + patienceMs; !condition() && Date.now() < end; ) await sleep(20);
  }
}

interface WireMessage {
  role: string;
  content: string | null | Array<{ text?: string }>;
}

function toAnswer(what: string): string {
  return `This is the whole answer to ${what}.`;
}

function toSecond(number: number): string {
  return `also ${number}`;
}

function isNoted(text: string): boolean {
  return /^Noted: also \d+\.$/.test(text);
}

/** As the last user's message asks: a tool first where one is wanted, then the answer. */
function reply(messages: readonly WireMessage[]): ReplyData {
  const isTask = ({ role, content }: WireMessage) =>
    role === "user" && /(plain|write|tell) \d+/.test(textOf(content));
  const last = messages.findLastIndex(isTask);
  const [, kind = "plain", what = ""] =
    /(plain|write|tell) (\d+(?: again)?)/.exec(textOf(messages[last]?.content)) ?? [];
  // A second half whose first is over, answered or given up.
  const isOver =
    last < 0 ||
    messages.slice(last).some(({ role, content }) => role === "assistant" && textOf(content) !== "");
  const second = /also \d+/.exec(textOf(messages.at(-1)?.content))?.[0];
  if (isOver && second !== undefined) return { text: `Noted: ${second}.`, calls: [] };
  const hasResult = messages.slice(last).some(({ role }) => role === "tool");
  if (hasResult || kind === "plain") return { text: toAnswer(what), calls: [] };
  const write = { name: "exec", arguments: { command: `echo ${what} >> effects.txt` } };
  const tell = {
    name: "message",
    arguments: { content: `told ${what}`, channel: "telegram", chat_id: tellChat },
  };
  return { text: "", calls: [kind === "write" ? write : tell] };
}

function textOf(content: WireMessage["content"] | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map(({ text = "" }) => text).join("\n");
}

/** The same numbers for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0 || 1;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
