// A tool called as the runner calls it: arguments parsed first, then executed.
import type { ContentPart } from "../../src/llm/types.ts";
import type { Tool, ToolContext, ToolResult } from "../../src/runner/tool.ts";
import { createToolContext } from "./tool-context.ts";

export async function runTool(
  tool: Tool,
  args: unknown,
  context: ToolContext = createToolContext(),
): Promise<ToolResult> {
  const parsed = tool.parameters.parse(args);
  if (!parsed.ok) throw new Error(parsed.problems.join("; "));
  return tool.execute(parsed.value, context);
}

/** The text of a result; an image shows as its media type. */
export async function runToolText(tool: Tool, args: unknown, context?: ToolContext): Promise<string> {
  const { content } = await runTool(tool, args, context);
  return typeof content === "string" ? content : content.map(toText).join("\n");
}

function toText(part: ContentPart): string {
  return part.type === "text" ? part.text : `[${part.image_url.url.slice(0, 60)}]`;
}
