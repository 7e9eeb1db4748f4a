// A gateway as Discord and QQ have it: events over a WebSocket with sequence numbers. A session that broke off is resumed, so
// that the platform sends what was missed. Knows nothing of messages.
import * as z from "zod";
import { ChannelError } from "../bus/channel.ts";
import { phrase } from "../i18n/phrase.ts";
import type { Clock } from "../lib/clock.ts";
import { type JsonSocket, runJsonSocket } from "./json-socket.ts";

export interface GatewaySession {
  id: string;
  /** Where the platform wants the session to be resumed. */
  url: string;
  /** Of the last event that was handled, and all before it. */
  sequence: number;
}

export interface GatewayOptions {
  /** As people call it. */
  platform: string;
  url: string;
  /** As it is sent with the first frame. */
  token: string;
  /** What else the first frame of a new session says. */
  identity: object;
  /** One that may be resumed. */
  session: GatewaySession | undefined;
  clock: Clock;
  signal: AbortSignal;
  onAlive(): void;
  /** A new session has begun: what happened between the last one and this one was not sent. Gives where to resume it. */
  onReady(ready: unknown): Promise<Omit<GatewaySession, "sequence">>;
  /** A rejection ends the connection; the event comes again when the session is resumed. */
  onEvent(name: string, data: unknown): Promise<void>;
  /** After each event that was handled; undefined: the session is over. */
  onSession(session: GatewaySession | undefined): void;
  /** What the platform meant by closing; undefined: the connection was lost. */
  toCloseError(code: number): { error?: Error; isSessionOver?: boolean };
}

const frameSchema = z.object({
  op: z.int(),
  t: z.string().nullish(),
  s: z.int().nullish(),
  d: z.unknown().optional(),
});
const helloSchema = z.object({ heartbeat_interval: z.number().min(1) });

const operation = {
  dispatch: 0,
  heartbeat: 1,
  identify: 2,
  resume: 6,
  reconnect: 7,
  invalidSession: 9,
  hello: 10,
  heartbeatTaken: 11,
};

export async function runGateway(options: GatewayOptions): Promise<void> {
  const gateway = new Gateway(options);
  try {
    await runJsonSocket({
      platform: options.platform,
      url: options.session?.url ?? options.url,
      signal: options.signal,
      onMessage: (message, socket) => gateway.handle(message, socket),
      toCloseError: (code) => gateway.explainClose(code),
    });
  } finally {
    gateway.end();
  }
}

class Gateway {
  readonly #options: GatewayOptions;
  #session: GatewaySession | undefined;
  /** Of the last event that came, handled or not. */
  #received: number | null;
  readonly #open = new Set<number>();
  readonly #over = new AbortController();
  #isTaken = true;

  constructor(options: GatewayOptions) {
    this.#options = options;
    this.#session = options.session;
    this.#received = options.session?.sequence ?? null;
  }

  async handle(message: unknown, socket: JsonSocket): Promise<void> {
    const { data: frame } = frameSchema.safeParse(message);
    if (frame === undefined) return;
    if (frame.op === operation.hello) this.#greet(frame.d, socket);
    else if (frame.op === operation.heartbeat) this.#beat(socket);
    else if (frame.op === operation.heartbeatTaken) this.#takeBeat();
    else if (frame.op === operation.reconnect) socket.fail(this.#disconnected());
    else if (frame.op === operation.invalidSession) this.#endSession(frame.d === true, socket);
    else if (frame.op === operation.dispatch) await this.#dispatch(frame);
  }

  explainClose(code: number): Error | undefined {
    const { error, isSessionOver } = this.#options.toCloseError(code);
    if (isSessionOver) this.#options.onSession(undefined);
    return error;
  }

  end(): void {
    this.#over.abort();
  }

  #greet(hello: unknown, socket: JsonSocket): void {
    const { data } = helloSchema.safeParse(hello);
    const { token, identity } = this.#options;
    const session = this.#session;
    if (data === undefined) {
      socket.fail(this.#disconnected());
      return;
    }
    if (session === undefined) socket.send({ op: operation.identify, d: { token, ...identity } });
    else socket.send({ op: operation.resume, d: { token, session_id: session.id, seq: session.sequence } });
    void this.#beatEvery(data.heartbeat_interval, socket);
  }

  async #beatEvery(interval: number, socket: JsonSocket): Promise<void> {
    const { clock } = this.#options;
    for (;;) {
      await clock.sleep(interval, this.#over.signal).catch(() => {});
      if (this.#over.signal.aborted) return;
      // The last one was not answered: nobody is there any more.
      if (!this.#isTaken) return socket.fail(this.#disconnected());
      this.#isTaken = false;
      this.#beat(socket);
    }
  }

  #beat(socket: JsonSocket): void {
    socket.send({ op: operation.heartbeat, d: this.#received });
  }

  #takeBeat(): void {
    this.#isTaken = true;
    this.#options.onAlive();
  }

  #endSession(mayResume: boolean, socket: JsonSocket): void {
    if (!mayResume) this.#options.onSession(undefined);
    socket.fail(this.#disconnected());
  }

  async #dispatch({ t: name, s: sequence, d: data }: z.infer<typeof frameSchema>): Promise<void> {
    if (typeof name !== "string" || typeof sequence !== "number") return;
    this.#received = sequence;
    this.#open.add(sequence);
    if (name === "READY") await this.#begin(data, sequence);
    else if (name === "RESUMED") this.#options.onAlive();
    else await this.#options.onEvent(name, data);
    this.#open.delete(sequence);
    this.#note();
  }

  async #begin(data: unknown, sequence: number): Promise<void> {
    this.#options.onAlive();
    const place = await this.#options.onReady(data);
    this.#session = { ...place, sequence };
  }

  /** Everything before the first event that is still being handled is done. */
  #note(): void {
    if (this.#session === undefined || this.#received === null) return;
    const first = Math.min(...this.#open, this.#received + 1);
    this.#session = { ...this.#session, sequence: Math.max(this.#session.sequence, first - 1) };
    this.#options.onSession(this.#session);
  }

  #disconnected(): ChannelError {
    return new ChannelError(phrase("channels.disconnected", { platform: this.#options.platform }));
  }
}
