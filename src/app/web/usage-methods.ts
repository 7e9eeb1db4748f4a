// What the page about usage asks: figures by day, cause, model, person or session, and the budgets.
import * as z from "zod";
import { toLocalIso } from "../../lib/clock.ts";
import type { BudgetConfig } from "../../llm/config.ts";
import type { Control } from "../../server/control.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { UsageMethods } from "../../server/protocol/usage.ts";
import { listBudgets } from "../list-budgets.ts";
import { toCsv } from "../usage-csv.ts";

export interface UsageParts {
  control: Pick<Control, "reportUsage">;
  budget(): BudgetConfig;
  now(): number;
}

const time = z.number().min(0).max(Number.MAX_SAFE_INTEGER);
const range = z.strictObject({
  by: z.enum(["day", "cause", "model", "person", "session"]),
  from: time,
  to: time.optional(),
});

export function createUsageMethods({ control, budget, now }: UsageParts): MethodTable<UsageMethods> {
  return {
    "usage.report": { params: range, run: (wish) => control.reportUsage(wish) },
    "usage.budgets": {
      params: z.strictObject({}),
      async run() {
        const { turn, warnAt } = budget();
        const budgets = await listBudgets({ control, budget: budget(), now: now() });
        const { currency } = await control.reportUsage({ by: "cause", from: now() });
        return { currency, warnAt, budgets, turn };
      },
    },
    "usage.csv": {
      params: range,
      async run(wish) {
        const day = toLocalIso(now()).slice(0, 10);
        return {
          name: `nanobot-usage-${wish.by}-${day}.csv`,
          text: toCsv(await control.reportUsage(wish), wish.by),
        };
      },
    },
  };
}
