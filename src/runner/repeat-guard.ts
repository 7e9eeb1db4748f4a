// Notices a turn that goes in circles: the same call, the same result, nothing new in between.
import { createHash } from "node:crypto";

const warnAt = 3;
const stopAt = 5;

type RepeatVerdict = "run" | "warn" | "stop";

export class RepeatGuard {
  readonly #times = new Map<string, number>();
  readonly #outcomes = new Set<string>();

  /** What to do with a call before it runs. A call that is not run still counts. */
  judge(call: string): RepeatVerdict {
    const time = (this.#times.get(call) ?? 0) + 1;
    if (time < warnAt) return "run";
    this.#times.set(call, time);
    return time >= stopAt ? "stop" : "warn";
  }

  /** A result that was not seen before is progress, and forgives every earlier repetition. */
  record(call: string, result: string): void {
    const outcome = createHash("sha1").update(call).update("\0").update(result).digest("base64");
    if (!this.#outcomes.has(outcome)) {
      this.#outcomes.add(outcome);
      this.#times.clear();
    }
    this.#times.set(call, (this.#times.get(call) ?? 0) + 1);
  }
}
