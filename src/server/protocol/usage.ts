// Usage on the wire: what the models have taken, and how much of each budget is left.
import type { UsageGroup, UsageRow } from "../../llm/ledger.ts";

export type UsageBy = UsageGroup;
export type UsageFigures = UsageRow;

export interface BudgetState {
  period: "day" | "month";
  /** Whose; absent: of everything. */
  cause?: string;
  person?: string;
  unit: "tokens" | "money";
  used: number;
  most: number;
  /** Warned about; nothing is asked of a model any more. */
  state: "free" | "near" | "over";
}

interface Range {
  by: UsageBy;
  /** Milliseconds since 1970; `to` is not included. */
  from: number;
  to?: number;
}

export interface UsageMethods {
  "usage.report": { params: Range; result: { currency: string; rows: UsageFigures[] } };
  "usage.budgets": {
    params: object;
    result: {
      currency: string;
      /** Share of a limit at which a warning is given. */
      warnAt: number;
      budgets: BudgetState[];
      /** What one turn may take. */
      turn: { tokens?: number; money?: number };
    };
  };
  "usage.csv": { params: Range; result: { name: string; text: string } };
}
