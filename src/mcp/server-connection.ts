// One server's life: connected when it is first needed, asked, restarted after a crash with growing pauses, ended with us.
// However it behaves, a call ends within its time. Knows neither tools nor files.
import type { ElicitRequestParams, ElicitResult } from "@modelcontextprotocol/client";
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { McpServerConfig } from "./config.ts";
import { createAuthFetch } from "./oauth/auth-fetch.ts";
import type { SignInSupport } from "./oauth/sign-in-support.ts";
import { type OpenedClient, openClient } from "./open-client.ts";
import { mapTexts, type ProblemKind, ServerError, type ServerProblem } from "./problem.ts";
import {
  Deadline,
  type Declined,
  describeElicitation,
  RunningCall,
  type RunningCallOptions,
} from "./running-call.ts";
import { type Entry, readServerList } from "./server-list.ts";
import { type Surroundings, toTarget, transportOf } from "./target.ts";

export interface ConnectionOptions extends Surroundings {
  name: string;
  config: McpServerConfig;
  fetch: typeof globalThis.fetch;
  clock: Clock;
  log: Log;
  /** Absent: no server can be signed in to. */
  signInSupport?: SignInSupport;
  /** A token, which no text may show. */
  onSecret(secret: string): void;
  /** Takes secrets out of what a server said last. */
  redact(text: string): string;
  /** Between 0 and 1, so that several servers do not come back at the same instant. */
  random(): number;
  /** Default: a minute, because launchers such as npx may have to install first. */
  connectMs?: number;
  /** Whenever its list was read again. */
  onList(entries: Entry[]): void;
  onProblem(problem: ServerProblem): void;
}

export interface Ask extends Pick<RunningCallOptions, "askPerson"> {
  method: "tools/call" | "resources/read" | "prompts/get";
  params: Record<string, unknown>;
  /** Over HTTP. */
  headers?: Record<string, string>;
  /** Doing it a second time changes nothing. */
  isRepeatable: boolean;
  signal: AbortSignal;
  onProgress(progress: { progress: number; total?: number; message?: string }): void;
}

export interface Answer {
  result: Record<string, unknown>;
  /** What the server wanted meanwhile and did not get. */
  declined: Declined[];
}

const usualConnectMs = 60_000;
const longestPingMs = 5_000;
const longestPauseMs = 60_000;
/** A call during a longer pause fails at once with the problem. */
const patienceMs = 5_000;
const mostRestarts = 5;
/** A server that crashes after this long is not in a loop. */
const settledMs = 60_000;
const betweenListsMs = 5_000;
const beforeRetryMs = 1_000;
/** Progress extends the time of a call, but not without end. */
const mostExtensions = 10;
/** For the library, whose limit cannot pause. */
const longestTimerMs = 2 ** 31 - 1;
/** Waiting does not help: a person has to act. */
const forPeople: ProblemKind[] = [
  "no-target",
  "bad-address",
  "sign-in",
  "more-rights",
  "sign-in-blocked",
  "no-program",
  "not-started",
  "no-folder",
  "refused",
];

export class ServerConnection {
  readonly #options: ConnectionOptions;
  readonly #end = new AbortController();
  readonly #running = new Set<RunningCall>();
  #opened?: OpenedClient & { since: number };
  #opening?: Promise<OpenedClient>;
  #problem?: ServerProblem;
  #failures = 0;
  #retryAt = 0;
  #refreshing?: Promise<void>;
  #isListStale = false;

  constructor(options: ConnectionOptions) {
    this.#options = options;
  }

