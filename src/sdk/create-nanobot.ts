// The assistant as a library: made from a home like the program itself, asked by function calls, closed at the end.
import type { CallOptions } from "../api/client.ts";
import type { OperationName, ParamsOf, ResultOf } from "../api/index.ts";
import { type App, type AppOptions, buildApp } from "../app/build-app.ts";
import { createWords, detectLanguage, type Words } from "../i18n/words.ts";
import { systemClock } from "../lib/clock.ts";
import { createIds } from "../lib/ids.ts";
import type { ToolDefinition } from "../llm/types.ts";
import { openHome } from "../storage/home.ts";
import { createMemory, type Memory } from "./memory.ts";
import {
  type AskOwner,
  type RunEvent,
  type RunOptions,
  type RunResult,
  runOnce,
  streamRun,
  toAsk,
  usualSession,
} from "./run.ts";
import { createSessions, type Sessions } from "./sessions.ts";

export interface NanobotOptions
  extends Pick<AppOptions, "workspace" | "provider" | "tools" | "context" | "clock"> {
  /** The folder with config, sessions and everything else. Default: `NANOBOT_HOME`, or `~/.nanobot`. */
  home?: string;
  /** A config file; its folder becomes the home. */
  config?: string;
  /** Answers tools that need a yes, where a run does not say otherwise. Without it, the answer is no. */
  ask?: AskOwner;
  /** Default: that of the process. */
  env?: NodeJS.ProcessEnv;
}

export interface Nanobot {
  /** One message and its answer. Failures of the world are in the result; only an abort and a closed assistant throw. */
  run(message: string, options?: RunOptions): Promise<RunResult>;
  /** The same as events while it happens, the result last. Leaving the loop early calls the turn off. */
  stream(message: string, options?: RunOptions): AsyncGenerator<RunEvent, void>;
  /**
   * An operation by its name, as the owner: docs/api.md lists them. Throws a UserError for what is refused. What it asks
   * is answered by `ask` of the options, or else by the one that the assistant was made with.
   */
  call<Name extends OperationName>(
    name: Name,
    params: ParamsOf<Name>,
    options?: CallOptions,
  ): Promise<ResultOf<Name>>;
  readonly sessions: Sessions;
  readonly memory: Memory;
  /** What the model may call now: the assistant's own tools, those of MCP servers, and those that were passed in. */
  tools(): Promise<ToolDefinition[]>;
  /** Host and model that answer. */
  readonly model: string;
  readonly workspace: string;
  /** What the owner should know, one sentence each. */
  readonly warnings: readonly string[];
  /** Calls off what runs, which throws then, and ends what was started. Must be called at the end, or `await using` does it. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** The assistant cannot be made, or is no more. */
export class NanobotError extends Error {
  override name = "NanobotError";
  readonly code: "unusable-home" | "closed";
  /** One sentence each. */
  readonly problems: readonly string[];

  constructor(code: NanobotError["code"], problems: readonly string[]) {
    super(problems.join("\n"));
    this.code = code;
    this.problems = problems;
  }
}

/**
 * ```ts
 * await using bot = await createNanobot();
 * const { text } = await bot.run("What is on my list for today?");
 * ```
 */
export async function createNanobot(options: NanobotOptions = {}): Promise<Nanobot> {
  const { clock = systemClock, env = process.env } = options;
  const words = createWords(detectLanguage(env));
  const app = await open(options, words);
  const ids = createIds(clock);
  const parts = { app, words, newId: () => ids.next(), ...(options.ask && { ask: options.ask }) };
  const closing = new AbortController();
  const running = new Map<Promise<unknown>, string>();

  async function run(message: string, given: RunOptions, onEvent?: (event: RunEvent) => void) {
    closing.signal.throwIfAborted();
    const signal = AbortSignal.any([closing.signal, ...(given.signal ? [given.signal] : [])]);
    const turn = runOnce(parts, message, { ...given, signal }, onEvent);
    const over = turn.then(ignore, ignore);
    running.set(over, given.ephemeral === true ? "" : (given.session ?? usualSession));
    return turn.finally(() => running.delete(over));
  }

  const call: Nanobot["call"] = async (name, params, given = {}) => {
    closing.signal.throwIfAborted();
    const signal = AbortSignal.any([closing.signal, ...(given.signal ? [given.signal] : [])]);
    const client = await app.clientFor({ person: "owner", role: "owner", language: detectLanguage(env) });
    const done = client.call(name, params, { ...toInteraction(options.ask, signal), ...given, signal });
    const over = done.then(ignore, ignore);
    running.set(over, "");
    return done.finally(() => running.delete(over));
  };

  const close = async () => {
    if (closing.signal.aborted) return;
    closing.abort(new NanobotError("closed", [words.failure.assistantClosed]));
    await Promise.all(running.keys());
    await app.close();
  };
  return {
    run: (message, given = {}) => run(message, given),
    stream: (message, given = {}) =>
      streamRun((signal, onEvent) => run(message, { ...given, signal }, onEvent), given.signal),
    call,
    sessions: createSessions({ app, isBusy: (key) => [...running.values()].includes(key) }),
    memory: createMemory({ app, call }),
    tools: () => app.foreign.definitions(),
    get model() {
      return app.models.usual.name;
    },
    workspace: app.storage.environment.workspace,
    warnings: app.warnings,
    close,
    [Symbol.asyncDispose]: close,
  };
}

async function open(
  { home, config, env = process.env, ...options }: NanobotOptions,
  words: Words,
): Promise<App> {
  const settled = { ...env, ...(home !== undefined && { NANOBOT_HOME: home }) };
  const paths = await openHome({ env: settled, ...(config !== undefined && { configPath: config }) });
  const built = await buildApp({ ...options, paths, env: settled, words });
  if (!built.ok) throw new NanobotError("unusable-home", built.problems);
  return built.app;
}

/** Who answers tools answers operations, too. */
function toInteraction(ask: AskOwner | undefined, signal: AbortSignal): CallOptions {
  if (ask === undefined) return {};
  const answer = toAsk(ask);
  return {
    ask: async (asking) =>
      (await answer({ kind: "choice", person: "owner", detail: "", ...asking }, signal)).choice,
  };
}

function ignore(): void {}
