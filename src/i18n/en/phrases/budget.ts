// That a budget is used up, or nearly, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

/** What a budget is for: a turn, or a day or month of everything, of one cause or of one person. */
export interface BudgetScope {
  period: "turn" | "day" | "month";
  cause?: string;
  person?: string;
}

/** Money where it is nearer to its limit than tokens. */
export interface BudgetUse extends BudgetScope {
  unit: "tokens" | "money";
  used: number;
  limit: number;
}

const periods = { turn: "this turn", day: "today", month: "this month" };

const causes: Record<string, string> = {
  user: "messages",
  cron: "scheduled tasks",
  heartbeat: "the heartbeat",
  dream: "Dream",
  consolidation: "summaries",
  subagent: "subagents",
  api: "other programs",
};

function describeScope({ period, cause, person }: BudgetScope): string {
  const subject = cause === undefined ? person : (causes[cause] ?? cause);
  return subject === undefined ? periods[period] : `${subject} ${periods[period]}`;
}

function describeAmount({ unit, used, limit }: BudgetUse): string {
  return unit === "money"
    ? `${used.toFixed(2)} of ${limit}`
    : `${used.toLocaleString("en")} of ${limit.toLocaleString("en")} tokens`;
}

export const budgetPhrases = {
  "budget.used": (use: BudgetUse) =>
    `The budget for ${describeScope(use)} is used up: ${describeAmount(use)}. Raise it under budget in config.json, or wait.`,
  "budget.near": (use: BudgetUse) =>
    `The budget for ${describeScope(use)} is nearly used up: ${describeAmount(use)}.`,
  "budget.unset": (scope: BudgetScope, { program }: PhraseContext) =>
    `The budget for ${describeScope(scope)} names an environment variable that is not set, so nothing may be spent. To see which one, run ${program} doctor.`,
  "budget.not-counted": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `No model is asked, because the cost could not be recorded. ${say(reason)}`,
};
