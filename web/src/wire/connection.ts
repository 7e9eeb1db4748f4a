// The socket to the gateway: resumes after the last event seen, repeats unanswered requests, reconnects. Knows no page.
import type {
  HelloFrame,
  OperationName,
  ParamsOf,
  PingFrame,
  Problem,
  RequestFrame,
  ResponseFrame,
  ResultOf,
  ServerFrame,
} from "../../../src/server/protocol.ts";
import type { Action } from "../store/reduce.ts";

export type Outcome<Result> = { ok: true; result: Result } | { ok: false; problem: Problem };

/** The part of a browser's WebSocket that is used. */
export interface Socket {
  send(text: string): void;
  close(): void;
  addEventListener(type: "open", listen: () => void): void;
  addEventListener(type: "message", listen: (event: { data: unknown }) => void): void;
  addEventListener(type: "close", listen: (event: { code: number }) => void): void;
}

interface ConnectionOptions {
  openSocket(): Socket;
  /** Whether the gateway knows who this is; throws when it cannot be reached. */
  isKnown(): Promise<boolean>;
  dispatch(action: Action): void;
  newId(): string;
  /** Of the page. */
  language(): NonNullable<RequestFrame["language"]>;
  /** The message for a request that is too large. */
  describeExcess(): string;
  /** Runs something later; returns how to cancel it. */
  schedule(run: () => void, ms: number): () => void;
  random(): number;
}

interface Waiting {
  frame: RequestFrame;
  settle(outcome: Outcome<unknown>): void;
}

const protocol = 1;
const notAdmitted = 4401;
const otherProtocol = 4406;
const longestWaitMs = 15_000;
const patienceMs = 5_000;
/** The gateway closes the connection on larger frames. */
const mostBytes = 1_000_000;

export class Connection {
  readonly #options: ConnectionOptions;
  /** Unanswered requests, oldest first. */
  readonly #waiting = new Map<string, Waiting>();
  /** Requests whose operation asked a question. */
  readonly #asking = new Set<string>();
  #socket: Socket | undefined;
  #isWelcome = false;
  #seen: { life: string; seq: number } | undefined;
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  /** Pings without a pong, with how to cancel their timeout. */
  readonly #pings = new Map<string, () => void>();

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  /** Connects now; also what "try again" does. */
  async connect(): Promise<void> {
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
    if (this.#socket !== undefined) return;
    try {
      // Later the socket itself reports that the sign-in ended.
      if (this.#seen === undefined && !(await this.#options.isKnown()))
        return this.#options.dispatch({ type: "link", link: "signed-out" });
    } catch {
      // Not reachable, for whatever reason: try again.
      return this.#retryLater();
    }
    if (this.#socket === undefined) this.#open();
  }

  ask<Name extends OperationName>(
    method: Name,
    params: ParamsOf<Name>,
    id: string = this.#options.newId(),
  ): Promise<Outcome<ResultOf<Name>>> {
    return new Promise((resolve) => {
      const frame: RequestFrame = { type: "request", id, method, params, language: this.#options.language() };
      const text = JSON.stringify(frame);
      if (text.length > mostBytes / 3 && new TextEncoder().encode(text).length > mostBytes)
        return resolve({
          ok: false,
          problem: { code: "request.too-large", params: {}, message: this.#options.describeExcess() },
        });
      this.#waiting.set(id, { frame, settle: (outcome) => resolve(outcome as Outcome<ResultOf<Name>>) });
      if (this.#isWelcome) this.#socket?.send(text);
    });
  }

  /** Tests the connection: a socket that died while the computer slept does not report it. */
  check(): void {
    const socket = this.#socket;
    if (!this.#isWelcome || socket === undefined) return;
    const ping: PingFrame = { type: "ping", id: this.#options.newId() };
    const cancel = this.#options.schedule(() => {
      this.#pings.delete(ping.id);
      if (socket !== this.#socket) return;
      this.#lost(0);
      socket.close();
    }, patienceMs);
    this.#pings.set(ping.id, cancel);
    socket.send(JSON.stringify(ping));
  }

  close(): void {
    this.#cancelRetry?.();
    if (this.#socket === undefined) return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#isWelcome = false;
    socket.close();
  }

  #open(): void {
    const socket = this.#options.openSocket();
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const hello: HelloFrame = { type: "hello", protocol, ...(this.#seen && { seen: this.#seen }) };
      socket.send(JSON.stringify(hello));
    });
    socket.addEventListener("message", ({ data }) => this.#take(JSON.parse(String(data)) as ServerFrame));
    socket.addEventListener("close", ({ code }) => {
      if (socket === this.#socket) this.#lost(code);
    });
  }

  #take(frame: ServerFrame): void {
    if (frame.type === "response") this.#answer(frame);
    else if (frame.type === "pong") this.#settlePing(frame.id);
    else if (frame.type === "welcome") this.#begin(frame);
    else this.#receive(frame);
  }

  #settlePing(id: string): void {
    this.#pings.get(id)?.();
    this.#pings.delete(id);
  }

  #receive({ seq, at, event }: Extract<ServerFrame, { type: "event" }>): void {
    if (this.#seen === undefined || seq <= this.#seen.seq) return;
    this.#seen.seq = seq;
    if (event.type === "question" || event.type === "progress") {
      // Of another page of the same user.
      if (!this.#waiting.has(event.requestId)) return;
      this.#asking.add(event.requestId);
    }
    this.#options.dispatch({ type: "event", seq, at, event });
  }

  #begin({ life, seq, isResumed, viewer, version }: Extract<ServerFrame, { type: "welcome" }>): void {
    this.#failures = 0;
    this.#isWelcome = true;
    if (!isResumed || this.#seen === undefined) this.#seen = { life, seq };
    this.#options.dispatch({ type: "welcome", viewer, version, isResumed });
    for (const { frame } of this.#waiting.values()) this.#socket?.send(JSON.stringify(frame));
  }

  #answer(frame: ResponseFrame): void {
    const waiting = this.#waiting.get(frame.id);
    this.#waiting.delete(frame.id);
    if (this.#asking.delete(frame.id)) this.#options.dispatch({ type: "answered", requestId: frame.id });
    waiting?.settle(frame.ok ? { ok: true, result: frame.result } : { ok: false, problem: frame.problem });
  }

  #lost(code: number): void {
    this.#socket = undefined;
    this.#isWelcome = false;
    if (code === notAdmitted) this.#options.dispatch({ type: "link", link: "signed-out" });
    else if (code === otherProtocol) this.#options.dispatch({ type: "link", link: "outdated" });
    else this.#retryLater();
  }

  /** Half a second, doubled with every failure, with jitter so that many pages do not reconnect at once. */
  #retryLater(): void {
    this.#options.dispatch({ type: "link", link: "offline" });
    const ms = Math.min(longestWaitMs, 500 * 2 ** this.#failures) * (0.5 + this.#options.random() / 2);
    this.#failures += 1;
    this.#cancelRetry = this.#options.schedule(() => void this.connect(), ms);
  }
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
