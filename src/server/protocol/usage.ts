// Usage on the wire: what the models have taken, and how much of each budget is left.

export type UsageBy = "day" | "cause" | "model" | "person" | "session";

export interface UsageFigures {
  /** A day, cause, model, person or session. */
  group: string;
  calls: number;
  /** Read anew, read from the cache, written. */
  fresh: number;
  cached: number;
  output: number;
  /** Absent where no price is known for any of the calls. */
  cost?: number;
  /** Calls whose price is not known. */
  unpriced: number;
  ms: number;
}

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
