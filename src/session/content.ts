// The content of a stored message, whatever a file has in its place.

import { isRecord } from "../lib/is-record.ts";
import type { ContentPart } from "../llm/types.ts";

/** Text or parts as they are; anything else as text. */
export function toContent(value: unknown): string | ContentPart[] {
  return Array.isArray(value) ? value.map(toPart) : toText(value);
}

/** The text of a content: what is no text becomes a word about it. */
export function toText(value: unknown): string {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return typeof value === "object" ? JSON.stringify(value) : String(value);
  return value
    .map(toPart)
    .map((part) => (part.type === "text" ? part.text : describeImage(part.image_url.url)))
    .join("\n");
}

function toPart(value: unknown): ContentPart {
  if (!isRecord(value)) return { type: "text", text: toText(value) };
  if (typeof value.text === "string" && (value.type === "text" || value.type === undefined)) {
    return value.type === "text" && hasOnly(value, 2)
      ? (value as unknown as ContentPart)
      : { type: "text", text: value.text };
  }
  if (value.type === "image_url" && isRecord(value.image_url)) return toImagePart(value, value.image_url);
  return { type: "text", text: `[${typeof value.type === "string" ? value.type : "part"} left out]` };
}

function toImagePart(part: Record<string, unknown>, { url, detail }: Record<string, unknown>): ContentPart {
  if (typeof url !== "string" || !/^(data|https|file):/.test(url)) {
    return { type: "text", text: typeof url === "string" ? describeImage(url) : "[image left out]" };
  }
  if (hasOnly(part, 2) && detail === undefined && hasOnly(part.image_url as object, 1)) {
    return part as unknown as ContentPart;
  }
  return { type: "image_url", image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } };
}

function describeImage(url: string): string {
  return url.startsWith("data:") ? "[image left out]" : `[image: ${url}]`;
}

function hasOnly(value: object, count: number): boolean {
  return Object.keys(value).length === count;
}
