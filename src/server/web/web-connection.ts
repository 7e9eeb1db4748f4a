// One client on the socket: hello and welcome, requests and their answers, and events in their order. What it cannot
// take yet stays with the hub; what it asks beyond measure stays in the pipe. Knows no operation.
import type { WebSocket } from "ws";
import * as z from "zod";
import type { Caller, Progress } from "../../api/operation.ts";
import { toFailedProblem, toProblem } from "../../api/problem.ts";
import type { RunOperation } from "../../api/run-operation.ts";
import type { Asking } from "../../bus/ask.ts";
import { type Language, speakTo, type Words } from "../../i18n/words.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { EventHub, Followed, NumberedFrame } from "../live/event-hub.ts";
import {
  closeCodes,
  type PongFrame,
  protocolVersion,
  type ResponseFrame,
  type Viewer,
  type WelcomeFrame,
} from "../protocol.ts";
import type { DoneRequests } from "./web-socket.ts";

export interface WebConnectionOptions {
  socket: WebSocket;
  viewer: Viewer;
  hub: EventHub;
  done: DoneRequests;
  version: string;
  answer(asked: Asked, caller: SocketCaller): Promise<ResponseFrame>;
  onError(error: unknown): void;
}

const mostAtOnce = 32;
/** Beyond it nothing is added until some of it was taken. */
const fullBuffer = 1024 * 1024;
/** Beyond it nobody is waited for. */
const overfullBuffer = 32 * 1024 * 1024;
/** Of the standard. */
const unsupportedData = 1003;
const policyViolation = 1008;
const tooSlow = "too slow; connect again";

export class WebConnection {
  readonly #options: WebConnectionOptions;
  readonly #follows = new Set<Followed>();
  readonly #waiting: Asked[] = [];
  #running = 0;
  /** Of the last event that was handed over; undefined before the hello. */
  #seq: number | undefined;
  #isBehind = false;
  #unlisten = () => {};

  constructor(options: WebConnectionOptions) {
    this.#options = options;
    const { socket } = options;
    socket.on("message", (data, isBinary) => {
      if (isBinary) socket.close(unsupportedData, "text only");
      else this.#take(readClientFrame(String(data)));
    });
    socket.on("close", () => {
      this.#unlisten();
      this.#waiting.length = 0;
    });
  }

  get isGreeted(): boolean {
    return this.#seq !== undefined;
  }

