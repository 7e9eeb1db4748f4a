// Questions that wait for the owner's answer, at most one a session. It comes as an ordinary message, or by the id.
import { type Answer, type AskRequest, askLimitMs, toScope, unanswered } from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { Origin } from "../bus/types.ts";
import { describeChoices } from "../i18n/describe-ask.ts";
import { readApprovalAnswer, type Words } from "../i18n/words.ts";
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";

interface Pending {
  askId: string;
  request: AskRequest;
  settle(answer: Answer): void;
  isOver: Promise<void>;
}

export interface AskSurface {
  show(body: LiveBody): void;
  signal: AbortSignal;
}

/** Nobody watches what a schedule starts, and in a guest's own chat there is only the guest, who approves nothing. */
export function isAttended({ cause, role, group }: Origin): boolean {
  return !["cron", "heartbeat", "dream"].includes(cause) && (role === "owner" || group !== undefined);
}

export class Approvals {
  readonly #pending = new Map<string, Pending>();
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(ids: Ids, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** Shows the question and waits for the answer, not for ever. Calls that ask at the same time wait for one another. */
  async ask(sessionKey: string, request: AskRequest, surface: AskSurface): Promise<Answer> {
    for (let open = this.#pending.get(sessionKey); open !== undefined; open = this.#pending.get(sessionKey)) {
      await open.isOver;
    }
    surface.signal.throwIfAborted();
    const { promise, resolve: settle } = Promise.withResolvers<Answer>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const askId = this.#ids.next();
    const settled = new AbortController();
    let isAllowed = false;
    this.#pending.set(sessionKey, { askId, request, settle, isOver });
    surface.show({ type: "ask-start", askId, request });
    this.#clock.sleep(askLimitMs, settled.signal).then(
      () => settle(unanswered),
      () => {},
    );
    try {
      const answer = await untilAborted(promise, surface.signal);
      isAllowed = answer.isAllowed;
      return answer;
    } finally {
      settled.abort();
      this.#pending.delete(sessionKey);
      surface.show({ type: "ask-end", askId, isAllowed });
      end();
    }
  }

  /** The question that is open in a session. */
  pending(sessionKey: string): AskRequest | undefined {
    return this.#pending.get(sessionKey)?.request;
  }

  /** What is to be said about a text that came while a question is open: "" for an answer. */
  reply(sessionKey: string, text: string, words: Words): string {
    const open = this.pending(sessionKey);
    if (open === undefined || this.answer(sessionKey, text)) return "";
    return words.approval.notAnAnswer(describeChoices(open, words));
  }

  /** False when the text is not an answer. */
  answer(sessionKey: string, text: string): boolean {
    const word = readApprovalAnswer(text);
    return word !== undefined && this.settle(sessionKey, this.#pending.get(sessionKey)?.askId, word);
  }

  /** False when that question is no longer open. */
  settle(sessionKey: string, askId: string | undefined, word: Answer["scope"] | "no"): boolean {
    const pending = this.#pending.get(sessionKey);
    if (pending === undefined || pending.askId !== askId) return false;
    if (word === "no") pending.settle({ isAllowed: false, scope: "once", reason: "the owner said no" });
    else pending.settle({ isAllowed: true, scope: toScope(word, pending.request) });
    return true;
  }
}
