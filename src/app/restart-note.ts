// run/restart.json: who asked for a new start of the gateway, so that the new one can say that it is back.
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Origin, OutboundPart } from "../bus/types.ts";
import { writeFileAtomic } from "../lib/atomic-file.ts";
import { isRecord } from "../lib/is-record.ts";
import { ignoreMissing } from "../lib/plain-file.ts";
import type { Words } from "../words/words.ts";

/** Whoever waits longer than this has found out otherwise. */
const longestMs = 10 * 60_000;

export async function noteRestart(runFolder: string, origin: Origin, now: number): Promise<void> {
  const { channel, chatId } = origin;
  await writeFileAtomic(join(runFolder, "restart.json"), JSON.stringify({ at: now, channel, chatId }), {
    mode: 0o600,
  });
}

/** What the new gateway has to say, once. */
export async function takeRestart(
  runFolder: string,
  { now, words }: { now: number; words: Words },
): Promise<OutboundPart[]> {
  const path = join(runFolder, "restart.json");
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  if (text === undefined) return [];
  await rm(path, { force: true });
  const note = parse(text);
  if (note === undefined || now - note.at > longestMs) return [];
  const { at, channel, chatId } = note;
  const id = `restart:${at}`;
  return [
    {
      id,
      channel,
      chatId,
      sessionKey: `${channel}:${chatId}`,
      turnId: id,
      text: words.answers.restart.done(((now - at) / 1000).toFixed(1)),
      media: [],
      kind: "notice",
      wasStreamed: false,
    },
  ];
}

function parse(text: string): { at: number; channel: string; chatId: string } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { at, channel, chatId } = value;
    if (typeof at !== "number" || typeof channel !== "string" || typeof chatId !== "string") return undefined;
    return { at, channel, chatId };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
