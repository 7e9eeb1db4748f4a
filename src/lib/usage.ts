// Tokens that a model call took.

/** `input` includes `cached`. */
export interface Usage {
  input: number;
  cached: number;
  output: number;
  /** Its host has counted nothing: this is our estimate. */
  isEstimate?: boolean;
}

/** Of one reply, as it is stored with it. `cost` is in the currency of the ledger; absent where no price is known. */
export interface ReplyUsage extends Usage {
  cost?: number;
}

export const noUsage: Usage = { input: 0, cached: 0, output: 0 };

export function addUsage(a: Usage, b: Usage | undefined): Usage {
  if (b === undefined) return a;
  const isEstimate = a.isEstimate || b.isEstimate;
  return {
    input: a.input + b.input,
    cached: a.cached + b.cached,
    output: a.output + b.output,
    ...(isEstimate && { isEstimate }),
  };
}
