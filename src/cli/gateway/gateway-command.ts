// `nanobot gateway`: the program that runs all the time, in the foreground or in the background, and looking after it.
import { spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type HomePaths, resolveHome } from "../../config/home.ts";
import { systemClock } from "../../lib/clock.ts";
import { packagePath } from "../../lib/package-root.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import { createControlClient, type GatewayAddress, type GatewayStatus } from "../../server/control.ts";
import { findGateway } from "../../server/gateway-file.ts";
import { CommandFailure } from "../command-failure.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { createRunningFailure, describeEntrance } from "./entrance.ts";
import { installService, uninstallService } from "./install-service.ts";
import { serveGateway } from "./serve-gateway.ts";
import { showLogs } from "./show-logs.ts";

const startMs = 30_000;
const stopMs = 70_000;

export async function runGateway(options: GatewayOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  switch (options.action) {
    case "run":
      return serveGateway(options, paths, context);
    case "start":
      return start(options, paths, terminal);
    case "stop":
      return stop(options, paths, terminal);
    case "status":
      return showStatus(options, paths, terminal);
    case "logs":
      return showLogs(paths, options, context);
    case "install-service":
      return installService(options, paths, terminal);
    case "uninstall-service":
      return uninstallService(terminal);
  }
}

/** In the background, with its words in a file. */
async function start(options: GatewayOptions, paths: HomePaths, terminal: Terminal): Promise<number> {
  const { words, stdout, style, env } = terminal;
  const running = await findGateway(paths.run);
  if (running !== undefined) throw await createRunningFailure(running, running.pid, terminal);
  const log = join(paths.logs, "gateway.out");
  mkdirSync(paths.logs, { recursive: true, mode: 0o700 });
  const output = openSync(log, "a", 0o600);
  const flags = [
    ...(options.config === undefined ? [] : ["--config", options.config]),
    ...(options.workspace === undefined ? [] : ["--workspace", options.workspace]),
    ...(options.port === undefined ? [] : ["--port", String(options.port)]),
  ];
  const child = spawn(process.execPath, [packagePath("bin", "nanobot.mjs"), "gateway", ...flags], {
    detached: true,
    stdio: ["ignore", output, output],
    env,
  });
  const { size } = fstatSync(output);
  closeSync(output);
  child.unref();
  const isOver = Promise.withResolvers<"exit">();
  child.once("exit", () => isOver.resolve("exit"));
  const address = await waitFor(() => findGateway(paths.run), startMs, isOver.promise);
  if (address === undefined) {
    const said = readFileSync(log).subarray(size).toString("utf8").trim();
    throw new CommandFailure([neutralise(said), words.gateway.notStarted(log)].join("\n").trim());
  }
  const { url, pid } = address;
  if (options.json === true) {
    stdout.write(`${JSON.stringify({ isRunning: true, url, pid })}\n`);
    return 0;
  }
  const entrance = { words, style, isSeen: stdout.isTTY === true };
  const way = await describeEntrance(createControlClient(address), entrance);
  stdout.write(`${words.gateway.started(pid, url)}\n${way}\n`);
  return 0;
}

async function stop(
  { json }: GatewayOptions,
  paths: HomePaths,
  { words, stdout }: Terminal,
): Promise<number> {
  const address = await findOrFail(paths, words);
  await createControlClient(address).stop({});
  const gone = await waitFor(
    async () => ((await findGateway(paths.run)) === undefined ? true : undefined),
    stopMs,
  );
  if (gone === undefined) throw new CommandFailure(words.gateway.notStopped(address.pid));
  stdout.write(json === true ? '{"isRunning":false}\n' : `${words.gateway.stopped}\n`);
  return 0;
}

async function showStatus(
  options: GatewayOptions,
  paths: HomePaths,
  { words, stdout }: Terminal,
): Promise<number> {
  const address = await findGateway(paths.run);
  if (address === undefined) {
    stdout.write(options.json === true ? '{"isRunning":false}\n' : `${words.gateway.notRunning}\n`);
    return 1;
  }
  const status = await createControlClient(address).status({});
  const text =
    options.json === true
      ? JSON.stringify({ isRunning: true, url: address.url, ...status })
      : describeStatus(status, address, words);
  stdout.write(`${text}\n`);
  return 0;
}

export function describeStatus(
  { pid, startedAt, channels, problems, activeTurns, waiting }: GatewayStatus,
  { url }: GatewayAddress,
  { gateway }: Terminal["words"],
): string {
  const since = (ms: number) => gateway.since(new Date(ms).toLocaleString());
  return [
    `${gateway.status.gateway}: ${url} (${gateway.process(pid)}, ${since(startedAt)})`,
    ...channels.map(({ name, state, since: at, error }) => {
      const reason = error === undefined ? "" : `: ${revealLine(error)}`;
      return `${gateway.status.channel} ${name}: ${gateway.state[state]}, ${since(at)}${reason}`;
    }),
    ...problems.map(revealLine),
    `${gateway.status.turns}: ${activeTurns}`,
    `${gateway.status.waiting}: ${waiting}`,
  ].join("\n");
}

async function findOrFail(paths: HomePaths, words: Terminal["words"]): Promise<GatewayAddress> {
  const address = await findGateway(paths.run);
  if (address === undefined) throw new CommandFailure(words.gateway.notRunning);
  return address;
}

async function waitFor<T>(
  look: () => Promise<T | undefined>,
  patienceMs: number,
  isOver: Promise<unknown> = new Promise(() => {}),
): Promise<T | undefined> {
  let isEnded = false;
  void isOver.then(() => {
    isEnded = true;
  });
  for (const end = systemClock.elapsed() + patienceMs; systemClock.elapsed() < end && !isEnded; ) {
    const found = await look();
    if (found !== undefined) return found;
    await systemClock.sleep(100);
  }
  return undefined;
}
