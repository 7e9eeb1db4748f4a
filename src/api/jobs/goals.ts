// Operations about goals: longer work that goes on in the background. Everyone sees and changes what is theirs.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import { keepOrigin } from "../../schedule/scheduled-message.ts";
import type { Goal } from "../../storage/jobs/goal-file.ts";
import { scopeOf } from "../../storage/scope.ts";
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
