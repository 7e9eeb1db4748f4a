// The script of a scripted model: its form, and how it is read from a JSON file that holds a list of steps, or
// { steps, loop }. Tells all its problems at once.
import { readFile } from "node:fs/promises";
import * as z from "zod";
import { createWords, say } from "../i18n/words.ts";
import { findJsonFault } from "../lib/json-fault.ts";
import { stripBom } from "../lib/text.ts";
import { errorKinds } from "../llm/types.ts";

const count = z.int().nonnegative();
const text = z.string().optional();
const duration = z.number().nonnegative().optional();
const callArguments = z.union([z.record(z.string(), z.unknown()), z.string()], {
  error: "expected an object or a string",
});

const toolCall = z.strictObject({
  name: z.string(),
  /** A string goes out as it is, so that broken JSON can be scripted. Default {}. */
  arguments: callArguments.optional(),
  /** Default `call_1`, `call_2` ... over the whole script. */
  id: text,
});

const failure = z.strictObject({
  kind: z.enum(errorKinds),
  message: text,
  host: text,
  status: z.int().optional(),
  retryAfterMs: duration,
  isLoopback: z.boolean().optional(),
});

const reply = z.strictObject({
  text,
  /** The text in the pieces it is streamed in; default one piece. Without `text` they make up the text. */
  deltas: z.array(z.string()).optional(),
  reasoning: text,
  toolCalls: z.array(toolCall).optional(),
  stop: z.enum(["stop", "tool-calls", "length", "refusal"]).optional(),
  usage: z.strictObject({ input: count, cached: count.default(0), output: count }).optional(),
  /** The reply ends with this failure, after what was streamed. */
  error: failure.optional(),
  /** A wait before the first piece. */
  delayMs: duration,
  /** After its last piece the reply hangs until it is aborted. */
  hold: z.boolean().optional(),
});

const step = z.preprocess((value) => (typeof value === "string" ? { text: value } : value), reply);
const steps = z.array(step);
/** With `loop` it begins again after the last step. */
const script = z.strictObject({ steps, loop: z.boolean().optional() });

export type ScriptedCall = z.infer<typeof toolCall>;
export type ScriptedReply = z.infer<typeof reply>;
export type Script = z.infer<typeof script>;

export type ParsedScript = { ok: true; script: Script } | { ok: false; problems: string[] };

export function parseScript(source: string): ParsedScript {
  const json = stripBom(source);
  const fault = findJsonFault(json);
  if (fault !== undefined) {
    return {
      ok: false,
      problems: [
        `not JSON, line ${fault.line}, column ${fault.column}: ${say(fault.reason, createWords("english"))}`,
      ],
    };
  }
  const value: unknown = JSON.parse(json);
  const parsed = script.safeParse(Array.isArray(value) ? { steps: value } : value);
  if (parsed.success) return { ok: true, script: parsed.data };
  return { ok: false, problems: parsed.error.issues.map((issue) => toProblem(issue, Array.isArray(value))) };
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

function toProblem({ path, message }: z.core.$ZodIssue, isList: boolean): string {
  const parts = (isList ? path.slice(1) : path).map((part) =>
    typeof part === "number" ? `[${part}]` : `.${String(part)}`,
  );
  return parts.length === 0 ? message : `${parts.join("").replace(/^\./, "")}: ${message}`;
}
