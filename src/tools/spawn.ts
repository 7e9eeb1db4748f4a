// The tool spawn: hands work to a subagent. Knows nothing of how one is run: it is handed that.
import * as z from "zod";
import { isBlank } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import type { Tool, ToolContext, ToolResult } from "../runner/tool.ts";

const parameters = z.object({
  task: z
    .string()
    .refine((text) => !isBlank(text), "must say what to do")
    .describe("Self-contained"),
  label: z.string().optional(),
  wait: z.boolean().optional().describe("Return it here"),
});

export type SpawnRequest = z.output<typeof parameters>;

/** Must be the same subagent when it is called again for the same call. */
export type Spawn = (request: SpawnRequest, context: ToolContext) => Promise<ToolResult>;

export function createSpawn(spawn: Spawn): Tool<SpawnRequest> {
  return defineTool({
    name: "spawn",
    description:
      "Gives independent, complex or long work to a subagent; the result arrives as a message. Look at the workspace first; a folder of its own helps.",
    parameters,
    repeat: "by-call-id",
    effects: ({ task }) => [{ type: "spawn", task }],
    execute: (request, context) => spawn(request, context),
  });
}
