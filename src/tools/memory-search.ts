// The tool memory_search: what was said and written earlier, found by words. Knows no index: it is handed the search.
import * as z from "zod";
import { toLocalIso } from "../lib/clock.ts";
import { joinLabels, labelsOf, withLabels } from "../lib/labels.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";

export interface FoundMemory {
  reference: string;
  /** Milliseconds since 1970. */
  at: number;
  /** `user`, `assistant`, `tool`, a person's name, or a kind of file. */
  who: string;
  /** Key of the session, or name of the file. */
  where: string;
  text: string;
  /** Sources of untrusted content in it. */
  labels?: string[];
}

export interface MemoryQuery {
  query: string;
  /** Milliseconds since 1970; `to` is not included. */
  from?: number;
  to?: number;
  session?: string;
  count?: number;
}

/** Must see only the memory of whoever the call is made for. */
export type SearchMemory = (
  query: MemoryQuery,
  context: ToolContext,
) => Promise<{ found: FoundMemory[]; sessions: string[] }>;

/** A refinement is checked, but costs no tokens in the schema. */
const day = z
  .string()
  .refine((text) => /^\d{4}-\d\d-\d\d$/.test(text), "must be a day such as 2026-05-31")
  .optional();

const parameters = z.object({
  query: z.string().refine((text) => text.trim() !== "" && text.length <= 2_000, "must be a few words"),
  from: day.describe("YYYY-MM-DD"),
  to: day,
  session: z.string().optional(),
  count: z
    .int()
    .refine((count) => count >= 1 && count <= 30, "must be 1 to 30")
    .optional()
    .describe("Default 8"),
});

export function createMemorySearch(search: SearchMemory): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "memory_search",
    description: "Searches earlier conversations, notes and documents.",
    parameters,
    readOnly: true,
    async execute({ from, to, ...query }, context) {
      const range = { ...(from && { from: toDay(from, 0) }), ...(to && { to: toDay(to, 1) }) };
      const { found, sessions } = await search({ ...query, ...range }, context);
      if (found.length === 0) {
        throw new ToolError("Nothing was found. Try other words, fewer of them, or no time range.");
      }
      const also = sessions.length > 1 ? [`Sessions that fit best: ${sessions.slice(0, 5).join(", ")}`] : [];
      const labels = joinLabels(...found.map(labelsOf));
      return { content: [...found.map(describeMemory), ...also].join("\n"), ...withLabels(labels) };
    },
  });
}

/** In one line, with the reference that memory_read expands. */
export function describeMemory({ reference, at, who, where, text }: FoundMemory): string {
  return `[${reference}] ${toLocalIso(at).slice(0, 16).replace("T", " ")} ${who} (${where}): ${text}`;
}

function toDay(text: string, later: number): number {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  return +new Date(year, month - 1, date + later);
}
