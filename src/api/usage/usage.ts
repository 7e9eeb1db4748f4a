// Operations about usage: what the models have taken, by day, cause, model, person or session, and the budgets. A guest
// sees a summary of the guest's own, everything else is the owner's.
import * as z from "zod";
import { toLocalIso } from "../../lib/clock.ts";
import type { BudgetConfig } from "../../llm/config.ts";
import type { UsageGroup, UsageRow } from "../../storage/queues/ledger.ts";
import { operation } from "../operation.ts";
import type { HomeServices } from "../services.ts";
import { type BudgetState, listBudgets, startOf } from "./budgets.ts";
import { toCsv } from "./usage-csv.ts";

export type { UsageGroup, UsageRow } from "../../storage/queues/ledger.ts";
export type { BudgetState } from "./budgets.ts";

export interface UsageReport {
  /** Of `cost`. */
  currency: string;
  rows: UsageRow[];
}

export interface UsageSummary {
  currency: string;
  /** By cause, or of the caller alone. */
  today: UsageRow[];
  month: UsageRow[];
  /** Absent where only the caller's own is shown. */
  budget?: BudgetConfig;
}

const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const range = z.strictObject({
  by: z.enum(["day", "cause", "model", "person", "session"]),
  /** Milliseconds since 1970; `to` is not included. */
  from: time.optional(),
  to: time.optional(),
});

const reportUsage = operation({
  name: "usage.report",
  about: "What the models have taken in a time, by day, cause, model, person or session.",
  access: "owner",
  needs: "home",
  params: range,
  run: report,
});

const exportUsage = operation({
  name: "usage.csv",
  about: "The same as comma-separated values, for spreadsheets.",
  access: "owner",
  needs: "home",
  params: range,
  run(services, params): { name: string; text: string } {
    const day = toLocalIso(services.clock.now()).slice(0, 10);
    return {
      name: `nanobot-usage-${params.by}-${day}.csv`,
      text: toCsv(report(services, params), params.by),
    };
  },
});

const listAllBudgets = operation({
  name: "usage.budgets",
  about: "The limits on spending, with what is used of each.",
  access: "owner",
  needs: "home",
  params: z.strictObject({}),
  run({ ledger, currency, clock, loaded }): {
    currency: string;
    /** Share of a limit at which a warning is given. */
    warnAt: number;
    budgets: BudgetState[];
    /** What one turn may take. */
    turn: BudgetConfig["turn"];
  } {
    const { budget } = loaded().config;
    const { turn, warnAt } = budget;
    return { currency, warnAt, budgets: listBudgets({ ledger, budget, now: clock.now() }), turn };
  },
});

const summarizeUsage = operation({
  name: "usage.summary",
  about: "What was taken today and this month: for a guest and in a group only by the caller.",
  access: "person",
  needs: "home",
  params: z.strictObject({}),
  run({ ledger, currency, clock, loaded }, _params, { role, person, group }): UsageSummary {
    const seesAll = role === "owner" && group === undefined;
    const by: UsageGroup = seesAll ? "cause" : "person";
    const since = (period: "day" | "month") =>
      ledger
        .report(by, { from: startOf(period, clock.now()) })
        .filter((row) => seesAll || row.group === person);
    return {
      currency,
      today: since("day"),
      month: since("month"),
      ...(seesAll && { budget: loaded().config.budget }),
    };
  },
});

export const usageOperations = [reportUsage, exportUsage, listAllBudgets, summarizeUsage] as const;

function report({ ledger, currency }: HomeServices, { by, from, to }: z.output<typeof range>): UsageReport {
  return { currency, rows: ledger.report(by, { from, to }) };
}
