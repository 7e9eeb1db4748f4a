// Runs an operation: the one place that finds it, checks access and params, takes the home lock and tells viewers what
// has changed. Refuses with a UserError; whatever else is thrown is a failure of ours.
import type * as z from "zod";
import type { Asking } from "../bus/ask.ts";
import { phrase } from "../i18n/phrase.ts";
import { fail, UserError } from "../i18n/user-error.ts";
import type { HomeLock } from "../storage/home-lock.ts";
import type { Caller, Operation, OperationRun, Progress, Topic } from "./operation.ts";
import type { Services } from "./services.ts";

/** How a surface shows what an operation says while it runs, and asks what it asks. */
export interface Interaction {
  show?(event: Progress): void;
  /** The id of a choice; undefined: nobody can be asked here. */
  ask?(question: Asking, signal?: AbortSignal): Promise<string | undefined>;
}

export interface OperationRequest {
  name: string;
  params: unknown;
}

export interface RunnerOptions {
  operations: ReadonlyMap<string, Operation>;
  /** Opens what an operation needs; throws a UserError where that is not to be had. */
  services<Needs extends keyof Services>(needs: Needs): Promise<Services[Needs]>;
  lock: HomeLock;
  onChange?(topic: Topic, caller: Caller): void;
}

export type RunOperation = (
  request: OperationRequest,
  caller: Caller,
  interaction?: Interaction,
) => Promise<unknown>;

export function createRunner({ operations, services, lock, onChange }: RunnerOptions): RunOperation {
  return async ({ name, params }, caller, interaction = {}) => {
    const requested = operations.get(name);
    if (requested === undefined) throw fail("request.unknown", { name: name.slice(0, 80) });
    checkAccess(requested, caller);
    const parsed = requested.params.safeParse(params);
    if (!parsed.success) throw toBadParams(parsed.error);
    const opened = await services(requested.needs);
    const { changes } = requested;
    const run = (ways: Interaction) =>
      drive(requested.run(opened as never, parsed.data, caller), caller, ways);
    if (changes === undefined) return run(interaction);
    const { ask } = interaction;
    const acquire = () => lock.acquire(name, caller.signal);
    let release = await acquire();
    // Nobody else has to wait for the person who is asked.
    const askUnlocked: Interaction["ask"] = async (question, signal) => {
      release();
      try {
        return await ask?.(question, signal);
      } finally {
        release = await acquire();
      }
    };
    try {
      return await run({ ...interaction, ...(ask && { ask: askUnlocked }) });
    } finally {
      release();
      for (const topic of changes) onChange?.(topic, caller);
    }
  };
}

function checkAccess({ name, access }: Operation, { role, operations }: Caller): void {
  if (operations?.includes(name) === false) throw fail("request.not-of-token", { operation: name });
  if (access === "owner" && role !== "owner") throw fail("request.owner-only");
}

function toBadParams({ issues }: z.ZodError): UserError {
  const fields = issues.map(({ path, message }) => ({
    path: path.join("."),
    phrase: phrase("request.bad-field", { quote: message }),
  }));
  return new UserError(phrase("request.bad-params"), { fields });
}

async function drive(
  returned: ReturnType<Operation["run"]>,
  { signal }: Caller,
  interaction: Interaction,
): Promise<unknown> {
  if (!isGenerator(returned)) return returned;
  let answer: string | undefined;
  for (;;) {
    const { done, value } = await returned.next(answer);
    if (done === true) return value;
    answer = undefined;
    if (value.type === "progress") interaction.show?.(value);
    else
      answer = await ask(value.question, interaction, signal).catch(
        (error) => returned.throw(error) as never,
      );
  }
}

/** What nobody answers is answered with the last choice. */
async function ask(question: Asking, interaction: Interaction, signal?: AbortSignal): Promise<string> {
  if (interaction.ask === undefined) throw fail("request.needs-answer");
  const answer = await interaction.ask(question, signal);
  const isChoice = question.choices.some(({ id }) => id === answer);
  return isChoice && answer !== undefined ? answer : (question.choices.at(-1)?.id ?? "");
}

function isGenerator(returned: unknown): returned is OperationRun<unknown> {
  return (
    typeof returned === "object" &&
    returned !== null &&
    Symbol.asyncIterator in returned &&
    "next" in returned
  );
}
