// Operations about goals: longer work that goes on in the background. Everyone sees and changes what is theirs.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import { withLabels } from "../../lib/labels.ts";
import type { ToolContext } from "../../runner/tool.ts";
import { isUnfinished, listSteps, nameOf } from "../../schedule/goals.ts";
import { keepOrigin } from "../../schedule/scheduled-message.ts";
import type { Goal } from "../../storage/jobs/goal-file.ts";
import { scopeOf } from "../../storage/scope.ts";
import type { GoalToolOptions } from "../../tools/goal.ts";
import type { ClientFor } from "../client.ts";
import { operation } from "../operation.ts";

/** Without what only the program needs. */
export type GoalRecord = Omit<Goal, "origin" | "turnId" | "isLast" | "labels">;

const id = z.string().min(1).max(200);
const tokens = z.int().min(1_000).max(1_000_000_000);

const listGoals = operation({
  name: "goals.list",
  about: "The caller's goals, oldest first, each with its plan and how far it is.",
  access: "person",
  needs: "home",
  params: z.strictObject({}),
  async run({ goals }, _params, caller): Promise<{ goals: GoalRecord[] }> {
    return { goals: (await goals.list(scopeOf(caller))).map(toRecord) };
  },
});

const startGoal = operation({
  name: "goals.start",
  about:
    "Begins longer work in the conversation it is asked in. It goes on turn after turn, within its limits.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({
    text: z.string().max(4_000),
    rounds: z.int().min(1).max(200).optional(),
    tokens: tokens.optional(),
  }),
  async run({ goals }, { text, ...limits }, caller): Promise<GoalRecord> {
    const { chat, requestId } = caller;
    if (chat === undefined) throw fail("goals.needs-chat");
    if (text.trim() === "") throw fail("goals.needs-text");
    const { sessionKey, origin } = chat;
    const { channel, chatId, thread, language } = origin;
    const goal = await goals.start({
      id: requestId.slice(-12),
      text: text.trim(),
      sessionKey,
      origin: {
        ...(keepOrigin(origin) as Pick<Goal["origin"], "senderId" | "person" | "role" | "group" | "format">),
        channel,
        chatId,
        ...(thread !== undefined && { thread }),
        ...(language && { language }),
      },
      limits,
    });
    return toRecord(goal);
  },
});

const setGoal = operation({
  name: "goals.set",
  about: "Pauses, resumes or stops a goal, or sets how many tokens it may use.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({
    id,
    state: z.enum(["active", "paused", "stopped"]).optional(),
    tokens: tokens.optional(),
  }),
  async run({ goals }, { id: goalId, state, tokens: most }, caller): Promise<GoalRecord> {
    const change = { ...(state && { state }), ...(most !== undefined && { tokens: most }) };
    return toRecord(await goals.set(goalId, scopeOf(caller), change));
  },
});

const planGoal = operation({
  name: "goals.plan",
  about: "Keeps the plan of the goal of the conversation it is called in, or ends it.",
  access: "person",
  needs: "home",
  changes: ["jobs"],
  params: z.strictObject({
    steps: z
      .array(z.strictObject({ text: z.string().max(200), state: z.enum(["open", "doing", "done"]) }))
      .max(30)
      .optional(),
    end: z.enum(["done", "stuck"]).optional(),
    labels: z.array(z.string().max(100)).max(24).optional(),
  }),
  async run({ goals }, { steps, end, labels = [] }, caller): Promise<{ goal?: GoalRecord }> {
    if (caller.chat === undefined) throw fail("goals.needs-chat");
    const plan = { ...(steps && { steps }), ...(end && { end }), labels };
    const goal = await goals.plan(caller.chat.sessionKey, scopeOf(caller), plan);
    return goal === undefined ? {} : { goal: toRecord(goal) };
  },
});

export const goalOperations = [listGoals, startGoal, setGoal, planGoal] as const;

function toRecord({ origin: _, turnId: __, isLast: ___, labels: ____, ...record }: Goal): GoalRecord {
  return record;
}

/** What the tool goal works with. */
export function createGoalTool(
  clientFor: ClientFor,
  toCaller: (context: ToolContext) => Parameters<ClientFor>[0],
): GoalToolOptions {
  return {
    async plan(plan, context) {
      const client = await clientFor(toCaller(context));
      const params = { ...plan, ...withLabels([...context.labels]) };
      const { goal } = await client.call("goals.plan", params, { requestId: context.callId });
      return goal && listSteps(goal.steps);
    },
  };
}

/** As a person reads it: how far it is, and its steps. */
export function describeGoal(goal: GoalRecord, { goals }: Words): string {
  const { steps, round, limits, tokens: used, state } = goal;
  const isDone = ({ state: each }: Goal["steps"][number]) => each === "done";
  const facts = [
    goals.states[state],
    ...(steps.length > 0 ? [goals.progress(steps.filter(isDone).length, steps.length)] : []),
    goals.turns(round, limits.rounds),
    goals.tokens(Math.round(used).toLocaleString("en-US"), limits.tokens.toLocaleString("en-US")),
  ];
  const rows = steps.map(({ text, state: each }) => `   ${goals.marks[each]} ${text}`);
  return [`**${nameOf(goal).replaceAll(/[*_`[\]<>|]/g, " ")}**: ${facts.join(", ")}`, ...rows].join("\n");
}

export function isOpenGoal(goal: GoalRecord): boolean {
  return isUnfinished(goal);
}