  get state(): "connected" | "connecting" | "failed" | "idle" {
    if (this.#opened !== undefined) return "connected";
    if (this.#opening !== undefined) return "connecting";
    return this.#problem === undefined ? "idle" : "failed";
  }

  get problem(): ServerProblem | undefined {
    return this.#problem;
  }

  /** Resolves when it is connected and its list is read; rejects with a ServerError. Those who ask meanwhile share it. */
  connect(): Promise<OpenedClient> {
    if (this.#opened !== undefined) return Promise.resolve(this.#opened);
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  /** The same in the background; a failure is kept in `problem`. */
  start(): void {
    this.connect().catch(() => {});
  }

  async ask(ask: Ask): Promise<Answer> {
    const { name, redact } = this.#options;
    const call = new RunningCall({ ...ask, server: name, redact });
    this.#running.add(call);
    try {
      return { result: await this.#askTwice(ask, call), declined: call.declined };
    } finally {
      this.#running.delete(call);
      await call.end();
    }
  }

  async close(): Promise<void> {
    this.#end.abort(new ServerError({ kind: "ended" }));
    await this.#opening?.catch(() => {});
    await this.#opened?.close();
    this.#opened = undefined;
  }

  async #open(): Promise<OpenedClient> {
    const { config, clock, log, onList } = this.#options;
    const { signal } = this.#end;
    let opened: OpenedClient | undefined;
    let lost: ServerError | undefined;
    await this.#pause();
    try {
      opened = await openClient({
        ...this.#options,
        server: this.#options.name,
        target: toTarget(config, this.#options),
        ...(await this.#signsIn()),
        timeoutMs: this.#connectMs,
        signal,
        onDeclined: (what) => this.#decline({ what, why: "servers may not" }),
        onElicit: (params, asked) => this.#elicit(params, asked),
        onListChanged: () => this.#refresh(),
        onLost: (failure) => {
          lost = failure;
          this.#lose(failure);
        },
      });
      const entries = await readServerList({ client: opened, timeoutMs: this.#connectMs, log });
      signal.throwIfAborted();
      this.#opened = Object.assign(opened, { since: clock.elapsed() });
      this.#problem = undefined;
      onList(entries);
      return opened;
    } catch (error) {
      await opened?.close();
      signal.throwIfAborted();
      const failure = lost ?? error;
      throw failure instanceof ServerError ? this.#fail(failure) : failure;
    }
  }

  async #signsIn(): Promise<Pick<Parameters<typeof openClient>[0], "createAuth">> {
    const { name, config, signInSupport, clock, onSecret } = this.#options;
    const url = URL.parse(config.url);
    if (signInSupport === undefined || url === null || transportOf(config) === "stdio") return {};
    const { ServerAuth, mayUseOAuth } = await import("./oauth/server-auth.ts");
    if (!mayUseOAuth(config)) return {};
    const { signIns, fetch: guarded } = signInSupport;
    return {
      createAuth: async (library, signal) => {
        const fetch = createAuthFetch(guarded, url, signal);
        return new ServerAuth({
          name,
          url,
          config,
          signIns,
          fetch,
          library,
          now: () => clock.now(),
          onSecret,
        });
      },
    };
  }

  get #connectMs(): number {
    return this.#options.connectMs ?? usualConnectMs;
  }

  /** After a failure: not again at once. */
  async #pause(): Promise<void> {
    const { signal } = this.#end;
    signal.throwIfAborted();
    const left = this.#retryAt - this.#options.clock.elapsed();
    // A person may have signed in since then.
    if (this.#problem === undefined || left <= 0 || this.#problem.kind === "sign-in") return;
    if (left > patienceMs) throw new ServerError(this.#problem);
    await this.#options.clock.sleep(left, signal);
  }

  #fail({ problem }: ServerError): ServerError {
    const { name, clock, log, redact, random, onProblem } = this.#options;
    const failure = new ServerError(mapTexts(problem, redact));
    this.#failures += 1;
    const pause = Math.min(1_000 * 2 ** (this.#failures - 1), longestPauseMs) * (0.5 + random());
    this.#problem = failure.problem;
    this.#retryAt = clock.elapsed() + pause;
    log.warn("mcp-server-failed", { server: name, problem: failure.problem, failures: this.#failures });
    onProblem(failure.problem);
    if (!forPeople.includes(problem.kind) && this.#failures <= mostRestarts) void this.#restartAfter(pause);
    return failure;
  }

  async #restartAfter(ms: number): Promise<void> {
    const { signal } = this.#end;
    await this.#options.clock.sleep(ms, signal).catch(() => {});
    if (!signal.aborted) this.start();
  }

  /** Died while it was connected; while it is still being connected, `connect` rejects. */
  #lose(failure: ServerError): void {
    if (this.#opened === undefined) return;
    const wasSettled = this.#options.clock.elapsed() - this.#opened.since > settledMs;
    this.#opened = undefined;
    if (wasSettled) this.#failures = 0;
    if (!this.#end.signal.aborted) this.#fail(failure);
  }

  async #askTwice(ask: Ask, call: RunningCall): Promise<Record<string, unknown>> {
    for (let isLast = false; ; isLast = true) {
      try {
        return await this.#askOnce(ask, call);
      } catch (error) {
        ask.signal.throwIfAborted();
        if (!(error instanceof ServerError)) throw error;
        if (isLast || !this.#canRepeat(error, ask)) throw this.#explain(error);
      }
      await this.#options.clock.sleep(beforeRetryMs, ask.signal);
    }
  }

  /** Only what cannot have been done yet, or does no harm twice. An expired session is answered with 404. */
  #canRepeat({ problem, isUnsent }: ServerError, { isRepeatable }: Ask): boolean {
    const isExpired = problem.kind === "status" && problem.status === 404;
    const isUnreachable = problem.kind === "unreachable";
    if (isExpired || isUnreachable) this.#drop();
    return isExpired || ((isUnreachable || problem.kind === "ended") && (isRepeatable || isUnsent));
  }

  /** A connection that closed in the middle of a call was lost for a reason that is known here. */
  #explain(failure: ServerError): ServerError {
    if (failure.problem.kind !== "ended" || this.#problem === undefined) return failure;
    return new ServerError(this.#problem);
  }

  async #askOnce(
    { method, params, headers, signal, onProgress }: Ask,
    call: RunningCall,
  ): Promise<Record<string, unknown>> {
    const { clock, config } = this.#options;
    const limitMs = config.toolTimeout * 1_000;
    const client = await this.#connectWithin(limitMs, signal);
    const toReason = () => new ServerError({ kind: "no-answer", seconds: config.toolTimeout });
    const deadline = new Deadline({ clock, limitMs, totalMs: limitMs * mostExtensions, toReason });
    call.deadline = deadline;
    try {
      return await client.request(method, params, {
        signal: AbortSignal.any([signal, deadline.signal]),
        timeout: longestTimerMs,
        ...(headers && { headers }),
        onprogress(progress) {
          deadline.extend();
          onProgress(progress);
        },
      });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      const { problem, answer } = error;
      // The server's own words, and so a result like any other.
      if (problem.kind === "failed" && answer !== undefined)
        return { isError: true, content: [{ type: "text", text: answer }] };
      if (problem.kind === "no-answer") void this.#checkAlive();
      throw error;
    } finally {
      deadline.stop();
      call.deadline = undefined;
    }
  }

  async #connectWithin(ms: number, signal: AbortSignal): Promise<OpenedClient> {
    const limit = AbortSignal.timeout(ms);
    try {
      return await untilAborted(this.connect(), AbortSignal.any([signal, limit]));
    } catch (error) {
      signal.throwIfAborted();
      throw limit.aborted ? new ServerError({ kind: "no-answer", seconds: ms / 1_000 }) : error;
    }
  }

  /** Without a failure: the next call connects again. */
  #drop(): void {
    const opened = this.#opened;
    this.#opened = undefined;
    void opened?.close();
  }

  /** A call took too long. One that hangs as a whole is ended, and comes back as after a crash. */
  async #checkAlive(): Promise<void> {
    const opened = this.#opened;
    if (opened === undefined || !opened.canPing) return;
    const timeout = Math.min(longestPingMs, this.#options.config.toolTimeout * 1_000);
    try {
      await opened.request("ping", {}, { timeout });
    } catch (error) {
      if (!(error instanceof ServerError)) throw error;
      if (error.problem.kind !== "no-answer" || this.#opened !== opened) return;
      await opened.close();
      this.#lose(new ServerError({ kind: "no-answer", seconds: timeout / 1_000 }));
    }
  }

  #refresh(): void {
    this.#isListStale = true;
    this.#refreshing ??= this.#readLists().finally(() => {
      this.#refreshing = undefined;
    });
  }

  /** As often as it changes, but with pauses. */
  async #readLists(): Promise<void> {
    const { clock, log, name, onList } = this.#options;
    while (this.#isListStale && this.#opened !== undefined) {
      this.#isListStale = false;
      try {
        onList(await readServerList({ client: this.#opened, timeoutMs: this.#connectMs, log }));
      } catch (error) {
        if (!(error instanceof ServerError)) throw error;
        log.warn("mcp-list-not-read", { server: name, problem: error.problem });
      }
      await clock.sleep(betweenListsMs, this.#end.signal).catch(() => {});
    }
  }

  /** For the person of the call that runs; with several, it is unknown which of them asks. */
  async #elicit(params: ElicitRequestParams, signal: AbortSignal): Promise<ElicitResult> {
    const [call, ...others] = this.#running;
    if (call !== undefined && others.length === 0) return call.elicit(params, signal);
    this.#decline({ what: describeElicitation(params), why: "several of its calls were running" });
    return { action: "decline" };
  }

  #decline(declined: Declined): void {
    for (const call of this.#running) call.note(declined);
  }
}
