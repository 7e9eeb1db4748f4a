// Many chats that talk without a pause, each message after the answer to the one before it: what the gateway holds while
// they do. Needs no test runner, but Linux.
import { readdir, readFile, stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { allocatorSettings } from "../../src/lib/process/engine-memory.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";
import { ChatScene, type WireMessage } from "./chat-scene.ts";
import type { FakeMessage } from "./fake-telegram.ts";
import type { ReplyData } from "./model-wire.ts";
import { answeredIn, doTasks } from "./task-model.ts";

export interface SoakSample {
  turns: number;
  seconds: number;
  /** What the process holds, in MB. */
  rss: number;
  descriptors: number;
}

export interface SoakOptions {
  /** The program and its first arguments. */
  program: string[];
  chats: number;
  /** Conversations never begin again: they are consolidated, in a window that is soon full. */
  isEndless?: boolean;
  /** After so many turns, and at the end, nobody says anything for a while. */
  restAfter?: number;
  isOver(sample: SoakSample): boolean;
  onSample?(sample: SoakSample): void;
}

/** A conversation begins again after so many, unless it is endless. */
const turnsOfConversation = 20;
/** One message in so many runs a command. */
const plainPerWrite = 20;
/** Tokens: full after some 30 turns. */
const smallWindow = 12_000;
const charactersPerToken = 4;
const pauseMs = 20;
const sampleMs = 1_000;
/** The engine looks for garbage on its own some seconds after the last turn, and again a little later. */
const restMs = 45_000;
/** For one answer; only for a hang. */
const patienceMs = 300_000;

/** What the gateway holds of a conversation in memory, and all of it. */
export interface SoakedSession {
  messages: number;
  heldMessages: number;
  bytes: number;
  heldBytes: number;
}

export interface SoakResult {
  /** One each second. */
  samples: SoakSample[];
  /** What it held at the end of each rest. */
  rests: SoakSample[];
  sessions: SoakedSession[];
}

/** With the settings that people have, of a gateway that is started to stay. */
export async function runSoak(options: SoakOptions): Promise<SoakResult> {
  const { program, chats, isEndless = false, restAfter, isOver, onSample } = options;
  const defaults = { model: "mine/m", ...(isEndless && { contextWindowTokens: smallWindow }) };
  await using scene = await ChatScene.open({ program, chats, config: { agents: { defaults } }, reply });
  scene.start({ env: allocatorSettings });
  const conversations = new Conversations(
    scene,
    chats,
    isEndless ? Number.POSITIVE_INFINITY : turnsOfConversation,
  );
  await scene.untilPolling(patienceMs);
  const start = performance.now();
  conversations.begin();
  const samples: SoakSample[] = [];
  const rests: SoakSample[] = [];
  for (let due = start; ; ) {
    conversations.goOn();
    if (scene.hasEnded) throw new Error("the gateway has ended");
    if (conversations.silentMs > patienceMs) throw new Error("no chat gets an answer any more");
    if (performance.now() < due) {
      await sleep(pauseMs);
      continue;
    }
    due += sampleMs;
    const seconds = (performance.now() - start) / 1_000;
    const sample = { turns: conversations.turns, seconds, ...(await measure(scene.pid ?? 0)) };
    samples.push(sample);
    onSample?.(sample);
    const isFirstRest = rests.length === 0 && restAfter !== undefined && sample.turns >= restAfter;
    if (isFirstRest || (restAfter !== undefined && isOver(sample)))
      rests.push(await rest(scene, conversations));
    if (!isOver(sample)) continue;
    await scene.kill();
    return { samples, rests, sessions: await readSessions(scene) };
  }
}

async function rest(scene: ChatScene, conversations: Conversations): Promise<SoakSample> {
  conversations.pause();
  while (!conversations.isQuiet) {
    conversations.goOn();
    await sleep(pauseMs);
  }
  await sleep(restMs);
  const sample = { turns: conversations.turns, seconds: 0, ...(await measure(scene.pid ?? 0)) };
  conversations.begin();
  return sample;
}

/** Counts like a real host: what it says decides when a conversation is consolidated. */
function reply(
  messages: readonly WireMessage[],
  { hasTools, characters }: { hasTools: boolean; characters: number },
): ReplyData {
  return { ...doTasks(messages, { hasTools }), tokens: Math.ceil(characters / charactersPerToken) };
}

async function readSessions(scene: ChatScene): Promise<SoakedSession[]> {
  const [root, workspace] = [scene.see("sessions"), scene.see("workspace")];
  const store = await SessionManager.open({ root, workspace, clock: systemClock, log: silentLog });
  const sessions = await Promise.all((await store.list("owner")).map(({ key }) => store.open(key, "owner")));
  return Promise.all(
    sessions.map(async ({ count, recent, path, heldBytes }) => ({
      messages: count,
      heldMessages: recent.length,
      bytes: (await stat(path)).size,
      heldBytes,
    })),
  );
}

/** From the first sample on that counts to the highest one after it, in percent. */
export function toGrowth(samples: readonly SoakSample[], isWarm: (sample: SoakSample) => boolean): number {
  const counted = samples.filter(isWarm);
  const [first] = counted;
  if (first === undefined) throw new Error("it ended before it was warm");
  return 100 * (Math.max(...counted.map(({ rss }) => rss)) / first.rss - 1);
}

class Conversations {
  turns = 0;
  readonly #scene: ChatScene;
  /** Of one conversation. */
  readonly #mostTurns: number;
  /** What each chat waits for. */
  readonly #waitsFor: number[];
  /** The newest message to each. */
  readonly #last: FakeMessage[] = [];
  /** The last message before a conversation began again. */
  readonly #before: number[] = [];
  /** Turns of each conversation. */
  readonly #counts: number[] = [];
  #asked = 0;
  #seen = 0;
  #lastAt = performance.now();
  #isPaused = false;

  constructor(scene: ChatScene, chats: number, mostTurns: number) {
    this.#scene = scene;
    this.#mostTurns = mostTurns;
    this.#waitsFor = Array.from({ length: chats }, () => 0);
  }

  get silentMs(): number {
    return performance.now() - this.#lastAt;
  }

  begin(): void {
    this.#isPaused = false;
    this.#lastAt = performance.now();
    for (const chat of this.#waitsFor.keys()) this.#ask(chat);
  }

  /** What was said is still answered. */
  pause(): void {
    this.#isPaused = true;
  }

  get isQuiet(): boolean {
    return this.#waitsFor.every((number) => number === forNothing);
  }

  /** An answer may still be edited after it came. */
  goOn(): void {
    const { messages } = this.#scene.telegram;
    for (; this.#seen < messages.length; this.#seen++) {
      const message = messages[this.#seen];
      if (message !== undefined) this.#last[this.#scene.toNumber(message.chatId)] = message;
    }
    for (const chat of this.#waitsFor.keys()) if (this.#isAnswered(chat)) this.#count(chat);
  }

  #isAnswered(chat: number): boolean {
    const { id, text = "" } = this.#last[chat] ?? {};
    const waitsFor = this.#waitsFor[chat] ?? 0;
    if (waitsFor === forNothing) return false;
    return waitsFor === forNew ? id !== this.#before[chat] : answeredIn(text).includes(waitsFor);
  }

  #count(chat: number): void {
    this.#lastAt = performance.now();
    const isNew = this.#waitsFor[chat] === forNew;
    this.turns += isNew ? 0 : 1;
    this.#counts[chat] = isNew ? 0 : (this.#counts[chat] ?? 0) + 1;
    if (this.#isPaused) this.#waitsFor[chat] = forNothing;
    else if (this.#counts[chat] === this.#mostTurns) this.#beginAgain(chat);
    else this.#ask(chat);
  }

  /** It is answered by any message. */
  #beginAgain(chat: number): void {
    this.#before[chat] = this.#last[chat]?.id ?? 0;
    this.#waitsFor[chat] = forNew;
    this.#scene.ask(chat, "/new");
  }

  #ask(chat: number): void {
    const number = this.#asked;
    this.#asked += 1;
    this.#waitsFor[chat] = number;
    this.#scene.ask(chat, `${number % plainPerWrite === 0 ? "write" : "plain"} ${number}, ${filler}`);
  }
}

const forNew = -1;
const forNothing = -2;
const filler = "and beside that a few words of no importance, as people say them. 还有几句闲话。";

async function measure(pid: number): Promise<Pick<SoakSample, "rss" | "descriptors">> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(status)?.[1];
  return { rss: Number(kilobytes) / 1024, descriptors: (await readdir(`/proc/${pid}/fd`)).length };
}
