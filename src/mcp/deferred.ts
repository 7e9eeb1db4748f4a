// Where servers offer more tools than a prompt should carry: one tool that finds them by words, with their schemas as text,
// and one that calls whatever was found. Both stay the same while tools come and go.
import * as z from "zod";
import { findNearest } from "../lib/language/nearest.ts";
import { takeHead } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, ToolError } from "../runner/tool.ts";

/** The foreign tools of this moment, by name. */
type FindTools = () => ReadonlyMap<string, Tool>;

const mostFound = 8;
const mostNames = 100;
const longestAnswer = 12_000;

export function createDeferredTools(find: FindTools): Tool[] {
  return [createToolSearch(find) as Tool, createCallTool(find) as Tool];
}

function createToolSearch(find: FindTools) {
  return defineTool({
    name: "tool_search",
    description: "Finds further tools (of MCP servers) with their schemas; call them with call_tool.",
    parameters: z.object({ query: z.string().describe("What the tool should do, in a few words") }),
    readOnly: true,
    boundsItself: true,
    async execute({ query }) {
      const tools = [...find().values()];
      const ranked = rank(tools, toWords(query));
      if (ranked.length > 0) return { content: describe(ranked.slice(0, mostFound)) };
      const names = tools.map(({ name }) => name);
      const rest = names.length > mostNames ? ` and ${names.length - mostNames} more` : "";
      return { content: `Nothing fits these words. Tools: ${names.slice(0, mostNames).join(", ")}${rest}.` };
    },
  });
}

function createCallTool(find: FindTools) {
  return defineTool({
    name: "call_tool",
    description: "Calls a tool that tool_search found.",
    parameters: z.object({
      name: z.string().describe("Its exact name"),
      arguments: z.looseObject({}).optional().describe("As its schema says"),
    }),
    effects: ({ name, arguments: args = {} }) => find().get(name)?.effects?.(args) ?? [],
    async execute({ name, arguments: args = {} }, context) {
      const tool = find().get(name) ?? refuse(name, find());
      const parsed = tool.parameters.parse(args);
      if (!parsed.ok) throw new ToolError(`Invalid arguments for ${name}: ${parsed.problems.join("; ")}.`);
      return tool.execute(parsed.value, context);
    },
  });
}

function refuse(name: string, tools: ReadonlyMap<string, Tool>): never {
  const nearest = findNearest(name, tools.keys());
  const hint = nearest === undefined ? "Find its name with tool_search." : `Did you mean "${nearest}"?`;
  throw new ToolError(`There is no tool "${takeHead(name, 80)}". ${hint}`);
}

/** Words in any script; Chinese, Japanese and Korean ones in pairs of characters. */
function toWords(text: string): string[] {
  const words = text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? [];
  return words.slice(0, 200).flatMap((word) => {
    if (!/[\u3040-\u9fff\uac00-\ud7af]/.test(word) || word.length < 3) return [word];
    return Array.from({ length: word.length - 1 }, (_, start) => word.slice(start, start + 2));
  });
}

/** The best first: a word in the name counts for three in the description, a whole word for two more. */
function rank(tools: Tool[], words: string[]): Tool[] {
  const scored = tools.map((tool) => {
    const [name, description] = [tool.name.toLowerCase(), tool.description.toLowerCase()];
    const whole = new Set(toWords(`${name} ${description}`));
    const scores = words.map(
      (word) =>
        (name.includes(word) ? 3 : 0) + (description.includes(word) ? 1 : 0) + (whole.has(word) ? 2 : 0),
    );
    return { tool, score: scores.reduce((sum, score) => sum + score, 0) };
  });
  return scored
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ tool }) => tool);
}

/** In full as far as there is room; of the others only the names. */
function describe(tools: Tool[]): string {
  const blocks = tools.map(
    ({ name, description, parameters }) =>
      `${name}\n${takeHead(description, 600)}\n${JSON.stringify(parameters.jsonSchema)}`,
  );
  const sizes = blocks.map((_, index) => blocks.slice(0, index + 1).join("\n\n").length);
  const shown = Math.max(1, sizes.filter((size) => size <= longestAnswer).length);
  const others = tools.slice(shown).map(({ name }) => name);
  const note = others.length === 0 ? [] : [`Search for one of these alone to see it: ${others.join(", ")}.`];
  return [...blocks.slice(0, shown), ...note].join("\n\n");
}
