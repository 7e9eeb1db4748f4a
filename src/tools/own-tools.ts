// Custom tools: what an allowed file exports, checked and made safe to offer. Knows nothing of files or of allowing.
import { isRecord } from "../lib/is-record.ts";
import { joinLabels, toLabel, withLabels } from "../lib/labels.ts";
import { estimateJsonTokens } from "../lib/tokens.ts";
import {
  type Effect,
  isToolError,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolResult,
} from "../runner/tool.ts";
import { isRuntimeLayer, type RuntimeLayer } from "./runtime-layer.ts";

/** Why a file is left out; `subject` is the name of the tool, or what is wrong with it. */
export interface OwnToolProblem {
  kind: "no-export" | "bad-name" | "taken" | "too-long";
  subject: string;
}

/** Built-in names, also of tools that are switched off. */
export const reservedNames: readonly string[] =
  "call_tool cron edit_file exec generate_image glob goal grep list_dir memory_read memory_search message notebook_edit process read_file spawn tool_search web_fetch web_search write_file".split(
    " ",
  );

const toolName = /^(?!mcp_)[a-zA-Z][\w-]{0,63}$/;
/** A definition is sent with every request. */
const mostTokens = 800;
const effectTypes = ["read", "write", "run", "fetch", "send", "schedule", "spawn", "call"];

export interface OwnExports {
  tools: Tool[];
  layers: RuntimeLayer[];
}

/** All tools and runtime layers among the exports of a file, or why none of them is taken. */
export function readOwnTools(
  exported: Record<string, unknown>,
  { file, taken }: { file: string; taken: ReadonlySet<string> },
): OwnExports | OwnToolProblem {
  const values = [...new Set(Object.values(exported))];
  const [tools, layers] = [values.filter(isTool), values.filter(isRuntimeLayer)];
  if (tools.length + layers.length === 0) return { kind: "no-export", subject: file };
  const seen = new Set([...taken, ...reservedNames]);
  for (const { name, description, parameters } of tools) {
    if (!toolName.test(name)) return { kind: "bad-name", subject: name };
    if (seen.has(name)) return { kind: "taken", subject: name };
    const tokens = estimateJsonTokens({ name, description, parameters: parameters.jsonSchema });
    if (tokens > mostTokens) return { kind: "too-long", subject: name };
    seen.add(name);
  }
  return { tools: tools.map((tool) => toOwnTool(tool, file)), layers };
}

function isTool(value: unknown): value is Tool {
  if (!isRecord(value) || !isRecord(value.parameters)) return false;
  const isNamed = typeof value.name === "string" && typeof value.description === "string";
  return isNamed && typeof value.execute === "function" && typeof value.parameters.parse === "function";
}

/**
 * A tool that does not declare its effects is treated as the worst case: the owner is asked as for a foreign call, and what it
 * brings counts as content from outside.
 */
function toOwnTool(tool: Tool, file: string): Tool {
  const { name, description, parameters, readOnly, exclusive, repeat } = tool;
  const effects = (args: unknown): Effect[] => {
    const isReadOnly = readOnly === true;
    if (tool.effects === undefined)
      return [{ type: "call", server: file, tool: name, isReadOnly, input: args }];
    const declared: unknown = tool.effects(args);
    const isKnown = (effect: unknown) => isRecord(effect) && effectTypes.includes(String(effect.type));
    if (!Array.isArray(declared) || !declared.every(isKnown))
      throw new ToolError(
        `The effects of ${name} are not a list of known ones. Tell the owner to repair ${file}.`,
      );
    return declared;
  };

  async function execute(args: unknown, context: ToolContext): Promise<ToolResult> {
    const outside =
      tool.effects === undefined ? [toLabel("tool", name)] : effects(args).flatMap(labelsOfFetch);
    try {
      const { labels = [], ...result } = toResult(await tool.execute(args, context), name);
      return { ...result, ...withLabels(joinLabels(labels, outside)) };
    } catch (error) {
      if (!isToolError(error)) throw error;
      return { content: error.message, isError: true, ...withLabels(outside) };
    }
  }

  return { name, description, parameters, readOnly, exclusive, repeat, effects, execute };
}

function labelsOfFetch(effect: Effect): string[] {
  return effect.type === "fetch" ? [toLabel("web", URL.parse(effect.url)?.hostname)] : [];
}

function toResult(returned: unknown, name: string): ToolResult {
  if (typeof returned === "string") return { content: returned };
  const content = isRecord(returned) ? returned.content : undefined;
  if (typeof content === "string" || Array.isArray(content)) return returned as ToolResult;
  throw new ToolError(`${name} gave no result: it has to return { content: "..." }. Tell the owner.`);
}
