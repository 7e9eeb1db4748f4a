// Questions that wait for the owner's answer, at most one a session. The answer comes as an ordinary message.
import type { Answer, AskRequest } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { Ids } from "../lib/ids.ts";
import { readApprovalAnswer } from "../words/words.ts";

interface Pending {
  request: AskRequest;
  settle(answer: Answer): void;
  isOver: Promise<void>;
}

export interface AskSurface {
  show(body: LiveBody): void;
  signal: AbortSignal;
}

export class Approvals {
  readonly #pending = new Map<string, Pending>();
  readonly #ids: Ids;

  constructor(ids: Ids) {
    this.#ids = ids;
  }

  /** Shows the question and waits for the answer. Calls that ask at the same time wait for one another. */
  async ask(sessionKey: string, request: AskRequest, surface: AskSurface): Promise<Answer> {
    for (let open = this.#pending.get(sessionKey); open !== undefined; open = this.#pending.get(sessionKey)) {
      await open.isOver;
    }
    surface.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const stop = () => reject(surface.signal.reason);
    surface.signal.addEventListener("abort", stop, { once: true });
    const isOver = promise.then(
      () => {},
      () => {},
    );
    this.#pending.set(sessionKey, { request, settle: resolve, isOver });
    const askId = this.#ids.next();
    surface.show({ type: "ask-start", askId, request });
    try {
      const answer = await promise;
      surface.show({ type: "ask-end", askId, isAllowed: answer.isAllowed });
      return answer;
    } finally {
      surface.signal.removeEventListener("abort", stop);
      this.#pending.delete(sessionKey);
    }
  }

  has(sessionKey: string): boolean {
    return this.#pending.has(sessionKey);
  }

  /** False when the text is not an answer. */
  answer(sessionKey: string, text: string): boolean {
    const pending = this.#pending.get(sessionKey);
    const word = readApprovalAnswer(text);
    if (pending === undefined || word === undefined) return false;
    const canRemember = pending.request.subject !== undefined;
    pending.settle({
      isAllowed: word !== "no",
      scope: word === "session" && canRemember ? "session" : "once",
      ...(word === "no" && { reason: "the owner said no" }),
    });
    return true;
  }
}
