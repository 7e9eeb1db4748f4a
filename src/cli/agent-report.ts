// What `nanobot agent` prints when a turn is over: the answer, or one JSON value.
import type { TurnOutcome } from "../agent/job.ts";
import { say, type Words } from "../i18n/words.ts";
import type { TurnStop } from "../runner/events.ts";

export const defaultSession = "cli:direct";

/** The value that `--json` prints. */
export interface AgentReport {
  text: string;
  tools: Array<{ name: string; ok: boolean; ms: number }>;
  usage: { input: number; cached: number; output: number };
  stop: TurnStop;
  session: string;
  error?: string;
}

export function describeOutcome(outcome: TurnOutcome, words: Words): string {
  const { text, tools, usage, stop, sessionKey, error } = outcome;
  return toJson({
    text,
    tools: tools.map(({ name, ok, ms }) => ({ name, ok, ms: Math.round(ms) })),
    usage: { input: usage.input, cached: usage.cached, output: usage.output },
    stop,
    session: sessionKey,
    ...(error && { error: say(error.phrase, words) }),
  });
}

/** Why there is no answer, in the reader's language. */
export function describeFailure({ phrase }: NonNullable<TurnOutcome["error"]>, words: Words): string {
  return words.failure.turnFailed(say(phrase, words));
}

/** The same value where no turn took place. */
export function describeFailedAnswer(failure: {
  sentence: string;
  session?: string;
  stop: TurnStop;
}): string {
  const { sentence, session = defaultSession, stop } = failure;
  const usage = { input: 0, cached: 0, output: 0 };
  return toJson({ text: "", tools: [], usage, stop, session, error: sentence });
}

export function toExitCode(stop: TurnStop): number {
  if (stop === "completed") return 0;
  return stop === "cancelled" ? 130 : 1;
}

function toJson(report: AgentReport): string {
  return `${JSON.stringify(report)}\n`;
}
