// `nanobot gateway`: the program that runs all the time, in the foreground or in the background, and looking after it.
import { createHttpClient, type GatewayAddress } from "../../api/client.ts";
import type { GatewayStatus } from "../../api/gateway/gateway.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { say } from "../../i18n/words.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { findGateway } from "../../server/gateway-file.ts";
import { type HomePaths, resolveHome } from "../../storage/home.ts";
import { CommandFailure } from "../command-failure.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { CommandContext, Terminal } from "../terminal.ts";
import { startInBackground, waitFor } from "./background.ts";
import { installService, uninstallService } from "./install-service.ts";
import { serveGateway } from "./serve-gateway.ts";
import { showLogs } from "./show-logs.ts";

const stopMs = 70_000;

export async function runGateway(options: GatewayOptions, context: CommandContext): Promise<number> {
  const { terminal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  switch (options.action) {
    case "run":
      return serveGateway(options, paths, context);
    case "start":
      return startInBackground(options, paths, terminal);
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

async function stop(
  { json }: GatewayOptions,
  paths: HomePaths,
  { words, stdout }: Terminal,
): Promise<number> {
  const address = await findOrFail(paths);
  await createHttpClient(address).call("gateway.stop", {});
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
    stdout.write(
      options.json === true ? '{"isRunning":false}\n' : `${say(phrase("gateway.not-running"), words)}\n`,
    );
    return 1;
  }
  const status = await createHttpClient(address).call("gateway.status", {});
  const text =
    options.json === true
      ? JSON.stringify({ isRunning: true, url: address.url, ...status, ...tellTroubles(status, words) })
      : describeStatus(status, address, words);
  stdout.write(`${text}\n`);
  return 0;
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

async function findOrFail(paths: HomePaths): Promise<GatewayAddress> {
  const address = await findGateway(paths.run);
  if (address === undefined) throw fail("gateway.not-running");
  return address;
}
