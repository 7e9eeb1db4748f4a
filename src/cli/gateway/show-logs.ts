// `nanobot gateway logs`: the end of the log, and what is added to it.
import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import type { HomePaths } from "../../config/home.ts";
import { systemClock } from "../../lib/clock.ts";
import { ignoreMissing } from "../../lib/plain-file.ts";
import { neutralise } from "../../lib/visible-text.ts";
import type { GatewayOptions } from "../gateway-lines.ts";
import type { CommandContext } from "../terminal.ts";

const tailBytes = 256 * 1024;
const lookEveryMs = 300;

export async function showLogs(
  { logs }: HomePaths,
  { follow, tail = 200, json }: GatewayOptions,
  { terminal, signal }: CommandContext,
): Promise<number> {
  const { stdout, stderr, words } = terminal;
  const path = join(logs, "nanobot.log");
  const size = (await stat(path).catch(ignoreMissing))?.size ?? 0;
  const end = await readFrom(path, Math.max(0, size - tailBytes));
  const lines = end
    .toString("utf8")
    .split("\n")
    .slice(-tail - 1);
  if (json === true) {
    stdout.write(`[${lines.filter(isJson).join(",")}]\n`);
    return 0;
  }
  if (size === 0) stderr.write(`${words.gateway.noLog(path)}\n`);
  stdout.write(neutralise(lines.join("\n")));
  for (let position = size; follow === true && !signal.aborted; ) {
    await systemClock.sleep(lookEveryMs, signal).catch(() => {});
    const now = (await stat(path).catch(ignoreMissing))?.size ?? 0;
    // A shorter file is another one: the log was rotated.
    if (now < position) position = 0;
    const added = await readFrom(path, position);
    position += added.length;
    stdout.write(neutralise(added.toString("utf8")));
  }
  return 0;
}

/** A line that a crash cut off, or that the beginning of what was read has cut, is none. */
function isJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

async function readFrom(path: string, position: number): Promise<Buffer> {
  const file = await open(path).catch(ignoreMissing);
  if (file === undefined) return Buffer.alloc(0);
  try {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.max(0, size - position));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, position);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}
