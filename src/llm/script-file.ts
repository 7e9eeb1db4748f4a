// The script of a scripted model as a JSON file: a list of steps, or { steps, loop }. Tells all its problems at once.
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { stripBom } from "../lib/text.ts";
import type { Script } from "./scripted.ts";

export type ParsedScript = { ok: true; script: Script } | { ok: false; problems: string[] };

const count = z.int().nonnegative();

const toolCall = z.strictObject({
  name: z.string(),
  arguments: z
    .union([z.record(z.string(), z.unknown()), z.string()], { error: "expected an object or a string" })
    .optional(),
  id: z.string().optional(),
});

const errorKind = z.enum([
  "authentication",
  "permission",
  "quota",
  "rate-limit",
  "overloaded",
  "server",
  "connection",
  "timeout",
  "idle",
  "context-overflow",
  "content-filter",
  "not-found",
  "invalid-request",
  "unsupported-image",
  "unknown",
]);

const failure = z.strictObject({
  kind: errorKind,
  message: z.string().optional(),
  host: z.string().optional(),
  status: z.int().optional(),
  retryAfterMs: z.number().nonnegative().optional(),
  isLoopback: z.boolean().optional(),
});

const reply = z.strictObject({
  text: z.string().optional(),
  deltas: z.array(z.string()).optional(),
  reasoning: z.string().optional(),
  toolCalls: z.array(toolCall).optional(),
  stop: z.enum(["stop", "tool-calls", "length", "refusal"]).optional(),
  usage: z.strictObject({ input: count, cached: count.default(0), output: count }).optional(),
  error: failure.optional(),
  delayMs: z.number().nonnegative().optional(),
  hold: z.boolean().optional(),
});

const step = z.preprocess((value) => (typeof value === "string" ? { text: value } : value), reply);
const steps = z.array(step);
const script = z.strictObject({ steps, loop: z.boolean().optional() });

export function parseScript(text: string): ParsedScript {
  let value: unknown;
  try {
    value = JSON.parse(stripBom(text));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problems: [`not JSON: ${error.message}`] };
  }
  const parsed = Array.isArray(value) ? steps.safeParse(value) : script.safeParse(value);
  if (!parsed.success) return { ok: false, problems: parsed.error.issues.map(toProblem) };
  return { ok: true, script: Array.isArray(parsed.data) ? { steps: parsed.data } : parsed.data };
}

export async function readScript(path: string): Promise<ParsedScript> {
  try {
    return parseScript(await readFile(path, "utf8"));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return { ok: false, problems: [`cannot be read (${code})`] };
  }
}

function toProblem(issue: z.core.$ZodIssue): string {
  const path = issue.path.reduce<string>(
    (whole, key) => (typeof key === "number" ? `${whole}[${key}]` : `${whole}${whole && "."}${String(key)}`),
    "",
  );
  return path === "" ? issue.message : `${path}: ${issue.message}`;
}
