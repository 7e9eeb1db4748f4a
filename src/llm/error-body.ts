// What a host wrote when it refused: the many shapes of error bodies reduced to a code, a type and one sentence.
// Knows no kinds of errors.
import { isRecord } from "../lib/is-record.ts";
import { toOneLine } from "../lib/text.ts";
import { parseJson } from "./json-value.ts";

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
const codeFields = ["code", "type", "status", "error_type", "error_code", "reason"];

export function readErrorBody(body: string): ErrorBody {
  const text = body.trim();
  if (text === "") return { codes: [], sentence: "" };
  if (/^<(!doctype|html|head|\?xml)/i.test(text)) return { codes: [], sentence: titleOf(text), isPage: true };
  const parsed = parseJson(text);
  if (parsed === undefined) return { codes: [], sentence: toOneLine(text, longestSentence) };
  return readJsonError(parsed);
}

function readJsonError(value: unknown): ErrorBody {
  const found = collect(value, 0);
  const status = found.codes.map(Number).find((code) => code >= 400 && code <= 599);
  return {
    codes: found.codes.map((code) => code.toLowerCase()),
    sentence: toOneLine(found.sentences.join(" / "), longestSentence),
    ...(status === undefined ? {} : { status }),
  };
}

interface Found {
  codes: string[];
  sentences: string[];
}

function collect(value: unknown, depth: number): Found {
  if (typeof value === "string") return { codes: [], sentences: [value] };
  if (Array.isArray(value)) return depth > 3 ? nothing() : merge(value.slice(0, 3), depth);
  if (!isRecord(value) || depth > 3) return nothing();
  const found = merge(
    [value.error, value.errors, value.detail, value.base_resp].filter((inner) => inner !== undefined),
    depth,
  );
  for (const field of codeFields) {
    const code = value[field];
    if (typeof code === "string" || typeof code === "number") found.codes.push(String(code));
  }
  // MiniMax: {"base_resp":{"status_code":1008,"status_msg":"insufficient balance"}}
  if (typeof value.status_code === "number") found.codes.push(String(value.status_code));
  for (const sentence of [value.message, value.msg, value.status_msg, rawOf(value.metadata)]) {
    if (typeof sentence === "string" && sentence !== "") found.sentences.push(sentence);
  }
  return found;
}

/** OpenRouter puts what the vendor said under `metadata.raw`, beside "Provider returned error". */
function rawOf(metadata: unknown): string | undefined {
  if (!isRecord(metadata) || typeof metadata.raw !== "string") return undefined;
  const inner = parseJson(metadata.raw);
  return inner === undefined ? metadata.raw : readJsonError(inner).sentence;
}

function merge(values: unknown[], depth: number): Found {
  const found = nothing();
  for (const value of values) {
    const inner = collect(value, depth + 1);
    found.codes.push(...inner.codes);
    found.sentences.push(...inner.sentences);
  }
  return found;
}

function nothing(): Found {
  return { codes: [], sentences: [] };
}

/** A web page in place of an answer (a proxy, a wrong address): its title says most of it. */
function titleOf(page: string): string {
  const start = page.search(/<title[^>]*>/i);
  const text = start === -1 ? "" : page.slice(start, start + 1000).replace(/^<title[^>]*>/i, "");
  const title = toOneLine(text.split("<")[0] ?? "", 120);
  return title === "" ? "a web page instead of an answer" : `a web page titled "${title}"`;
}
