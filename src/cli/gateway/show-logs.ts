// `nanobot gateway logs`: the end of the log, and what is added to it.
import { join } from "node:path";
import { LogTail } from "../../api/logs/log-tail.ts";
import { systemClock } from "../../lib/clock.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { CommandContext } from "../terminal.ts";

const lookEveryMs = 300;

export async function showLogs(
  { logs }: HomePaths,
  { follow, tail: most = 200, json }: GatewayOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { stdout, stderr, words } = terminal;
  const tail = new LogTail(join(logs, "nanobot.log"));
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
