// An operation: something that a person or a program can ask for, written once. The socket, HTTP, the command line,
// slash commands, tools and the SDK are adapters that run it. Knows no surface.
import type * as z from "zod";
import type { Asking } from "../bus/ask.ts";
import type { Origin, Role } from "../bus/types.ts";
import type { Phrase } from "../i18n/phrase.ts";
import type { Language } from "../i18n/words.ts";
import type { Services } from "./services.ts";

/** `admitted`: everyone who is let in; `person`: about what is the caller's own, which `run` looks after; `owner`. */
export type Access = "admitted" | "person" | "owner";

/** What viewers hold copies of. They are notified when an operation has changed it. */
export type Topic = "jobs" | "memory" | "skills" | "channels" | "usage" | "config" | "files";

export interface Viewer {
  /** "owner", or a guest's id. */
  person: string;
  role: Role;
}

export interface Caller extends Viewer {
  /** The only operations that its token may call; absent: all. */
  operations?: readonly string[];
  /** The group that it is asked in. */
  group?: string;
  /** The same id is done once: what outlives the process takes it as its key. */
  requestId: string;
  language?: Language;
  /** The conversation that it is asked in, for slash commands and tools. */
  chat?: { sessionKey: string; origin: Origin };
  /** Extra topics that a connection follows, such as the log. */
  follows?: Set<"log">;
  signal?: AbortSignal;
}

/** How far an operation is. */
export interface Progress {
  type: "progress";
  phrase: Phrase;
  done?: number;
  total?: number;
}

/** What an operation says while it runs. A question is answered with the id of a choice. */
export type OperationEvent = Progress | { type: "question"; question: Asking };

export type OperationRun<Result> = AsyncGenerator<OperationEvent, Result, string | undefined>;

export interface Operation<
  Name extends string = string,
  Needs extends keyof Services = keyof Services,
  Schema extends z.ZodType = z.ZodType,
  Result = unknown,
> {
  name: Name;
  /** In a sentence, for docs/api.md. */
  about: string;
  access: Access;
  /** What it works on. Only `gateway` is not there without one. */
  needs: Needs;
  /** It takes the home lock, and viewers of these topics are notified. Without it, nothing of the home is changed. */
  changes?: readonly Topic[];
  /** About who may come in: a token of a program cannot name it. */
  isAboutAccess?: true;
  params: Schema;
  run(
    services: Services[Needs],
    params: z.output<Schema>,
    caller: Caller,
  ): Promise<Result> | Result | OperationRun<Result>;
}

export function operation<
  const Name extends string,
  const Needs extends keyof Services,
  Schema extends z.ZodType,
  Result,
>(definition: Operation<Name, Needs, Schema, Result>): Operation<Name, Needs, Schema, Result> {
  return definition;
}

export async function* withProgress<Result>(
  work: (report: (phrase: Phrase) => void) => Promise<Result>,
): OperationRun<Result> {
  const reported: Phrase[] = [];
  let isOver = false;
  let news = Promise.withResolvers<void>();
  const result = work((phrase) => {
    reported.push(phrase);
    news.resolve();
  });
  const end = () => {
    isOver = true;
    news.resolve();
  };
  result.then(end, end);
  while (!isOver) {
    await news.promise;
    news = Promise.withResolvers();
    for (const phrase of reported.splice(0)) yield { type: "progress", phrase };
  }
  return result;
}