  #take(frame: ReadFrame | undefined): void {
    const { socket } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    if (frame?.type === "hello" && !this.isGreeted) this.#greet(frame);
    else if (frame?.type === "ping" && this.isGreeted) this.#pong(frame.id);
    else if (frame?.type === "request" && this.isGreeted) {
      this.#waiting.push(frame);
      this.#work();
    } else socket.close(policyViolation, "not a frame of this protocol");
  }

  /** A client that reads nothing is not there, whatever it sends. */
  #pong(id: string): void {
    const { socket } = this.#options;
    const pong: PongFrame = { type: "pong", id };
    if (socket.bufferedAmount <= fullBuffer) socket.send(JSON.stringify(pong));
  }

  /** In one go: an event that happens meanwhile is neither lost nor sent twice. */
  #greet({ protocol, seen }: Extract<ReadFrame, { type: "hello" }>): void {
    const { socket, hub, viewer, version } = this.#options;
    if (protocol !== protocolVersion) {
      socket.close(closeCodes.otherProtocol, `this is protocol ${protocolVersion}`);
      return;
    }
    const { life, seq } = hub;
    const isResumed = seen !== undefined && hub.since(seen, viewer) !== undefined;
    const welcome: WelcomeFrame = { type: "welcome", protocol, version, life, seq, isResumed, viewer };
    socket.send(JSON.stringify(welcome));
    this.#seq = isResumed ? seen.seq : seq;
    this.#catchUp();
    const take = (frame: NumberedFrame) => this.#tell(frame);
    this.#unlisten = hub.listen({ viewer, follows: this.#follows, take });
  }

  #tell(frame: NumberedFrame): void {
    this.#isBehind ||= this.#options.socket.bufferedAmount > fullBuffer;
    if (!this.#isBehind) this.#hand(frame);
  }

  #hand({ seq, text }: NumberedFrame): void {
    this.#seq = seq;
    this.#options.socket.send(text, () => this.#goOn());
  }

  /** Something of what is in the pipe was taken. */
  #goOn(): void {
    if (this.#isBehind && this.#options.socket.bufferedAmount <= fullBuffer / 2) this.#catchUp();
  }

  /** As much as the pipe takes; what the hub has forgotten meanwhile is asked for again. */
  #catchUp(): void {
    const { socket, hub, viewer } = this.#options;
    if (socket.readyState !== socket.OPEN) return;
    const missed = hub.since({ life: hub.life, seq: this.#seq ?? 0 }, viewer);
    if (missed === undefined) {
      socket.close(closeCodes.tooSlow, tooSlow);
      return;
    }
    this.#isBehind = false;
    for (const frame of missed) this.#tell(frame);
  }

  #work(): void {
    const { socket } = this.#options;
    while (this.#running < mostAtOnce && socket.bufferedAmount <= fullBuffer) {
      const nextRequest = this.#waiting.shift();
      if (nextRequest === undefined) break;
      this.#running += 1;
      void this.#answer(nextRequest);
    }
    if (this.#waiting.length === 0) socket.resume();
    else socket.pause();
  }

  async #answer(asked: Asked): Promise<void> {
    const { socket, viewer, done, answer, onError } = this.#options;
    const caller = { viewer, follows: this.#follows };
    try {
      const text = await done.once(viewer.person, asked.id, () => answer(asked, caller));
      if (socket.readyState !== socket.OPEN) return;
      // A client that reads nothing gets no further events until it does.
      socket.send(text, () => this.#settle());
      if (socket.bufferedAmount > overfullBuffer) socket.close(closeCodes.tooSlow, tooSlow);
    } catch (error) {
      onError(error);
      this.#settle();
    }
  }

  #settle(): void {
    this.#running -= 1;
    this.#work();
    this.#goOn();
  }
}

const text = z.string().min(1).max(200);

const clientFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    protocol: z.number(),
    seen: z.object({ life: text, seq: z.int().min(0) }).optional(),
  }),
  z.object({ type: z.literal("ping"), id: text }),
  z.object({
    type: z.literal("request"),
    id: text,
    method: text,
    params: z.unknown().default({}),
    language: z.enum(["english", "chinese"]).optional(),
  }),
]);

export type ReadFrame = z.infer<typeof clientFrame>;

/** Undefined when it is none. */
function readClientFrame(data: string): ReadFrame | undefined {
  return clientFrame.safeParse(parseJson(data)).data;
}

export interface SocketCaller {
  viewer: Viewer;
  /** Of the connection: the extra topics that it follows. */
  follows: Set<Followed>;
}

export type Asker = Pick<Caller, "person" | "requestId" | "signal">;

export interface AnswerOptions {
  run: RunOperation;
  words: Words;
  /** Puts a question of an operation to the person who called it; undefined: it was not answered. */
  ask(question: Asking, caller: Asker): Promise<string | undefined>;
  /** Tells the person who called an operation how far it is. */
  show(progress: Progress, caller: Asker): void;
  /** Hears of failures that are ours. */
  onError(error: unknown, method: string): void;
}

export interface Asked {
  id: string;
  method: string;
  params: unknown;
  /** Of the page, if it said so. */
  language?: Language;
}

export async function answerRequest(
  { id, method: name, params, ...spoken }: Asked,
  { viewer, follows }: SocketCaller,
  { run, words, ask, show, onError, signal }: AnswerOptions & { signal: AbortSignal },
): Promise<ResponseFrame> {
  const caller = { ...viewer, requestId: id, follows, ...spoken };
  try {
    const result = await run({ name, params }, caller, {
      ask: (question) => ask(question, { ...caller, signal }),
      show: (progress) => show(progress, caller),
    });
    return { type: "response", id, ok: true, result: result ?? null };
  } catch (error) {
    const language = speakTo(spoken, words);
    const problem = toProblem(error, language);
    if (problem === undefined) onError(error, name);
    return { type: "response", id, ok: false, problem: problem ?? toFailedProblem(language) };
  }
}
