// What a host wrote when it refused: the many shapes of error bodies reduced to codes and one sentence.
// Knows no kinds of errors.
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { toOneLine } from "../lib/text.ts";

export interface ErrorBody {
  /** Words and numbers that hosts use as codes, in lower case. */
  codes: string[];
  /** The host's own sentence, on one line; empty when it said nothing readable. */
  sentence: string;
  /** A status given inside the body (OpenRouter, Gemini), for errors that arrive in a 200 stream. */
  status?: number;
  /** A web page: a proxy speaks, or the address is wrong. */
  isPage?: true;
}

const longestSentence = 300;
const deepest = 6;

const codeField = /^(code|type|status|error_type|error_code|reason|status_code)$/;
/**
 * Fields that hold a sentence, or more fields. MiniMax: {"base_resp":{"status_code":1008,"status_msg":"..."}}.
 * OpenRouter puts what the vendor said under `metadata.raw`, beside "Provider returned error".
 */
const wordField = /^(errors?|detail|base_resp|message|msg|status_msg|metadata|raw)$/;

export function readErrorBody(body: string): ErrorBody {
  const text = body.trim();
  if (/^<(!doctype|html|head|\?xml)/i.test(text)) return { codes: [], sentence: titleOf(text), isPage: true };
  const words = [...collect(parseJson(text) ?? text, "error")];
  const codes = words.flatMap(({ code }) => code?.toLowerCase() ?? []);
  const sentences = words.flatMap(({ sentence }) => sentence ?? []);
  const status = codes.map(Number).find((code) => code >= 400 && code <= 599);
  return { codes, sentence: toOneLine(sentences.join(" / "), longestSentence), status };
}

function* collect(value: unknown, field: string, depth = 0): Generator<{ code?: string; sentence?: string }> {
  if (codeField.test(field)) {
    if (typeof value === "string" || typeof value === "number") yield { code: String(value) };
  }
  if (!wordField.test(field) || depth > deepest) return;
  const inner = typeof value === "string" ? parseJson(value) : value;
  if (Array.isArray(inner)) for (const item of inner.slice(0, 3)) yield* collect(item, field, depth + 1);
  else if (isRecord(inner)) {
    for (const [name, item] of Object.entries(inner)) yield* collect(item, name, depth + 1);
  } else if (typeof value === "string" && value !== "") yield { sentence: value };
}

/** A web page in place of an answer (a proxy, a wrong address): its title says most of it. */
function titleOf(page: string): string {
  const [, text = ""] = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(page) ?? [];
  const title = toOneLine(text, 120);
  return title === "" ? "a web page instead of an answer" : `a web page titled "${title}"`;
}
