// `nanobot gateway` in the foreground: builds it, says where it is, and serves until it is told to end.
import { type Client, createHttpClient } from "../../api/client.ts";
import type { WebLink } from "../../api/gateway/gateway.ts";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import { buildGateway, type Gateway } from "../../app/build-gateway.ts";
import { LocalHomes } from "../../cluster/local-homes.ts";
import { UserError } from "../../i18n/user-error.ts";
import { say, type Words } from "../../i18n/words.ts";
import { systemClock } from "../../lib/clock.ts";
import { keepEngineMemorySmall } from "../../lib/process/engine-memory.ts";
import { nanobot } from "../../lib/program-command.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { GatewayConfig } from "../../server/config.ts";
import { AddressError } from "../../server/http/http-server.ts";
import { removeLeftovers } from "../../storage/backup-leftovers.ts";
import type { HomePaths } from "../../storage/home.ts";
import { HomeLockedError, holdHome } from "../../storage/home-lock.ts";
import type { GatewayOptions } from "../command-line/options.ts";
import type { Style } from "../draw/style.ts";
import { toScreen } from "../draw/text-width.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { CommandContext, Terminal } from "../terminal/terminal.ts";

export async function serveGateway(
  options: GatewayOptions,
  paths: HomePaths,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { words, stderr } = terminal;
  const release = await holdGateway(paths, terminal);
  const memory = keepEngineMemorySmall("many-turns");
  const stopping = new AbortController();
  const ending = AbortSignal.any([signal, stopping.signal]);
  ending.addEventListener("abort", () => stderr.write(`${words.gateway.draining}\n`), { once: true });
  let isRestarting = false;
  let gateway: Gateway;
  const end = (restarts: boolean) => {
    isRestarting ||= restarts;
    stopping.abort(new Error("asked to end"));
  };
  const warn = createWarn(terminal);
  const homes = new LocalHomes({
    ...{ paths, words, clock: systemClock, env: terminal.env, onProblem: warn },
  });
  try {
    await removeLeftovers(paths.home);
    gateway = await open({ ...options, homes, warn }, paths, terminal, end);
    const { host, publicUrl } = gateway.app.storage.loaded.config.gateway;
    await homes.begin({ host, url: gateway.address.url, ...(publicUrl && { publicUrl }) });
    await greet(gateway, terminal);
    const { log } = gateway.app.storage.environment;
    // The work of one thing, forgotten by it: no reason to end all the others.
    const stay = (error: unknown) => log.error("background-failed", { name: "unknown", error });
    const before = process.listeners("unhandledRejection");
    process.removeAllListeners("unhandledRejection").on("unhandledRejection", stay);
    await gateway.run(ending).finally(() => {
      process.off("unhandledRejection", stay);
      for (const listener of before) process.on("unhandledRejection", listener);
    });
  } finally {
    await homes.close();
    memory[Symbol.dispose]();
    release();
  }
  if (!isRestarting || signal.aborted) return 0;
  return restartProgram(gateway.app.storage.loaded.config.gateway.restartMode, process);
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

interface OpenOptions extends GatewayOptions {
  homes: LocalHomes;
  warn(sentence: string): void;
}

function createWarn({ stderr, sideStyle }: Terminal): (sentence: string) => void {
  return (sentence) => void stderr.write(`${sideStyle.warning(neutralise(sentence))}\n`);
}

async function open(
  { homes, warn, ...options }: OpenOptions,
  paths: HomePaths,
  terminal: Terminal,
  end: (restarts: boolean) => void,
): Promise<Gateway> {
  const { env, words, stderr, sideStyle } = terminal;
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
      homes,
      pass: (...asked) => homes.pass(...asked),
      ...(stderr.isTTY === true && {
        onLinkAsked: ({ urls: [url = ""] }: WebLink) =>
          void stderr.write(`${sideStyle.bold(words.web.asked(url))}\n${words.web.once}\n`),
      }),
    });
    if (built.ok) return built.gateway;
    throw new CommandFailure(neutralise(built.problems.join("\n")));
  } catch (error) {
    if (error instanceof AddressError) throw new CommandFailure(error.message);
    throw error;
  }
}

