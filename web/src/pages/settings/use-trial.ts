// A model is tried with one real question, and used when it answered.
import { useState } from "react";
import type { ModelPlan, ModelTrial } from "../../../../src/server/protocol/config.ts";
import type { Outcome } from "../../wire/connection.ts";
import { useMutation } from "../../wire/use-mutation.ts";

export function useTrial(onUsed: () => void) {
  const using = useMutation("model.use", { isQuiet: true });
  const testing = useMutation("model.test", { isQuiet: true });
  const [trial, setTrial] = useState<ModelTrial>();
  /** What was not even tried has failed, too. */
  const settle = (outcome: Outcome<ModelTrial>) => {
    const tried = outcome.ok ? outcome.result : { ok: false as const, message: outcome.problem.message };
    setTrial(tried);
    return tried.ok;
  };
  return {
    trial,
    isUsing: using.isRunning,
    isTesting: testing.isRunning,
    clear: () => setTrial(undefined),
    test: async (plan: ModelPlan) => void settle(await testing.run(plan)),
    use: async (plan: ModelPlan) => settle(await using.run(plan)) && onUsed(),
  };
}
