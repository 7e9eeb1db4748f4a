// What can be asked over the socket, as a table: the form of the params, who may ask, and what answers. Knows no topic.
import type * as z from "zod";
import type { Caller as OperationCaller } from "../api/operation.ts";
import { toFailedProblem, toProblem } from "../api/problem.ts";
import type { OperationRequest, RunOperation } from "../api/run-operation.ts";
import { isPhraseCode, type Phrase } from "../i18n/phrase.ts";
import { retell } from "../i18n/retell.ts";
import { createWords, type Language, say, speakTo, type Words } from "../i18n/words.ts";
import type { Followed } from "./event-hub.ts";
import type { Methods, Problem, ResponseFrame, Viewer } from "./protocol.ts";

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

/** Understood and not done, with a reason for the person; `fields` says where in the params. */
export class WishError extends Error {
  override name = "WishError";
  readonly fields: Problem["fields"];

  constructor(message: string, fields?: Problem["fields"]) {
    super(message);
    this.fields = fields;
  }
}

export interface AnswerOptions {
  /** Operations come first; what is not one of them yet is a method. */
  run: RunOperation;
  isOperation(name: string): boolean;
  words: Words;
  methods: Partial<MethodTable<Methods>>;
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
  options: AnswerOptions,
): Promise<ResponseFrame> {
  const { methods, onError } = options;
  if (options.isOperation(name)) {
    const caller = { ...viewer, requestId: id, follows, ...spoken };
    return answerOperation({ name, params }, caller, options);
  }
  const words = speakTo(spoken, options.words);
  const refuse = (problem: Problem): ResponseFrame => {
    const told = tell(problem, spoken.language);
    return { type: "response", id, ok: false, problem: told };
  };
  const method = Object.hasOwn(methods, name)
    ? (methods[name as keyof Methods] as Method<unknown, unknown> | undefined)
    : undefined;
  if (method === undefined)
    return refuse({ code: "unknown-method", message: "There is nothing of that name." });
  if (viewer.role !== "owner" && method.isForGuests !== true)
    return refuse({ code: "forbidden", message: "Only the owner may do this." });
  const parsed = method.params.safeParse(params);
  if (!parsed.success) return refuse(toBadParams(parsed.error, words));
  try {
    const result = await method.run(parsed.data, { viewer, requestId: id, follows, ...spoken });
    return { type: "response", id, ok: true, result: result ?? null };
  } catch (error) {
    const problem = toProblem(error, words);
    if (problem !== undefined) return { type: "response", id, ok: false, problem };
    if (error instanceof WishError)
      return refuse({
        code: "wish",
        message: error.message,
        ...(error.fields !== undefined && { fields: error.fields }),
      });
    const coded = toProblem(error, createWords(spoken.language ?? "english"));
    if (coded !== undefined) return refuse({ code: "wish", message: coded.message });
    onError(error, name);
    return refuse({ code: "failed", message: "That failed; the log says why." });
  }
}

async function answerOperation(
  request: OperationRequest,
  caller: OperationCaller,
  { run, words, onError }: AnswerOptions,
): Promise<ResponseFrame> {
  const { requestId: id } = caller;
  try {
    return { type: "response", id, ok: true, result: (await run(request, caller)) ?? null };
  } catch (error) {
    const spoken = speakTo(caller, words);
    const problem = toProblem(error, spoken);
    if (problem === undefined) onError(error, request.name);
    return { type: "response", id, ok: false, problem: problem ?? toFailedProblem(spoken) };
  }
}

/** Reasons are made in English where no page is known. */
function tell({ message, ...problem }: Problem, language: Language = "english"): Problem {
  return { ...problem, message: retell(message, createWords(language)) };
}

/** The message of a check of our own is a code of the catalogue. */
function toBadParams({ issues }: z.ZodError, words: Words): Problem {
  const fields = issues.map(({ path, message }) => ({
    path: path.join("."),
    message: isPhraseCode(message, words.phrases)
      ? say({ code: message, params: {} } as Phrase, words)
      : message,
  }));
  return { code: "bad-params", message: "The request is not well formed.", fields };
}
