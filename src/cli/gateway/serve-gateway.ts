// `nanobot gateway` in the foreground: builds it, says where it is, and serves until it is told to end.
import { buildGateway, type Gateway } from "../../app/build-gateway.ts";
import { systemClock } from "../../lib/clock.ts";
import { keepEngineMemorySmall } from "../../lib/engine-memory.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { AddressError } from "../../server/http-server.ts";
import type { HomePaths } from "../../storage/home.ts";
import { HomeLockedError, holdHome } from "../../storage/home-lock.ts";
import { removeLeftovers } from "../backup/leftovers.ts";
import { CommandFailure } from "../command-failure.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { createRunningFailure } from "./entrance.ts";
import { greet } from "./greet.ts";
import { createPage } from "./page.ts";
import { startAnew } from "./start-anew.ts";

export async function serveGateway(
  options: GatewayOptions,
  paths: HomePaths,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { words, stderr } = terminal;
  const release = await holdGateway(paths, terminal);
  const memory = keepEngineMemorySmall();
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  ending.addEventListener("abort", () => stderr.write(`${words.gateway.draining}\n`), { once: true });
  let isAnew = false;
  let gateway: Gateway;
  const end = (restarts: boolean) => {
    isAnew ||= restarts;
    stopping.abort(new Error("asked to end"));
  };
  try {
    await removeLeftovers(paths.home);
    gateway = await open(options, paths, terminal, end);
    await greet(gateway, terminal);
    const { log } = gateway.app;
    // The work of one thing, forgotten by it: no reason to end all the others.
    const stay = (error: unknown) => log.error("background-failed", { name: "unknown", error });
    const before = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", stay);
    await gateway.run(ending).finally(() => {
      process.off("unhandledRejection", stay);
      for (const listener of before) process.on("unhandledRejection", listener);
    });
  } finally {
    memory[Symbol.dispose]();
    release();
  }
  if (!isAnew || signal.aborted) return 0;
  return startAnew(gateway.app.loaded.config.gateway.restartMode, process);
}

/** Only one gateway serves a home. */
async function holdGateway(paths: HomePaths, terminal: Terminal): Promise<() => void> {
  const options = { home: paths.home, clock: systemClock, name: "gateway-lock", patienceMs: 0 };
  try {
    return await holdHome(options, "gateway");
  } catch (error) {
    if (!(error instanceof HomeLockedError)) throw error;
    throw await createRunningFailure(paths.run, error.holder?.pid ?? 0, terminal);
  }
}

async function open(
  options: GatewayOptions,
  paths: HomePaths,
  terminal: Terminal,
  end: (restarts: boolean) => void,
): Promise<Gateway> {
  const { env, words, stderr, sideStyle } = terminal;
  const warn = (sentence: string) => void stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
  try {
    const built = await buildGateway({
      paths,
      env,
      words,
      ...(options.workspace !== undefined && { workspace: options.workspace }),
      ...(options.port !== undefined && { port: options.port }),
      ...(options.verbose === true && { echoLog: (line: string) => stderr.write(line) }),
      page: () => createPage(words),
      onStop: () => end(false),
      onRestart: () => end(true),
      onProblem: warn,
    });
    if (built.ok) return built.gateway;
    throw new CommandFailure(neutralise(built.problems.join("\n")));
  } catch (error) {
    if (error instanceof AddressError) throw new CommandFailure(error.message);
    throw error;
  }
}
