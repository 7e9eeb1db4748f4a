// Stored messages as people see them: without what was added for the model, long results cut, files as addresses.
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import type { DueTask } from "../../bus/types.ts";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { takeHead } from "../../lib/text.ts";
import { type EntryFacts, joinText, readEntry } from "../../storage/sessions/format/entry-facts.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";
import type { KeptTask, KeptTurn } from "./shown-log.ts";
import type { Attachment, Entry, ShownTask } from "./wire.ts";

/** A file that a message has with it. `isGiven`: the path is ours, not written by a user. */
export interface FileReference {
  path: string;
  isGiven: boolean;
}

export interface EntryParts {
  sessionKey: string;
  /** What turns took, by their ids. */
  turns: ReadonlyMap<string, KeptTurn>;
  /** How reminders were settled, by their turns. */
  tasks?: ReadonlyMap<string, KeptTask>;
}

const longestResult = 8_000;
const imageName = /\.(png|jpe?g|gif|webp)$/i;

/** Undefined for what only the model sees. */
export function toEntry(message: StoredMessage, parts: EntryParts): Entry | undefined {
  const { id, turn, at, role } = message;
  const facts = readEntry(message);
  // Prompts that the runner gave: to go on, to say it again.
  if (facts.kind === "prompt" || message._command === true) return undefined;
  const files = findFiles(message, facts);
  const attachments = toAttachments(
    parts.sessionKey,
    id,
    files.map(({ path }) => path),
  );
  const place = { id, turn, at, ...(attachments && { attachments }) };
  if (role === "user") return { ...place, role, ...toUserFields(facts, parts.tasks?.get(turn)) };
  if (role === "tool") return { ...place, role, ...toResultFields(message, parts) };
  if (role === "assistant") return { ...place, role, ...toReplyFields(message, facts, parts) };
  return undefined;
}

/** All of what a message says to people. */
export function toWholeText(message: StoredMessage): string {
  return message.role === "user" ? readEntry(message).text : joinText(message);
}

function toUserFields(
  { kind, text, recalled, task, isGoal }: EntryFacts,
  settled: KeptTask | undefined,
): Pick<Entry, "text" | "isSystem" | "recalled" | "task" | "isGoal"> {
  const isSystem = kind !== "user";
  return {
    text,
    ...(isSystem && { isSystem }),
    ...(isGoal && { isGoal }),
    ...(task && { task: withState(task, settled) }),
    ...(recalled.length > 0 && { recalled }),
  };
}

export function withState(task: DueTask, settled: KeptTask | undefined): ShownTask {
  if (settled === undefined) return task;
  const { state, until } = settled;
  return { ...task, state, ...(until !== undefined && { until }) };
}

function toResultFields(
  message: StoredMessage,
  { turns }: EntryParts,
): Pick<Entry, "text" | "isCut" | "callId" | "isError" | "ms"> {
  const whole = joinText(message);
  const callId = String(message.tool_call_id);
  const isCut = whole.length > longestResult;
  const text = isCut ? takeHead(whole, longestResult) : whole;
  return { text, callId, ...(isCut && { isCut }), ...turns.get(message.turn)?.calls[callId] };
}

function toReplyFields(
  message: StoredMessage & { role: "assistant" },
  { isFinal, usage }: EntryFacts,
  { turns }: EntryParts,
): Pick<Entry, "text" | "isFailed" | "reasoning" | "calls" | "usage" | "cost"> {
  const calls = (message.tool_calls ?? []).map((call) => {
    const args = parseJson(call.function.arguments);
    return { id: call.id, name: call.function.name, arguments: isRecord(args) ? args : {} };
  });
  const reasoning = message.reasoning_content ?? joinThinking(message.thinking_blocks);
  const cost = isFinal ? turns.get(message.turn)?.cost : undefined;
  // What its line says in place of a reply is for the model.
  const isFailed = message._failed === true;
  return {
    text: isFailed ? "" : joinText(message),
    ...(isFailed && { isFailed }),
    ...(reasoning !== "" && { reasoning }),
    ...(calls.length > 0 && { calls }),
    ...(usage && { usage }),
    ...(cost && { cost }),
  };
}

function joinThinking(blocks: unknown): string {
  if (!Array.isArray(blocks)) return "";
  return blocks.flatMap((block) => (isRecord(block) ? [String(block.thinking ?? "")] : [])).join("\n");
}

export function findFiles(message: StoredMessage, { attachments } = readEntry(message)): FileReference[] {
  const { content } = message;
  const images = (typeof content === "string" ? [] : (content ?? []))
    .flatMap((part) => (part.type === "image_url" ? toPath(part.image_url.url) : []))
    .map((path) => ({ path, isGiven: true }));
  const named = attachments.filter((path) => isAbsolute(path)).map((path) => ({ path, isGiven: false }));
  return [...images, ...named];
}

function toPath(url: string): string[] {
  try {
    return url.startsWith("file:") ? [fileURLToPath(url)] : [];
  } catch (error) {
    // Of another machine, or with a slash that is none.
    if (String((error as NodeJS.ErrnoException).code).startsWith("ERR_INVALID")) return [];
    throw error;
  }
}

/** The order of addresses: a stored message has its pictures apart, whatever the order in which files were given. */
export function picturesFirst(a: string, b: string): number {
  return Number(imageName.test(b)) - Number(imageName.test(a));
}

/** Without what was put before it here, and without characters that turn a name around. */
export function toShownName(path: string): string {
  return basename(path)
    .replace(/^[\da-zA-Z-]{8,64}__/, "")
    .replaceAll(/\p{C}/gu, "_");
}

export function toAttachments(
  sessionKey: string,
  id: string,
  media: readonly string[],
): Attachment[] | undefined {
  if (media.length === 0) return undefined;
  const place = `/api/media/${Buffer.from(sessionKey).toString("base64url")}/${encodeURIComponent(id)}`;
  return media.toSorted(picturesFirst).map((path, index) => ({
    name: toShownName(path),
    url: `${place}/${index}`,
    isImage: imageName.test(path),
  }));
}
