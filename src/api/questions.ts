// Questions of operations that run in a gateway, open until a client answers them.
import * as z from "zod";
import type { Asking } from "../bus/ask.ts";
import type { Ids } from "../lib/ids.ts";
import { type Caller, operation } from "./operation.ts";

interface Open {
  person: string;
  answer(choice: string | undefined): void;
}

export class OpenQuestions {
  readonly #ids: Ids;
  readonly #open = new Map<string, Open>();

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** `show` hands it to the client of that person. Aborted, it is not answered. */
  async ask(
    question: Asking,
    { person, signal }: Pick<Caller, "person" | "signal">,
    show: (questionId: string, question: Asking) => void,
  ): Promise<string | undefined> {
    const questionId = this.#ids.next();
    const { promise, resolve } = Promise.withResolvers<string | undefined>();
    const cancel = () => resolve(undefined);
    this.#open.set(questionId, { person, answer: resolve });
    signal?.addEventListener("abort", cancel, { once: true });
    if (signal?.aborted === true) cancel();
    try {
      show(questionId, question);
      return await promise;
    } finally {
      signal?.removeEventListener("abort", cancel);
      this.#open.delete(questionId);
    }
  }

  /** Whether it was open, and that person's. */
  answer(questionId: string, choice: string, { person }: Pick<Caller, "person">): boolean {
    const open = this.#open.get(questionId);
    if (open === undefined || open.person !== person) return false;
    open.answer(choice);
    return true;
  }
}

const answerQuestion = operation({
  name: "questions.answer",
  about: "Answers a question of an operation that the same person runs.",
  access: "admitted",
  needs: "gateway",
  params: z.strictObject({ questionId: z.string().max(200), choice: z.string().max(200) }),
  run: ({ questions }, { questionId, choice }, caller) => ({
    isTaken: questions.answer(questionId, choice, caller),
  }),
});

const ping = operation({
  name: "ping",
  about: "Answers at once.",
  access: "admitted",
  needs: "home",
  params: z.strictObject({}),
  run: () => ({}),
});

export const questionOperations = [answerQuestion, ping] as const;
