// The paths in a message's line: in the file relative to the home, in memory absolute. Text that a model was shown is never
// changed, also where it names a path. The `media` of the Python original's lines are absolute, as it needs them.
import { isRecord } from "../../../lib/is-record.ts";
import { fromStored, fromStoredUrl, mapPaths, toStored, toStoredUrl } from "../../stored-path.ts";
import type { NewEntry } from "./message.ts";

export function toStoredEntry(home: string, { message, extra, ...entry }: NewEntry): NewEntry {
  const { content } = message;
  const stored = !Array.isArray(content)
    ? message
    : { ...message, content: mapImages(content, (url) => toStoredUrl(home, url)) };
  const attachments = mapPaths(extra?.attachments, (path) => toStored(home, path));
  const kept = attachments === undefined ? extra : { ...extra, attachments };
  return { ...entry, message: stored as NewEntry["message"], ...(kept && { extra: kept }) };
}

/** Changes the fields, which must be fresh ones. */
export function restorePaths(home: string, fields: Record<string, unknown>): void {
  const { content, attachments } = fields;
  if (Array.isArray(content)) fields.content = mapImages(content, (url) => fromStoredUrl(home, url));
  if (attachments !== undefined) fields.attachments = mapPaths(attachments, (path) => fromStored(home, path));
}

function mapImages(parts: readonly unknown[], change: (url: string) => string): unknown[] {
  return parts.map((part) => {
    if (!isRecord(part) || !isRecord(part.image_url) || typeof part.image_url.url !== "string") return part;
    const url = change(part.image_url.url);
    return url === part.image_url.url ? part : { ...part, image_url: { ...part.image_url, url } };
  });
}
