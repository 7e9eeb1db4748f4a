// The content of a stored message, whatever a file has in its place.
import { isRecord } from "../../../lib/is-record.ts";
import type { ContentPart } from "../../../llm/types.ts";

/** Text or parts as they are; anything else as text. */
export function toContent(value: unknown): string | ContentPart[] {
  return Array.isArray(value) ? value.map(toPart) : toText(value);
}

/** The text of a content; anything else becomes a word about it. */
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
  const { type, text, image_url: image } = value;
  if ((type === "text" || type === undefined) && typeof text === "string") return { type: "text", text };
  if (type === "image_url" && isRecord(image)) return toImagePart(image);
  return { type: "text", text: `[${typeof type === "string" ? type : "part"} left out]` };
}

function toImagePart({ url, detail }: Record<string, unknown>): ContentPart {
  if (typeof url !== "string") return { type: "text", text: "[image left out]" };
  if (!/^(data|https|file):/.test(url)) return { type: "text", text: describeImage(url) };
  return { type: "image_url", image_url: { url, ...(typeof detail === "string" ? { detail } : {}) } };
}

function describeImage(url: string): string {
  return url.startsWith("data:") ? "[image left out]" : `[image: ${url}]`;
}
