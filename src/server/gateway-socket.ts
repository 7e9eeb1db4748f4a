// A client of the gateway's socket that survives it: looks for the gateway again when it is gone, says what it has seen,
// and asks once more what was not answered. Knows no operation.
import { type GatewayAddress, toUserError } from "../api/client.ts";
import type { OperationName, ParamsOf, ResultOf } from "../api/index.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import { type Clock, systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import { closeCodes, type GatewayEvent, protocolVersion, type ServerFrame } from "./protocol.ts";

export interface GatewaySocketOptions {
  /** The gateway that runs now; undefined when there is none. */
  find(): Promise<GatewayAddress | undefined>;
  onEvent(event: GatewayEvent): void;
  onLost(): void;
  /** `isResumed`: nothing was missed. */
  onBack(isResumed: boolean): void;
  clock?: Clock;
}

interface Pending {
  frame: string;
  resolve(result: unknown): void;
  reject(error: Error): void;
}

const shortestPauseMs = 200;
const longestPauseMs = 3_000;

export class GatewaySocket {
  readonly #options: GatewaySocketOptions;
  readonly #clock: Clock;
  readonly #pending = new Map<string, Pending>();
  readonly #closing = new AbortController();
  readonly #ids;
  #socket: WebSocket | undefined;
  #isGreeted = false;
  #seen: { life: string; seq: number } | undefined;

  constructor({ clock = systemClock, ...options }: GatewaySocketOptions) {
    this.#options = options;
    this.#clock = clock;
    this.#ids = createIds(clock);
  }

  /** Resolves when the gateway has greeted; rejects when it does not let us in. Then it is kept, until `close`. */
  async connect(address: GatewayAddress): Promise<void> {
    const over = Promise.withResolvers<void>();
    await this.#open(address, over.resolve);
    void this.#keep(over.promise);
  }

  ask<Name extends OperationName>(method: Name, params: ParamsOf<Name>): Promise<ResultOf<Name>> {
    const id = this.#ids.next();
    const frame = JSON.stringify({ type: "request", id, method, params });
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    this.#pending.set(id, { frame, resolve, reject });
    if (this.#isGreeted) this.#socket?.send(frame);
    return promise as Promise<ResultOf<Name>>;
  }

  /** What was asked and not answered is given up. */
  abandon(reason: Error): void {
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  close(): void {
    this.#closing.abort(new Error("the chat ends"));
    this.#socket?.close();
    this.abandon(fail("gateway.silent"));
  }

  async #keep(over: Promise<void>): Promise<void> {
    const { signal } = this.#closing;
    await over;
    while (!signal.aborted) {
      this.#options.onLost();
      const isResumedOf = await this.#findAgain();
      if (isResumedOf === undefined) return;
      await isResumedOf;
    }
  }

  /** Tries until it is greeted; gives back when that connection is over. Undefined: closed meanwhile. */
  async #findAgain(): Promise<Promise<void> | undefined> {
    const { signal } = this.#closing;
    for (let pause = shortestPauseMs; !signal.aborted; pause = Math.min(2 * pause, longestPauseMs)) {
      await this.#clock.sleep(pause, signal).catch(() => {});
      const address = signal.aborted ? undefined : await this.#options.find();
      if (address === undefined) continue;
      const over = Promise.withResolvers<void>();
      const isOpen = await this.#open(address, over.resolve).then(
        () => true,
        (error: unknown) => {
          if (error instanceof UserError) return false;
          throw error;
        },
      );
      if (isOpen) return over.promise;
    }
    return undefined;
  }

  #open({ url, token }: GatewayAddress, onOver: () => void): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = new WebSocket(`${url.replace(/^http/, "ws")}/api/socket`, {
      headers: { authorization: `Bearer ${token}` },
    });
    this.#socket = socket;
    socket.addEventListener("open", () => {
      const seen = this.#seen;
      socket.send(JSON.stringify({ type: "hello", protocol: protocolVersion, ...(seen && { seen }) }));
    });
    socket.addEventListener("message", ({ data }) => {
      this.#take(JSON.parse(String(data)) as ServerFrame);
      if (this.#isGreeted) resolve();
    });
    socket.addEventListener("close", ({ code, reason }) => {
      this.#isGreeted = false;
      reject(toCloseError(code, reason));
      onOver();
    });
    return promise;
  }

  #take(frame: ServerFrame): void {
    if (frame.type === "welcome") {
      const isFirst = this.#seen === undefined;
      this.#seen = { life: frame.life, seq: frame.isResumed ? (this.#seen?.seq ?? frame.seq) : frame.seq };
      this.#isGreeted = true;
      for (const pending of this.#pending.values()) this.#socket?.send(pending.frame);
      if (!isFirst) this.#options.onBack(frame.isResumed);
    } else if (frame.type === "event") {
      if (this.#seen === undefined || frame.seq <= this.#seen.seq) return;
      this.#seen.seq = frame.seq;
      this.#options.onEvent(frame.event);
    } else if (frame.type === "response") {
      const pending = this.#pending.get(frame.id);
      this.#pending.delete(frame.id);
      if (frame.ok) pending?.resolve(frame.result);
      else pending?.reject(toUserError(frame.problem));
    }
  }
}

function toCloseError(code: number, reason: string): UserError {
  if (code === closeCodes.otherProtocol) return fail("gateway.other-version");
  if (code === closeCodes.notAdmitted) return fail("gateway.not-let-in");
  return fail("gateway.closed", { reason: reason === "" ? String(code) : `${code}: ${reason}` });
}
