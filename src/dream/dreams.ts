// Runs Dream over the memory of one person or group, or of all of them for the timer. Knows no config: the caller passes
// the model and the prompts.
import type { Phrase } from "../i18n/phrase.ts";
import { AgentRunner } from "../runner/runner.ts";
import { HomeLockedError } from "../storage/home-lock.ts";
import type { Scope } from "../storage/scope.ts";
import { Dream, type DreamOptions, type DreamOutcome, type DreamRequest } from "./dream.ts";

export interface DreamsOptions extends Omit<DreamOptions, "runner"> {
  /** Whether the timer runs it. */
  isEnabled: boolean;
  /** Undefined: there is only the offline model. A phrase says why there is no model. */
  chooseModel(): Promise<DreamRequest["model"] | Phrase>;
}

export interface Dreams {
  /** Over the memory of one person or group. */
  run(scope: Scope, signal: AbortSignal, onProgress?: DreamRequest["onProgress"]): Promise<DreamOutcome>;
  /** Over all memories, one after the other: for the timer. Does nothing while Dream is switched off. */
  runAll(signal: AbortSignal): Promise<Map<Scope, DreamOutcome>>;
  /** Finishes a run that a crash interrupted. */
  recover(): Promise<void>;
}

export function createDreams(options: DreamsOptions): Dreams {
  const { isEnabled, chooseModel, documents, clock, log } = options;
  const dream = new Dream({ ...options, runner: new AgentRunner(clock) });

  const run: Dreams["run"] = async (scope, signal, onProgress) => {
    const model = await chooseModel();
    if (model !== undefined && "code" in model)
      return { kind: "failed", failure: { reason: "model", phrase: model } };
    return dream.run({ scope, model, signal, ...(onProgress && { onProgress }) });
  };

  return {
    run,
    async runAll(signal) {
      const outcomes = new Map<Scope, DreamOutcome>();
      const failures: unknown[] = [];
      const onUnreadable = (error: unknown) => void failures.push(error);
      for (const scope of isEnabled ? await documents.scopes(onUnreadable) : []) {
        try {
          outcomes.set(scope, await run(scope, signal));
        } catch (error) {
          signal.throwIfAborted();
          log.error("dream-failed", { scope, error });
          failures.push(error);
        }
      }
      // One broken memory must not keep Dream from the others.
      if (failures.length > 0) throw failures[0];
      return outcomes;
    },
    async recover() {
      try {
        await dream.recover();
      } catch (error) {
        // The process that holds the home finishes it, or the next run does.
        if (!(error instanceof HomeLockedError) && (error as NodeJS.ErrnoException).code === undefined)
          throw error;
        log.warn("dream-not-recovered", { error });
      }
    },
  };
}
