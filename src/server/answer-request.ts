// A request over the socket: the operation that it names is run, and how it ended is a frame.
import type { Caller, Progress } from "../api/operation.ts";
import { toFailedProblem, toProblem } from "../api/problem.ts";
import type { RunOperation } from "../api/run-operation.ts";
import type { Asking } from "../bus/ask.ts";
import { type Language, speakTo, type Words } from "../i18n/words.ts";
import type { Followed } from "./event-hub.ts";
import type { ResponseFrame, Viewer } from "./protocol.ts";

export interface SocketCaller {
  viewer: Viewer;
  /** Of the connection: what it is told beside the rest. */
  follows: Set<Followed>;
}

export type Asker = Pick<Caller, "person" | "requestId" | "signal">;

export interface AnswerOptions {
  run: RunOperation;
  words: Words;
  /** Puts a question of an operation to the person who called it; undefined: it was not answered. */
  ask(question: Asking, caller: Asker): Promise<string | undefined>;
  /** Tells the person who called an operation how far it is. */
  show(progress: Progress, caller: Asker): void;
  /** Hears of failures that are ours. */
  onError(error: unknown, method: string): void;
}

export interface Asked {
  id: string;
  method: string;
  params: unknown;
  /** Of the page, if it said so. */
  language?: Language;
}

export async function answerRequest(
  { id, method: name, params, ...spoken }: Asked,
  { viewer, follows }: SocketCaller,
  { run, words, ask, show, onError, signal }: AnswerOptions & { signal: AbortSignal },
): Promise<ResponseFrame> {
  const caller = { ...viewer, requestId: id, follows, ...spoken };
  try {
    const result = await run({ name, params }, caller, {
      ask: (question) => ask(question, { ...caller, signal }),
      show: (progress) => show(progress, caller),
    });
    return { type: "response", id, ok: true, result: result ?? null };
  } catch (error) {
    const language = speakTo(spoken, words);
    const problem = toProblem(error, language);
    if (problem === undefined) onError(error, name);
    return { type: "response", id, ok: false, problem: problem ?? toFailedProblem(language) };
  }
}