export interface EntranceOptions {
  words: Terminal["words"];
  style: Style;
  /** A link is only for eyes: what goes to a file or a journal stays there. */
  isSeen: boolean;
}

export async function describeEntrance(
  client: Client,
  { words: { web }, style, isSeen }: EntranceOptions,
): Promise<string> {
  if (!isSeen) return web.hint;
  const [url = ""] = (await client.call("web.link", {})).urls;
  return `${style.bold(web.link(url))}\n${web.once}`;
}

/** What a second start ends with: where the first is, and the way in. */
export async function createRunningFailure(
  runFolder: string,
  pid: number,
  { words, stderr, sideStyle }: Terminal,
): Promise<CommandFailure> {
  const address = await findGateway(runFolder);
  if (address === undefined) return new CommandFailure(words.gateway.isStarting(pid));
  const running = words.gateway.isRunning(address.pid, address.url);
  try {
    const entrance = await describeEntrance(createHttpClient(address), {
      words,
      style: sideStyle,
      isSeen: stderr.isTTY === true,
    });
    return new CommandFailure(`${running}\n${entrance}`);
  } catch (error) {
    // It is just ending, or busy.
    if (!(error instanceof UserError)) throw error;
    return new CommandFailure(`${running}\n${words.web.hint}`);
  }
}

export async function greet(
  { app, address, problems, warnings, client }: Gateway,
  { words, stderr, sideStyle }: Terminal,
): Promise<void> {
  const { gateway } = words;
  const write = (text: string) => void stderr.write(`${toScreen(text, stderr)}\n`);
  const model = app.models.usual;
  const sentences = problems.map(({ phrase }) => say(phrase, words));
  for (const sentence of [...warnings, ...sentences]) write(sideStyle.warning(neutralise(sentence)));
  write(sideStyle.bold(gateway.listening(address.url)));
  const entrance = { words, style: sideStyle, isSeen: stderr.isTTY === true };
  write(await describeEntrance(client, entrance));
  write(
    model.isOffline
      ? words.terminal.noModel(`${nanobot} onboard`)
      : neutralise(gateway.model(model.settings.model, model.host, say(model.why, words))),
  );
  const { channels } = await client.call("gateway.status", {});
  const names = channels.map(({ name }) => name).join(", ");
  write(names === "" ? gateway.noChannels : gateway.channels(names));
  write(sideStyle.quiet(gateway.stopHint));
}

function createPage({ gateway: { page } }: Words): string {
  return `<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
<style>
body { font: 16px/1.6 system-ui, sans-serif; max-width: 36rem; margin: 4rem auto; padding: 0 1rem; color-scheme: light dark; }
code { font-size: 0.95em; }
</style>
</head>
<body>
<h1>${page.title}</h1>
<p>${page.text.replaceAll(/`([^`]+)`/g, "<code>$1</code>")}</p>
<p><a href="/health">${page.health}</a></p>
</body>
</html>
`;
}

/** For a supervisor: this is no failure, start me again (EX_TEMPFAIL). */
const restartCode = 75;

/** Returns the exit code where the process does not simply go on as another program. */
export function restartProgram(mode: GatewayConfig["restartMode"], process: NodeJS.Process): number {
  if (mode === "exit") return restartCode;
  const { execPath, execArgv, argv, env } = process;
  const line = [...execArgv, ...argv.slice(1)];
  if (mode !== "spawn" && typeof process.execve === "function")
    process.execve(execPath, [execPath, ...line], env);
  const { spawn } = globalThis.process.getBuiltinModule("node:child_process");
  spawn(execPath, line, { detached: true, stdio: "inherit", env }).unref();
  return 0;
}
