// run/restart.json: who asked for a new start of the gateway, so that the new one can say that it is back.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type ChatAddress, toSessionKey } from "../bus/session-key.ts";
import type { Origin, OutboundPart } from "../bus/types.ts";
import { type Language, speakTo, type Words } from "../i18n/words.ts";
import { isRecord } from "../lib/is-record.ts";
import { writeFileAtomic } from "../storage/files/atomic-file.ts";
import { removeFile } from "../storage/files/change-files.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";

/** A longer time was not spent on a restart: the clock was set, or nothing ran meanwhile. */
const longestMs = 10 * 60_000;

export async function noteRestart(runFolder: string, origin: Origin, now: number): Promise<void> {
  const { channel, chatId, thread, language } = origin;
  const note = JSON.stringify({ at: now, channel, chatId, thread, language });
  await writeFileAtomic(join(runFolder, "restart.json"), note, { mode: 0o600 });
}

/** What the new gateway has to say, once. */
export async function takeRestart(
  runFolder: string,
  { now, words }: { now: number; words: Words },
): Promise<OutboundPart[]> {
  const path = join(runFolder, "restart.json");
  const text = await readFile(path, "utf8").catch(ignoreMissing);
  if (text === undefined) return [];
  await removeFile(path);
  const note = parse(text);
  if (note === undefined) return [];
  const { at, language: _, ...address } = note;
  const { restart } = speakTo(note, words).answers;
  const ms = now - at;
  const id = `restart:${at}`;
  return [
    {
      id,
      ...address,
      sessionKey: toSessionKey(address),
      turnId: id,
      text: ms >= 0 && ms <= longestMs ? restart.done((ms / 1000).toFixed(1)) : restart.back,
      media: [],
      kind: "notice",
      wasStreamed: false,
    },
  ];
}

interface Note extends ChatAddress {
  at: number;
  language?: Language;
}

function parse(text: string): Note | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return undefined;
    const { at, channel, chatId, thread, language } = value;
    if (typeof at !== "number" || typeof channel !== "string" || typeof chatId !== "string") return undefined;
    const isKnown = language === "english" || language === "chinese";
    const place = { channel, chatId, ...(typeof thread === "string" && { thread }) };
    return { at, ...place, ...(isKnown && { language }) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
