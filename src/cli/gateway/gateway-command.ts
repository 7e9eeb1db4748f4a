// `nanobot gateway`: the program that runs all the time, in the foreground or in the background, with its status and
// logs.

import { createHttpClient, type GatewayAddress } from "../../api/client.ts";
import type { GatewayStatus } from "../../api/gateway/gateway.ts";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { neutralise, revealLine } from "../../lib/visible-text.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import { LogTail } from "../../storage/log-tail.ts";
import type { GatewayOptions } from "../command-line/options.ts";
import { printReport } from "../terminal/report.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";
import { startInBackground, stopGateway } from "./background.ts";
import { installService, uninstallService } from "./install-service.ts";
import { serveGateway } from "./serve-gateway.ts";

export async function runGateway(options: GatewayOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  switch (options.action) {
    case "run":
      return serveGateway(options, paths, context);
    case "start":
      return startInBackground(options, paths, terminal);
    case "stop":
      return stopGateway(options, paths, terminal);
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

async function showStatus(options: GatewayOptions, paths: HomePaths, terminal: Terminal): Promise<number> {
  const { words } = terminal;
  const address = await findGateway(paths.run);
  if (address === undefined) {
    const text = say(phrase("gateway.not-running"), words);
    return printReport({ json: { isRunning: false }, text, code: 1 }, options, terminal);
  }
  const status = await createHttpClient(address).call("gateway.status", {});
  const sandbox = revealLine(say(status.sandbox, words));
  const json = { isRunning: true, url: address.url, ...status, sandbox, ...tellTroubles(status, words) };
  return printReport({ json, text: describeStatus(status, address, words) }, options, terminal);
}

export function describeStatus(
  status: GatewayStatus,
  { url }: GatewayAddress,
  words: Terminal["words"],
): string {
  const { pid, startedAt, channels, activeTurns, waiting } = status;
  const { gateway } = words;
  const since = (ms: number) => gateway.since(new Date(ms).toLocaleString());
  return [
    `${gateway.status.gateway}: ${url} (${gateway.process(pid)}, ${since(startedAt)})`,
    ...channels.map(({ name, state, since: at, error }) => {
      const reason = error === undefined ? "" : `: ${revealLine(say(error, words))}`;
      return `${gateway.status.channel} ${name}: ${gateway.state[state]}, ${since(at)}${reason}`;
    }),
    ...tellAll(status, words).map(revealLine),
    `${words.sandbox.title}: ${revealLine(say(status.sandbox, words))}`,
    `${gateway.status.turns}: ${activeTurns}`,
    `${gateway.status.waiting}: ${waiting}`,
  ].join("\n");
}

/** As 0.1.0 reported them: as sentences. */
function tellTroubles(status: GatewayStatus, words: Terminal["words"]) {
  const channels = status.channels.map(({ error, ...channel }) => ({
    ...channel,
    ...(error && { error: say(error, words) }),
  }));
  return { channels, problems: tellAll(status, words) };
}

function tellAll({ problems }: GatewayStatus, words: Terminal["words"]): string[] {
  return problems.map((problem) => say(problem.phrase, words));
}

const lookEveryMs = 300;

async function showLogs(
  paths: HomePaths,
  { follow, tail: most = 200, json }: GatewayOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { stdout, stderr, words } = terminal;
  const tail = new LogTail(paths);
  const lines = await tail.readEnd(most);
  if (json === true) {
    stdout.write(`[${lines.filter(isJson).join(",")}]\n`);
    return 0;
  }
  const print = (some: string[]) => stdout.write(some.map((line) => `${neutralise(line)}\n`).join(""));
  if (lines.length === 0) stderr.write(`${words.gateway.noLog(tail.path)}\n`);
  print(lines);
  while (follow === true && !signal.aborted) {
    await systemClock.sleep(lookEveryMs, signal).catch(() => {});
    print(await tail.readAdded());
  }
  return 0;
}

/** A line that a crash cut off is none. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
