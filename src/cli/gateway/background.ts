// `nanobot gateway start` and `stop`: the gateway as a process in the background, with its output in a file.
import { spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { createHttpClient } from "../../api/client.ts";
import { findGateway } from "../../api/gateway/gateway-file.ts";
import { fail } from "../../i18n/user-error.ts";
import { systemClock } from "../../lib/clock.ts";
import { packagePath } from "../../lib/package-root.ts";
import { allocatorSettings } from "../../lib/process/engine-memory.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { GatewayOptions } from "../command-line/options.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { createRunningFailure, describeEntrance } from "./serve-gateway.ts";

const startMs = 30_000;
const stopMs = 70_000;

export async function startInBackground(
  options: GatewayOptions,
  paths: HomePaths,
  terminal: Terminal,
): Promise<number> {
  const { words, stdout, style, env } = terminal;
  const running = await findGateway(paths.run);
  if (running !== undefined) throw await createRunningFailure(paths.run, running.pid, terminal);
  const { gatewayOutput: log } = paths;
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
    env: { ...allocatorSettings, ...env },
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
  const way = await describeEntrance(createHttpClient(address), entrance);
  stdout.write(`${words.gateway.started(pid, url)}\n${way}\n`);
  return 0;
}

/** Looks again and again, until something is found, the patience or what is waited for is over. */
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
    const value = await look();
    if (value !== undefined) return value;
    await systemClock.sleep(100);
  }
  return undefined;
}

export async function stopGateway(
  { json }: GatewayOptions,
  paths: HomePaths,
  { words, stdout }: Terminal,
): Promise<number> {
  const address = await findGateway(paths.run);
  if (address === undefined) throw fail("gateway.not-running");
  await createHttpClient(address).call("gateway.stop", {});
  const gone = await waitFor(
    async () => ((await findGateway(paths.run)) === undefined ? true : undefined),
    stopMs,
  );
  if (gone === undefined) throw new CommandFailure(words.gateway.notStopped(address.pid));
  stdout.write(json === true ? '{"isRunning":false}\n' : `${words.gateway.stopped}\n`);
  return 0;
}
