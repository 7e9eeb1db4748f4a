// Questions that wait for a person's answer, at most one a session. A tool asks through `ToolContext.ask`, a slash command
// through `CommandContext.ask`, which is also where an operation's question goes that a slash command runs; all come here
// by the surface of their message:
//
//   const { choice } = await context.ask({ phrase: phrase("memory.forget", { count }), detail, choices: yesOrNo });
//   if (choice !== "yes") return ...
//
// Every surface shows the live event `ask-start`. The answer comes by the question's id (`settle`: a button of the page, the
// terminal) or as an ordinary message of that session (`reply`). A message that is not one of the choices means no, and
// goes on as a message. A button of a chat app comes as an inbound message that is `pressed`. Approvals are the owner's to answer; a choice is for the person whose command or turn asks it.
import {
  type Answer,
  askLimitMs,
  nobodyToAsk,
  noChoice,
  type Question,
  readButtonToken,
  toChosen,
  unanswered,
} from "../bus/ask.ts";
import type { LiveBody } from "../bus/live.ts";
import type { InboundMessage, Origin } from "../bus/types.ts";
import { readAnswer } from "../i18n/describe-ask.ts";
import { fail } from "../i18n/user-error.ts";
import { untilAborted } from "../lib/abort.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { CommandContext } from "./commands.ts";
import type { Job, Surface } from "./job.ts";

interface Pending {
  askId: string;
  question: Question;
  settle(answer: Answer): void;
  isOver: Promise<void>;
}

interface AskSurface {
  show(body: LiveBody): void;
  signal: AbortSignal;
}

type Person = Pick<Origin, "person" | "role">;

/** For a command: puts a question to the person who gave it. */
export function toCommandAsk({ inbound, surface }: Job, signal: AbortSignal): CommandContext["ask"] {
  return async (asked) => {
    if (surface.ask === undefined) throw fail("request.needs-answer");
    return surface.ask({ kind: "choice", person: inbound.origin.person, detail: "", ...asked }, signal);
  };
}

/** A schedule or trigger has no person watching, and in a guest's chat there is only the guest, who approves nothing. */
function isAttended({ cause, role, group }: Origin, { kind }: Question): boolean {
  if (["cron", "trigger", "heartbeat", "dream"].includes(cause)) return false;
  return kind === "choice" || role === "owner" || group !== undefined;
}

export class Questions {
  readonly #pending = new Map<string, Pending>();
  readonly #ids: Ids;
  readonly #clock: Clock;

  constructor(ids: Ids, clock: Clock) {
    this.#ids = ids;
    this.#clock = clock;
  }

  /** For the surface of a message: a no at once where no one can answer. */
  toAsk(sessionKey: string, origin: Origin, show: AskSurface["show"]): NonNullable<Surface["ask"]> {
    return async (question, signal) =>
      isAttended(origin, question) ? this.ask(sessionKey, question, { show, signal }) : nobodyToAsk;
  }

  /** Shows the question and waits for the answer, not for ever. Questions of one session wait for one another. */
  async ask(sessionKey: string, question: Question, surface: AskSurface): Promise<Answer> {
    for (let open = this.#pending.get(sessionKey); open !== undefined; open = this.#pending.get(sessionKey)) {
      await untilAborted(open.isOver, surface.signal);
    }
    surface.signal.throwIfAborted();
    const { promise, resolve: settle } = Promise.withResolvers<Answer>();
    const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
    const askId = this.#ids.next();
    const settled = new AbortController();
    let lastAnswer: Answer = unanswered;
    this.#pending.set(sessionKey, { askId, question, settle, isOver });
    surface.show({ type: "ask-start", askId, question });
    this.#clock.sleep(askLimitMs, settled.signal).then(
      () => settle(unanswered),
      () => {},
    );
    try {
      lastAnswer = await untilAborted(promise, surface.signal);
      return lastAnswer;
    } finally {
      settled.abort();
      this.#pending.delete(sessionKey);
      surface.show({ type: "ask-end", askId, chosen: toChosen(question, lastAnswer) });
      end();
    }
  }

  /** The question that is open in a session and that this person may answer. */
  openTo(sessionKey: string, by: Person): Question | undefined {
    const question = this.#pending.get(sessionKey)?.question;
    return question !== undefined && mayAnswer(question, by) ? question : undefined;
  }

  /** A message that came while a question is open. False: it was none of the choices, so that it means no, and is a message. */
  reply(sessionKey: string, { text, labels = [] }: Pick<InboundMessage, "text" | "labels">): boolean {
    const pending = this.#pending.get(sessionKey);
    if (pending === undefined) return false;
    const choice = readAnswer(pending.question, text);
    // Content from others comes only with the message, which says so.
    const isOwn = labels.length === 0 && text.trim() !== "";
    pending.settle(choice === undefined ? { choice: noChoice, ...(isOwn && { text }) } : { choice });
    const { question } = pending;
    return choice !== undefined || (isOwn && question.kind === "choice" && question.takesText === true);
  }

  /** What came from a person: whether it is an answer, or at least no more than that. */
  take(
    inbound: Pick<InboundMessage, "sessionKey" | "origin" | "text" | "labels" | "pressed">,
    isCommand: boolean,
  ) {
    const { sessionKey, origin, pressed } = inbound;
    if (pressed !== undefined) {
      this.#press(sessionKey, pressed, origin);
      return true;
    }
    const open = this.openTo(sessionKey, origin);
    // Another command is given in place of an answer to the one before.
    return open !== undefined && (!isCommand || open.kind === "choice") && this.reply(sessionKey, inbound);
  }

  /** A button of a question that is over, or not for this person, does nothing. */
  #press(sessionKey: string, token: string, by: Person): void {
    const pending = this.#pending.get(sessionKey);
    const choice = pending && choiceOf(pending, token);
    if (pending !== undefined && choice !== undefined && mayAnswer(pending.question, by))
      pending.settle({ choice });
  }

  /** False when that question is no longer open, or not for this person, or has no such choice. */
  settle(sessionKey: string, { askId, ...answer }: Answer & { askId: string }, by: Person): boolean {
    const pending = this.#pending.get(sessionKey);
    if (pending?.askId !== askId || !mayAnswer(pending.question, by)) return false;
    if (!pending.question.choices.some(({ id }) => id === answer.choice)) return false;
    pending.settle(answer);
    return true;
  }
}

/** The choice of a button of the question. */
function choiceOf({ question, askId }: Pending, token: string): string | undefined {
  const pressed = readButtonToken(token);
  return pressed?.askId === askId ? question.choices[pressed.position]?.id : undefined;
}

function mayAnswer(question: Question, { person, role }: Person): boolean {
  return question.kind === "approval" ? role === "owner" : person === question.person;
}
