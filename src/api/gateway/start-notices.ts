// What a gateway says once after its start: that it is back, or that it moved summaries to their owners.
import { type ChatAddress, toSessionKey } from "../../bus/session-key.ts";
import type { OutboundPart } from "../../bus/types.ts";
import { removeEmptyFolders } from "../../guards/sandbox/sandbox-places.ts";
import { phrase } from "../../i18n/phrase.ts";
import { say, speakTo, type Words } from "../../i18n/words.ts";
import { type SortParts, sortMemory } from "../../storage/documents/sort-memory.ts";
import type { HomePaths } from "../../storage/home.ts";
import type { DurableBus } from "../../storage/queues/durable-bus.ts";
import { takeRestart } from "../../storage/restart-note.ts";
import { isOwnerInChat } from "../jobs/system-tasks.ts";
import type { GatewayProblem } from "./gateway.ts";

/** A longer time was not spent on a restart: the clock was set, or nothing ran meanwhile. */
const longestRestartMs = 10 * 60_000;

export async function sayRestarted(
  paths: HomePaths,
  { now, words }: { now: number; words: Words },
): Promise<OutboundPart[]> {
  const note = await takeRestart(paths);
  if (note === undefined) return [];
  const { at, language: _, ...address } = note;
  const { restart } = speakTo(note, words).answers;
  const ms = now - at;
  const isTimeKnown = ms >= 0 && ms <= longestRestartMs;
  return [
    toNotice(`restart:${at}`, address, isTimeKnown ? restart.done((ms / 1000).toFixed(1)) : restart.back),
  ];
}

/** The owner is told once, in a chat if there is one; this gateway's status goes on saying it. */
export async function sortOut(
  parts: Omit<SortParts, "removeEmptyFolders"> & { words: Words },
  bus: DurableBus,
): Promise<GatewayProblem[]> {
  const count = await sortMemory({ ...parts, removeEmptyFolders });
  if (count === 0) return [];
  const problem = phrase("home.memory-sorted", { count });
  const origin = bus.findLastOrigin(isOwnerInChat);
  if (origin !== undefined) {
    const { channel, chatId } = origin;
    const text = say(problem, speakTo(origin, parts.words));
    await bus.publishOutbound([toNotice("memory-sorted", { channel, chatId }, text)]);
  }
  return [{ phrase: problem }];
}

function toNotice(id: string, address: ChatAddress, text: string): OutboundPart {
  const sessionKey = toSessionKey(address);
  return { id, ...address, sessionKey, turnId: id, text, media: [], kind: "notice", wasStreamed: false };
}
