// Every limit on spending with what is used of it: of the whole day and month, of causes, of people.
import { type BudgetConfig, type BudgetLimit, shareUsed, usualCauses } from "../../llm/config.ts";
import type { Ledger, UsageRow } from "../../storage/queues/ledger.ts";
import { sumUsage } from "./describe-usage.ts";

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
export function startOf(period: Period, now: number): number {
  const start = new Date(now);
  if (period === "month") start.setDate(1);
  return start.setHours(0, 0, 0, 0);
}

export function listBudgets({ ledger, budget, now }: BudgetParts): BudgetState[] {
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
