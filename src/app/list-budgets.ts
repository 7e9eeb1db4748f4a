// Every limit on spending with what is used of it: of the whole day and month, of causes, of people.
import { type BudgetConfig, type BudgetLimit, shareUsed, usualCauses } from "../llm/config.ts";
import type { UsageRow } from "../llm/ledger.ts";
import type { Control } from "../server/control.ts";
import type { BudgetState } from "../server/protocol/usage.ts";
import { sumUsage } from "./describe-usage.ts";

type Period = BudgetState["period"];
type Limits = { [period in Period]?: BudgetLimit };

export interface BudgetParts {
  control: Pick<Control, "reportUsage">;
  budget: BudgetConfig;
  now: number;
}

/** When the running day or month began, local time. */
export function startOf(period: Period, now: number): number {
  const start = new Date(now);
  if (period === "month") start.setDate(1);
  return start.setHours(0, 0, 0, 0);
}

export async function listBudgets({ control, budget, now }: BudgetParts): Promise<BudgetState[]> {
  const { causes, people, warnAt } = budget;

  async function list(period: Period): Promise<BudgetState[]> {
    const from = startOf(period, now);
    const { rows: byCause } = await control.reportUsage({ by: "cause", from });
    const { rows: byPerson } = await control.reportUsage({ by: "person", from });
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

  return [...(await list("day")), ...(await list("month"))];
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
