// The beginning of a conversation as a conversation of its own: for branches, and for taking back what was said. A session
// file is only ever appended to, so its lines before a message are exactly what it was before that message.
import { join } from "node:path";
import { writeFileAtomic } from "../../lib/atomic-file.ts";
import type { HomeLock } from "../../lib/home-lock.ts";
import { type Line, scanLines } from "../../lib/scan-lines.ts";
import { withFile } from "../../lib/with-file.ts";
import { WishError } from "../../server/methods.ts";
import { formatMetadata, parseLine } from "../../session/line.ts";
import type { SessionMetadata } from "../../session/message.ts";
import type { Session } from "../../session/session.ts";
import { toFileName, toStem } from "../../session/session-name.ts";
import type { SessionStore } from "../../session/store.ts";
import { toWholeText } from "./entry-view.ts";

export interface BranchParts {
  sessions: SessionStore;
  lock: HomeLock;
}

const longestLine = 64 * 1024 * 1024;
/** What belongs to one conversation and is not inherited by its branches: rights, above all. */
const ownKeys = ["title", "title_user_edited", "pinned", "archived", "trustedUntil", "subagent"];
/** What the person has chosen since, and what must not come back with an older state. */
const lastingKeys = [...ownKeys, "scope", "_nanobot_model_preset"];

/** Under another key; `before` is the id of the message that is not taken along, absent: all of it is. */
export async function branchSession(
  { sessions, lock }: BranchParts,
  session: Session,
  { key, before }: { key: string; before?: string },
): Promise<string> {
  const cut = findCut(session, before);
  const release = await lock.acquire(`session ${key}`);
  try {
    await copyLines(session.path, join(sessions.folder, toFileName(toStem(key))), {
      key,
      most: cut.position,
    });
    await (await sessions.open(key)).updateMetadata(
      Object.fromEntries(ownKeys.map((own) => [own, undefined])),
    );
  } finally {
    release();
  }
  return cut.text;
}

/** The whole of it is kept under another name, as `/new` does. */
export async function rewindSession(
  { sessions, lock }: BranchParts,
  session: Session,
  entryId: string,
): Promise<string> {
  const { key } = session;
  const cut = findCut(session, entryId);
  const lasting: SessionMetadata = Object.fromEntries(lastingKeys.map((own) => [own, session.metadata[own]]));
  const release = await lock.acquire(`session ${key}`);
  try {
    const { path } = session;
    const closed = await sessions.close(key);
    if (closed !== undefined) await copyLines(closed, path, { key, most: cut.position });
    await (await sessions.open(key)).updateMetadata(lasting, { sync: true });
  } finally {
    release();
  }
  return cut.text;
}

function findCut({ messages }: Session, before: string | undefined): { position: number; text: string } {
  if (before === undefined) return { position: messages.length, text: "" };
  const position = messages.findIndex(({ id }) => id === before);
  const message = messages[position];
  // In the middle of a turn there is nothing that a model could go on from.
  if (message?.role !== "user" || message.turn !== message.id)
    throw new WishError("That is no message that a turn began with. Choose one of those.");
  return { position, text: toWholeText(message) };
}

async function copyLines(
  source: string,
  target: string,
  { key, most }: { key: string; most: number },
): Promise<void> {
  const lines: string[] = [];
  let messages = 0;
  const take = ({ bytes }: Line): boolean => {
    const text = bytes?.toString("utf8") ?? "";
    const line = text === "" ? undefined : parseLine(text);
    if (line?.type === "message") messages += 1;
    if (messages > most) return false;
    if (line?.type === "metadata") lines.push(line.key === key ? text : formatMetadata({ ...line, key }));
    else if (line !== undefined) lines.push(text);
    return true;
  };
  await withFile(source, "r", (file) => scanLines(file, { limit: longestLine }, take));
  await writeFileAtomic(target, lines.map((line) => `${line}\n`).join(""), { mode: 0o600 });
}
