// Stored messages as people see them: without what was added for the model, long results cut, files as addresses.
import { basename, isAbsolute } from "node:path";
import { fileURLToPath } from "node:url";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { runtimeContextTag, stripAddedBlocks } from "../../lib/runtime-block.ts";
import { takeHead } from "../../lib/text.ts";
import { scheduledMark } from "../../schedule/scheduled-message.ts";
import type { Attachment, Entry } from "../../server/protocol/chat.ts";
import type { KeptTurn } from "../../server/shown-log.ts";
import type { StoredMessage } from "../../session/message.ts";

/** A file that a message has with it. `isGiven`: its place is ours, not something that somebody wrote. */
export interface FileReference {
  path: string;
  isGiven: boolean;
}

export interface EntryParts {
  sessionKey: string;
  /** What turns took, by their ids. */
  turns: ReadonlyMap<string, KeptTurn>;
}

const longestResult = 8_000;
const imageName = /\.(png|jpe?g|gif|webp)$/i;
const attachmentLine = /^\[Attachment: (.+) \([^)]*\)\]$/;
const machineMarks = [scheduledMark, "[Heartbeat]\n", '[Subagent "'];
const recalledLine = /^- (\d{4}-\d\d-\d\d), [^:]+: (.*) \((\S+@\d+)\)$/;

/** Undefined for what only the model sees. */
export function toEntry(message: StoredMessage, parts: EntryParts): Entry | undefined {
  const { id, turn, at, role } = message;
  // Prompts that the runner gave: to go on, to say it again.
  const isPrompt = role === "user" && id.startsWith(`${turn}.`);
  if (isPrompt || message._command === true) return undefined;
  const files = findFiles(message);
  const attachments = toAttachments(
    parts.sessionKey,
    id,
    files.map(({ path }) => path),
  );
  const place = { id, turn, at, ...(attachments && { attachments }) };
  if (role === "user") return { ...place, role, ...toUserFields(message) };
  if (role === "tool") return { ...place, role, ...toResultFields(message, parts) };
  if (role === "assistant") return { ...place, role, ...toReplyFields(message, parts) };
  return undefined;
}

/** All of what a message says to people. */
export function toWholeText(message: StoredMessage): string {
  const text = joinText(message);
  if (message.role !== "user") return text;
  const lines = stripAddedBlocks(text).split("\n");
  return lines
    .filter((line) => !attachmentLine.test(line))
    .join("\n")
    .trim();
}

function toUserFields(message: StoredMessage): Pick<Entry, "text" | "isSystem" | "recalled"> {
  const text = toWholeText(message);
  const recalled = findRecalled(joinText(message));
  const isSystem = machineMarks.some((mark) => text.startsWith(mark));
  return { text, ...(isSystem && { isSystem }), ...(recalled.length > 0 && { recalled }) };
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
  { turns }: EntryParts,
): Pick<Entry, "text" | "reasoning" | "calls" | "cost"> {
  const calls = (message.tool_calls ?? []).map((call) => {
    const given = parseJson(call.function.arguments);
    return { id: call.id, name: call.function.name, arguments: isRecord(given) ? given : {} };
  });
  const reasoning = message.reasoning_content ?? joinThinking(message.thinking_blocks);
  const cost = message.latency_ms === undefined ? undefined : turns.get(message.turn)?.cost;
  return {
    text: joinText(message),
    ...(reasoning !== "" && { reasoning }),
    ...(calls.length > 0 && { calls }),
    ...(cost && { cost }),
  };
}

function joinThinking(blocks: unknown): string {
  if (!Array.isArray(blocks)) return "";
  return blocks.flatMap((block) => (isRecord(block) ? [String(block.thinking ?? "")] : [])).join("\n");
}

function joinText({ content }: StoredMessage): string {
  if (typeof content === "string") return content;
  return (content ?? []).flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
}

export function findFiles(message: StoredMessage): FileReference[] {
  const { content } = message;
  const images = (typeof content === "string" ? [] : (content ?? []))
    .flatMap((part) => (part.type === "image_url" ? toPath(part.image_url.url) : []))
    .map((path) => ({ path, isGiven: true }));
  if (message.role !== "user") return images;
  const lines = stripAddedBlocks(joinText(message)).split("\n");
  const named = lines.flatMap((line) => {
    const path = attachmentLine.exec(line)?.[1];
    return path !== undefined && isAbsolute(path) ? [{ path, isGiven: false }] : [];
  });
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

function findRecalled(text: string): NonNullable<Entry["recalled"]> {
  const start = text.lastIndexOf(runtimeContextTag);
  const lines = start < 0 ? [] : text.slice(start).split("\n");
  return lines.flatMap((line) => {
    const [, day, said, reference] = recalledLine.exec(line) ?? [];
    if (day === undefined || said === undefined || reference === undefined) return [];
    return [{ reference, at: Date.parse(`${day}T00:00:00`), text: said }];
  });
}
