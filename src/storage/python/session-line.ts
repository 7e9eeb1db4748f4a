// A message line of the Python original: what it keeps next to the text is put where ours have it, in memory only.
import { type toContent, toText } from "../sessions/format/content.ts";

/** Every line of ours names its turn, also of 0.1.0. */
export function isPythonLine(record: Record<string, unknown>): boolean {
  return typeof record.turn !== "string";
}

/** Changes the record, whose content is right already. */
export function completePythonLine(record: Record<string, unknown>): void {
  if (record.role === "tool") addLabels(record);
  if (record.role === "user") addPictureLines(record);
}

/** The original does not say where a result came from: its tools do. */
function addLabels(record: Record<string, unknown>): void {
  const kind = /^(web|mcp)_/.exec(String(record.name))?.[1];
  if (kind !== undefined && record.labels === undefined) record.labels = [kind];
}

/** The original keeps attachments next to the text; the model is told of those whose picture is not sent again. */
function addPictureLines(record: Record<string, unknown>): void {
  if (!Array.isArray(record.media)) return;
  const content = record.content as ReturnType<typeof toContent>;
  if (typeof content !== "string" && content.some((part) => part.type === "image_url")) return;
  const text = toText(content);
  const lines = record.media
    .filter((path) => typeof path === "string" && path !== "")
    .map(toPictureLine)
    .filter((line) => !text.includes(line));
  record.content = [text, ...lines].filter((line) => line !== "").join("\n");
}

function toPictureLine(path: string): string {
  return `[image: ${path}]`;
}

/** Undefined for every other line of a text. */
export function readPictureLine(line: string): string | undefined {
  return /^\[image: (.+)\]$/.exec(line)?.[1];
}
