// A model is tried with one real question, and used when it answered.
import { useState } from "react";
import type { ModelPlan, ModelTrial } from "../../../../src/api/models/models.ts";
import type { Outcome } from "../../wire/connection.ts";
import { useMutation } from "../../wire/use-mutation.ts";
import { useSay } from "../../words/use-say.ts";

export type ShownTrial = Extract<ModelTrial, { ok: true }> | { ok: false; message: string };

export function useTrial(onUsed: () => void) {
  const say = useSay();
  const using = useMutation("models.use", { isQuiet: true });
  const testing = useMutation("models.test", { isQuiet: true });
  const [trial, setTrial] = useState<ShownTrial>();
  /** What was not even tried has failed, too. */
  const settle = (outcome: Outcome<ModelTrial>) => {
    if (!outcome.ok) setTrial({ ok: false, message: outcome.problem.message });
    else if (outcome.result.ok) setTrial(outcome.result);
    else setTrial({ ok: false, message: say(outcome.result.problem) });
    return outcome.ok && outcome.result.ok;
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
