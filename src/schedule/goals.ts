// Goals: longer work that goes on turn after turn in the background, until the model says that it is done, a person stops it, or its
// limits are used up. Each turn is an inbox row `goal:<id>:<round>`, so that a crash neither loses one nor makes two of it.
import type { NewInbound, Receipt } from "../bus/types.ts";
import { fail } from "../i18n/user-error.ts";
import type { Clock } from "../lib/clock.ts";
import { toGoalLine } from "../lib/formats/runtime-block.ts";
import { joinLabels, withLabels } from "../lib/labels.ts";
import { toPlainLine } from "../lib/text.ts";
import type { Goal, GoalFile, GoalStep } from "../storage/jobs/goal-file.ts";
import { type Scope, scopeOf } from "../storage/scope.ts";

export interface GoalsOptions {
  file: GoalFile;
  clock: Clock;
  publish(message: NewInbound): Promise<Receipt>;
  /** Whether the turn of a round is not over yet. */
  isOpen(turnId: string): boolean;
  tokensOf(turnId: string): number;
}

export type NewGoal = Pick<Goal, "id" | "text" | "sessionKey" | "origin"> & {
  limits?: Partial<Goal["limits"]>;
};

export const usualLimits: Goal["limits"] = { rounds: 25, tokens: 500_000 };
/** Said by the model when it will go on; it is not sent. */
const continuing = "Continuing.";
const mostOpen = 20;
/** That are over, to be looked at. */
const mostOver = 30;

export class Goals {
  readonly #options: GoalsOptions;
  /** Turns of rounds, so that the end of any other turn costs nothing. */
  readonly #turns = new Set<string>();

  constructor(options: GoalsOptions) {
    this.#options = options;
  }

  listAll(): Promise<Goal[]> {
    return this.#options.file.listAll();
  }

  async list(scope: Scope): Promise<Goal[]> {
    return (await this.listAll()).filter(({ origin }) => scopeOf(origin) === scope);
  }

