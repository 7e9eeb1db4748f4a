// Operations about usage: what the models used, by day, cause, model, person or session, and the budgets. A guest sees
// a summary of their own, everything else is the owner's.
import * as z from "zod";
import { toLocalIso } from "../../lib/clock.ts";
import { type BudgetConfig, type BudgetLimit, shareUsed, usualCauses } from "../../llm/config.ts";
import type { Ledger, UsageGroup, UsageRow } from "../../storage/queues/ledger.ts";
import { operation } from "../operation.ts";
import type { HomeServices } from "../services.ts";
import { sumUsage } from "./describe-usage.ts";

export type { UsageGroup, UsageRow } from "../../storage/queues/ledger.ts";

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

function toCsv({ rows, currency }: UsageReport, by: UsageGroup): string {
  const head = [by, "calls", "fresh", "cached", "output", "cost", "currency", "unpriced", "ms"];
  const lines = rows.map(({ group, calls, fresh, cached, output, cost, unpriced, ms }) =>
    [group, calls, fresh, cached, output, cost ?? "", currency, unpriced, ms].map(toCell).join(","),
  );
  return `${[head.join(","), ...lines].join("\n")}\n`;
}

/** A spreadsheet takes what begins like a formula for one. */
function toCell(value: string | number): string {
  const text = String(value);
  const safe = typeof value === "string" && /^[=+\-@\t]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

export interface BudgetState {
  period: "day" | "month";
  /** Whose; absent: of everything. */
  cause?: string;
  person?: string;
  unit: "tokens" | "money";
  used: number;
  most: number;
  /** `near`: warned about; `over`: nothing more is asked of a model. */
  state: "free" | "near" | "over";
}

type Period = BudgetState["period"];
type Limits = { [period in Period]?: BudgetLimit };

export interface BudgetParts {
  ledger: Ledger;
  budget: BudgetConfig;
  now: number;
}

/** When the running day or month began, local time. */
function startOf(period: Period, now: number): number {
  const start = new Date(now);
  if (period === "month") start.setDate(1);
  return start.setHours(0, 0, 0, 0);
}

function listBudgets({ ledger, budget, now }: BudgetParts): BudgetState[] {
  const { causes, people, warnAt } = budget;

  function list(period: Period): BudgetState[] {
    const from = startOf(period, now);
    const byCause = ledger.report("cause", { from });
    const byPerson = ledger.report("person", { from });
    const states = (
      limits: Limits,
      rows: readonly UsageRow[],
      whose: Pick<BudgetState, "cause" | "person">,
    ) =>
      toStates(limits[period], sumUsage(rows, ""), warnAt).map((state) => ({ period, ...whose, ...state }));
    const named = (rows: readonly UsageRow[], name: string) => rows.filter(({ group }) => group === name);
    return [
      ...states(budget, byCause, {}),
      ...Object.entries({ ...usualCauses, ...causes }).flatMap(([cause, limits]) =>
        states(limits, named(byCause, cause), { cause }),
      ),
      ...Object.entries(people).flatMap(([person, limits]) =>
        states(limits, named(byPerson, person), { person }),
      ),
    ];
  }

  return [...list("day"), ...list("month")];
}

type Measured = Pick<BudgetState, "unit" | "used" | "most" | "state">;

function toStates(limit: BudgetLimit | undefined, row: UsageRow, warnAt: number): Measured[] {
  const measure = (unit: Measured["unit"], used: number, most: number | undefined): Measured[] => {
    if (!most) return [];
    const share = shareUsed(used, most);
    const state = share >= 1 ? "over" : share >= warnAt ? "near" : "free";
    return [{ unit, used, most: Math.max(0, most), state }];
  };
  const { fresh, cached, output, cost = 0 } = row;
  return [
    ...measure("tokens", fresh + cached + output, limit?.tokens),
    ...measure("money", cost, limit?.money),
  ];
}
