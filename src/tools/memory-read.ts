// The tool memory_read: what stands behind a reference of memory_search, with what was said around it.
import * as z from "zod";
import { joinLabels, labelsOf, withLabels } from "../lib/labels.ts";
import { takeHead } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";
import { describeMemory, type FoundMemory } from "./memory-search.ts";

/** Empty for what is not there, and for what is somebody else's. */
export type ReadMemory = (
  reference: string,
  options: { around: number },
  context: ToolContext,
) => Promise<FoundMemory[]>;

const mostCharacters = 20_000;

const parameters = z.object({
  reference: z.string().describe("From memory_search"),
  around: z
    .int()
    .refine((around) => around >= 0 && around <= 20, "must be 0 to 20")
    .optional()
    .describe("Messages on each side; default 3"),
});

export function createMemoryRead(read: ReadMemory): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "memory_read",
    description: "Shows a search result in full, with what was said around it.",
    parameters,
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