  /** One of the same id is begun once, however often it is asked for. */
  async start({ limits, ...goal }: NewGoal): Promise<Goal> {
    const { file, clock } = this.#options;
    const added: Goal = {
      ...goal,
      state: "active",
      steps: [],
      round: 1,
      tokens: 0,
      limits: { ...usualLimits, ...limits },
      createdAtMs: clock.now(),
    };
    await file.change((goals) => {
      if (goals.some(({ id }) => id === goal.id)) return;
      const open = goals.filter(isUnfinished);
      if (open.some(({ sessionKey }) => sessionKey === goal.sessionKey)) throw fail("goals.one-at-a-time");
      if (open.length >= mostOpen) throw fail("goals.too-many", { most: mostOpen });
      const over = goals.filter((known) => !isUnfinished(known)).slice(-mostOver);
      goals.splice(0, goals.length, ...over, ...open, added);
    });
    // It is in the file first: a start of the gateway publishes what is missing.
    return file.change((goals) => this.#publish(find(goals, goal.id, scopeOf(goal.origin))));
  }

  /** Resumed after its limits it gets the same again. */
  set(
    id: string,
    scope: Scope,
    { state, tokens }: { state?: "active" | "paused" | "stopped"; tokens?: number },
  ) {
    const { file, isOpen } = this.#options;
    return file.change(async (goals): Promise<Goal> => {
      const goal = find(goals, id, scope);
      if (tokens !== undefined) goal.limits.tokens = tokens;
      if (state === undefined || state === goal.state) return goal;
      if (state !== "active") {
        if (!isUnfinished(goal)) throw fail("goals.over", { name: nameOf(goal) });
        goal.state = state;
        return goal;
      }
      const isTaken = goals.some(
        (other) => isUnfinished(other) && other.sessionKey === goal.sessionKey && other !== goal,
      );
      if (isTaken) throw fail("goals.one-at-a-time");
      if (goal.state === "limit")
        goal.limits = {
          rounds: goal.round + usualLimits.rounds,
          tokens: Math.round(goal.tokens) + usualLimits.tokens,
        };
      goal.state = "active";
      if (goal.turnId !== undefined && isOpen(goal.turnId)) return goal;
      goal.round += 1;
      return this.#publish(goal);
    });
  }

  /** By the model, in a turn of the conversation. Undefined: no goal is under way there. */
  plan(
    sessionKey: string,
    scope: Scope,
    { steps, end, labels }: { steps?: GoalStep[]; end?: "done" | "stuck"; labels: readonly string[] },
  ): Promise<Goal | undefined> {
    return this.#options.file.change((goals) => {
      const goal = goals.find(
        (known) => known.sessionKey === sessionKey && scopeOf(known.origin) === scope && isUnfinished(known),
      );
      if (goal === undefined) return undefined;
      if (steps !== undefined) goal.steps = steps;
      if (end !== undefined) goal.state = end;
      return Object.assign(goal, withLabels(joinLabels(goal.labels ?? [], labels)));
    });
  }

  /** The turn of a round is over. */
  async finish(turnId: string, stop: string): Promise<void> {
    if (!this.#turns.delete(turnId)) return;
    await this.#options.file.change((goals) => this.#advance(goals, turnId, stop));
  }

  /** At the start of a gateway: what was under way goes on where it was. */
  resumeAll(): Promise<void> {
    return this.#options.file.change(async (goals) => {
      for (const goal of goals.filter(({ state }) => state === "active")) await this.#publish(goal);
    });
  }

  async #advance(goals: Goal[], turnId: string, stop: string): Promise<void> {
    const goal = goals.find((known) => known.turnId === turnId);
    if (goal === undefined) return;
    goal.tokens += this.#options.tokensOf(turnId);
    delete goal.turnId;
    if (goal.state !== "active") return;
    if (stop === "cancelled" || stop === "error") goal.state = "paused";
    else if (goal.isLast) goal.state = "limit";
    else {
      goal.round += 1;
      await this.#publish(goal);
    }
  }

  /** Rounds that are over already, because a crash came before they were written down, are passed over. */
  async #publish(goal: Goal): Promise<Goal> {
    const { publish, isOpen } = this.#options;
    for (;;) {
      goal.isLast = hasUsedLimits(goal);
      const { id, isDuplicate } = await publish(toInbound(goal));
      goal.turnId = id;
      if (!isDuplicate || isOpen(id)) {
        this.#turns.add(id);
        return goal;
      }
      if (goal.isLast) return Object.assign(goal, { state: "limit" });
      goal.round += 1;
    }
  }
}

export function isUnfinished({ state }: Pick<Goal, "state">): boolean {
  return state === "active" || state === "paused";
}

export function nameOf({ text }: Pick<Goal, "text">): string {
  return toPlainLine(text, 60);
}

function hasUsedLimits({ round, tokens, limits }: Goal): boolean {
  return round >= limits.rounds || tokens >= limits.tokens;
}

function find(goals: readonly Goal[], id: string, scope: Scope): Goal {
  const goal = goals.find((known) => known.id === id && scopeOf(known.origin) === scope);
  if (goal === undefined) throw fail("goals.not-found", { id: toPlainLine(id, 40) });
  return goal;
}

const marks = { open: "[ ]", doing: "[>]", done: "[x]" };

export function listSteps(steps: readonly GoalStep[]): string[] {
  return steps.map(({ text, state }) => `${marks[state]} ${text}`);
}

function toInbound(goal: Goal): NewInbound {
  const { id, text, round, limits, steps, sessionKey, origin, isLast = false, labels = [] } = goal;
  const plan = steps.length === 0 ? ["No plan yet: make one first, with the tool goal."] : listSteps(steps);
  const ending = isLast
    ? "This is the last turn for it: its limits are used up. Report to the user in their language what is done, what is missing, and that /goal resume goes on."
    : `When it is done, or you cannot go on without the user, call goal with end, and then report to the user in their language, without speaking of this note. Otherwise do as much as you can now, and end with exactly: ${continuing}`;
  return {
    sourceKey: `goal:${id}:${round}`,
    sessionKey,
    origin: { ...origin, cause: "cron" },
    kind: "system",
    ...withLabels(labels),
    ...(!isLast && { silence: continuing }),
    text: `${toGoalLine(text)}\n${plan.join("\n")}\n\n(Turn ${round} of at most ${limits.rounds}, and nobody is typing. Work on the goal with your tools; keep the plan up to date with the tool goal. ${ending})`,
  };
}
