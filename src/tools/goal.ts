// The tool goal: the plan of the goal that is under way in a conversation, and its end. Knows no storage: it is handed the goal.
import * as z from "zod";
import { toOneLine } from "../lib/text.ts";
import { defineTool } from "../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../runner/tool.ts";

export interface PlannedStep {
  text: string;
  state: "open" | "doing" | "done";
}

export interface GoalToolOptions {
  /** Its steps as lines. Undefined: no goal is under way. */
  plan(
    plan: { steps?: PlannedStep[]; end?: "done" | "stuck" },
    context: ToolContext,
  ): Promise<string[] | undefined>;
}

const mostSteps = 30;
const longestStep = 200;

const parameters = z.object({
  steps: z.array(z.string()).max(mostSteps).optional().describe("All: [x] done, [>] now, [ ] open"),
  end: z.enum(["done", "stuck"]).optional(),
});

type Args = z.output<typeof parameters>;

export function createGoal({ plan }: GoalToolOptions): Tool<Args> {
  return defineTool({
    name: "goal",
    description: "Plan of this chat's goal.",
    // No effect to judge: the plan is seen in this conversation only, and its turns carry the labels of this one.
    parameters,
    repeat: "safe",
    async execute({ steps, end }, context) {
      const planned = steps?.map(toStep).filter(({ text }) => text !== "");
      const lines = await plan({ ...(planned && { steps: planned }), ...(end && { end }) }, context);
      if (lines === undefined)
        throw new ToolError("No goal is under way here. The user begins one with /goal.");
      return { content: lines.join("\n") || "(no steps yet)" };
    },
  });
}

function toStep(line: string): PlannedStep {
  const [, mark = " ", text = ""] = /^\s*(?:[-*]\s*)?(?:\d+[.)]\s*)?(?:\[(.)\])?(.*)$/s.exec(line) ?? [];
  const state = mark === "x" || mark === "X" ? "done" : mark === ">" ? "doing" : "open";
  return { text: toOneLine(text.trim(), longestStep), state };
}
