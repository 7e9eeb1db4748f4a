// `nanobot gateway start`: the gateway as a process in the background, with its words in a file.
import { spawn } from "node:child_process";
import { closeSync, fstatSync, mkdirSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createHttpClient } from "../../api/client.ts";
import { systemClock } from "../../lib/clock.ts";
import { packagePath } from "../../lib/package-root.ts";
import { neutralise } from "../../lib/visible-text.ts";
import { findGateway } from "../../server/gateway-file.ts";
import type { HomePaths } from "../../storage/home.ts";
import { CommandFailure } from "../command-failure.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { Terminal } from "../terminal.ts";
import { createRunningFailure, describeEntrance } from "./entrance.ts";

const startMs = 30_000;

export async function startInBackground(
  options: GatewayOptions,
  paths: HomePaths,
  terminal: Terminal,
): Promise<number> {
  const { words, stdout, style, env } = terminal;
  const running = await findGateway(paths.run);
  if (running !== undefined) throw await createRunningFailure(paths.run, running.pid, terminal);
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
  const way = await describeEntrance(createHttpClient(address), entrance);
  stdout.write(`${words.gateway.started(pid, url)}\n${way}\n`);
  return 0;
}

/** Looks again and again, until something is found, the patience or what is waited for is over. */
export async function waitFor<T>(
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
