// Questions to a person as data, and their answers. Anything that runs for a session may ask one: a tool (an approval, for
// the owner), a slash command, an operation or an MCP server (a choice, for the person who gave the command or in whose turn
// the server works). Every surface shows the question in its own way and answers with the id of a choice; words are chosen
// there, in the reader's language.
import { type Phrase, phrase } from "../i18n/phrase.ts";

export interface Choice {
  /** `no` refuses; it is also the answer where nobody has chosen. */
  id: string;
  /** As a button says it. */
  phrase: Phrase;
}

interface Asked {
  /** What is asked, or what is about to happen, in one line. */
  phrase: Phrase;
  /** Exactly what it is about, such as a command, a diff or the lines to be removed; "" where the line says it. */
  detail: string;
  choices: readonly Choice[];
}

/** A tool wants to do something that the owner decides on. The choices are how long a yes holds. */
export interface Approval extends Asked {
  kind: "approval";
  reasons: readonly Phrase[];
  /** What a yes could cost. */
  risk: Phrase;
  /** Sources of untrusted content in the conversation, when they are why it is asked. */
  labels?: readonly string[];
  /** What a lasting yes would cover, such as the exact command; absent: only once. */
  subject?: string;
}

/** A command, an operation or an MCP server needs a decision of the person for whom it works. */
export interface Choosing extends Asked {
  kind: "choice";
  /** Nobody else may answer. */
  person: string;
  /** Typed text that is not a choice is the answer, not a message. */
  takesText?: true;
}

export type Question = Approval | Choosing;

/** What a command or an operation asks; its caller knows the person. The last choice refuses. */
export type Asking = Pick<Choosing, "phrase" | "choices"> & Partial<Pick<Choosing, "detail" | "takesText">>;

export interface Answer {
  /** The id of one of the choices; `no` also where nobody has chosen. */
  choice: string;
  /** What the person wrote instead of choosing: no, and this. Where the question takes text, it is the answer. */
  text?: string;
  /** Why nobody has chosen: there was nobody to ask, or no answer came in time. */
  silence?: "nobody" | "late";
}

export const noChoice = "no";
export const nobodyToAsk: Answer = { choice: noChoice, silence: "nobody" };

/** A question that nobody answers in this time is answered by a no. */
export const askLimitMs = 10 * 60_000;
export const unanswered: Answer = { choice: noChoice, silence: "late" };

/** `session`: there is a subject that a yes may cover; `always`: it may do so for ever, in these words. */
export function toApprovalChoices({
  session = false,
  always = false,
}: {
  session?: boolean;
  always?: boolean | Phrase;
} = {}): Choice[] {
  return [
    { id: "once", phrase: phrase("approval.once") },
    ...(session ? [{ id: "session", phrase: phrase("approval.session") }] : []),
    ...(session && always !== false
      ? [{ id: "always", phrase: always === true ? phrase("approval.always") : always }]
      : []),
    { id: noChoice, phrase: phrase("approval.refuse") },
  ];
}

/** For a question that is answered by yes or no. */
export const yesOrNo: readonly Choice[] = [
  { id: "yes", phrase: phrase("choice.yes") },
  { id: noChoice, phrase: phrase("choice.no") },
];

/** What a button hands back. The position represents the choice, whose id may be longer than a platform takes. */
export function toButtonToken(askId: string, position: number): string {
  return `${askId}.${position}`;
}

/** Undefined: no token of ours. */
export function readButtonToken(token: string): { askId: string; position: number } | undefined {
  const [, askId, position] = /^([a-z0-9]{1,40})\.(\d{1,3})$/.exec(token) ?? [];
  return askId === undefined ? undefined : { askId, position: Number(position) };
}

/** What the person chose, as the question names it. */
export function toChosen({ choices }: Question, { choice }: Answer): Phrase {
  return choices.find(({ id }) => id === choice)?.phrase ?? phrase("choice.no");
}
