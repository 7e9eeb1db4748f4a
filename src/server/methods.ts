// What can be asked over the socket, as a table: the form of the params, who may ask, and what answers. Knows no topic.
import type * as z from "zod";
import type { Caller as OperationCaller } from "../api/operation.ts";
import { toFailedProblem, toProblem } from "../api/problem.ts";
import { type RunOperation, toBadParams } from "../api/run-operation.ts";
import type { Asking } from "../bus/ask.ts";
import { fail } from "../i18n/user-error.ts";
import { type Language, speakTo, type Words } from "../i18n/words.ts";
import type { Followed } from "./event-hub.ts";
import type { Methods, ResponseFrame, Viewer } from "./protocol.ts";

/** Who asks, and under which id: what is to be done once across restarts takes the id as its key. */
export interface Caller {
  viewer: Viewer;
  requestId: string;
  /** Of the page, if it said so. */
  language?: Language;
  /** Of the connection that asks: what it is told beside the rest. */
  follows: Set<Followed>;
}

export interface Method<Params, Result> {
  params: z.ZodType<Params>;
  /** Guests may ask it, about what is theirs: the method itself has to look. Default: only an owner. */
  isForGuests?: boolean;
  run(params: Params, caller: Caller): Promise<Result> | Result;
}

/** The methods of one topic, such as `MethodTable<ChatMethods>`. */
export type MethodTable<Topic> = {
  [Name in keyof Topic]: Topic[Name] extends { params: infer Params; result: infer Result }
    ? Method<Params, Result>
    : never;
};

export type Asker = Pick<OperationCaller, "person" | "requestId" | "signal">;

export interface AnswerOptions {
  /** Operations come first; what is not one of them yet is a method. */
  run: RunOperation;
  isOperation(name: string): boolean;
  words: Words;
  methods: Partial<MethodTable<Methods>>;
  /** Puts a question of an operation to the person who called it; undefined: it was not answered. */
  ask(question: Asking, caller: Asker): Promise<string | undefined>;
  /** Hears of failures that are ours. */
  onError(error: unknown, method: string): void;
}

export interface Asked {
  id: string;
  method: string;
  params: unknown;
  language?: Language;
}

export async function answerRequest(
  { id, method: name, params, ...spoken }: Asked,
  { viewer, follows }: Pick<Caller, "viewer" | "follows">,
  options: AnswerOptions & { signal: AbortSignal },
): Promise<ResponseFrame> {
  const { methods, onError } = options;
  if (options.isOperation(name)) {
    const caller = { ...viewer, requestId: id, follows, ...spoken };
    const { signal } = options;
    const ask = (question: Asking) => options.ask(question, { ...caller, signal });
    const run = () => options.run({ name, params }, caller, { ask });
    return answer(run, { id, name, words: speakTo(spoken, options.words), onError });
  }
  const run = async () => {
    const method = Object.hasOwn(methods, name)
      ? (methods[name as keyof Methods] as Method<unknown, unknown> | undefined)
      : undefined;
    if (method === undefined) throw fail("request.unknown", { name: name.slice(0, 80) });
    if (viewer.role !== "owner" && method.isForGuests !== true) throw fail("request.owner-only");
    const parsed = method.params.safeParse(params);
    if (!parsed.success) throw toBadParams(parsed.error);
    return method.run(parsed.data, { viewer, requestId: id, follows, ...spoken });
  };
  return answer(run, { id, name, words: speakTo(spoken, options.words), onError });
}

interface Answering {
  id: string;
  name: string;
  words: Words;
  onError: AnswerOptions["onError"];
}

async function answer(
  run: () => Promise<unknown>,
  { id, name, words, onError }: Answering,
): Promise<ResponseFrame> {
  try {
    return { type: "response", id, ok: true, result: (await run()) ?? null };
  } catch (error) {
    const problem = toProblem(error, words);
    if (problem === undefined) onError(error, name);
    return { type: "response", id, ok: false, problem: problem ?? toFailedProblem(words) };
  }
}
