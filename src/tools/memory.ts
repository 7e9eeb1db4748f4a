// The tools memory_search and memory_read: what was said and written earlier, found by words, then read with its
// surroundings. They know no index: the search is passed to them.
import * as z from "zod";
import { toLocalIso } from "../lib/clock.ts";
import { joinLabels, labelsOf, withLabels } from "../lib/labels.ts";
import { takeHead } from "../lib/text.ts";
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
  /** What speaks for it: the words of the search that it holds, and other reasons. */
  why?: readonly string[];
  /** Sources of untrusted content in it. */
  labels?: string[];
}

interface MemoryQuery {
  query: string;
  /** Milliseconds since 1970; `to` is not included. */
  from?: number;
  to?: number;
  session?: string;
  count?: number;
}

/** Must search only the memory of the person that the call is made for. */
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
  query: z
    .string()
    .max(2_000)
    .refine((text) => text.trim() !== "", "must be a few words"),
  from: day.describe("YYYY-MM-DD"),
  to: day,
  session: z.string().optional(),
  count: z.int().min(1).max(30).optional().describe("Default 8"),
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
function describeMemory({ reference, at, who, where, text, why = [] }: FoundMemory): string {
  const found = why.length === 0 ? "" : ` [found by: ${why.join(", ")}]`;
  return `[${reference}] ${toLocalIso(at).slice(0, 16).replace("T", " ")} ${who} (${where}): ${text}${found}`;
}

function toDay(text: string, later: number): number {
  const [year = 0, month = 1, date = 1] = text.split("-").map(Number);
  return +new Date(year, month - 1, date + later);
}

/** Empty for an unknown reference, and for another person's memory. */
export type ReadMemory = (
  reference: string,
  options: { around: number },
  context: ToolContext,
) => Promise<FoundMemory[]>;

const mostCharacters = 20_000;

const readParameters = z.object({
  reference: z.string().describe("From memory_search"),
  around: z.int().min(0).max(20).optional().describe("Messages on each side; default 3"),
});

export function createMemoryRead(read: ReadMemory): Tool<z.output<typeof readParameters>> {
  return defineTool({
    name: "memory_read",
    description: "Shows a search result in full, with what was said around it.",
    parameters: readParameters,
    readOnly: true,
    async execute({ reference, around = 3 }, context) {
      const entries = await read(reference, { around }, context);
      if (entries.length === 0) {
        throw new ToolError("There is nothing behind this reference. Take one from memory_search.");
      }
      const text = entries.map(describeMemory).join("\n\n");
      const labels = withLabels(joinLabels(...entries.map(labelsOf)));
      if (text.length <= mostCharacters) return { content: text, ...labels };
      const head = takeHead(text, mostCharacters);
      return { content: `${head}\n(Cut here. Use a smaller number for around.)`, ...labels };
    },
  });
}
