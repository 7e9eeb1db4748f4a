// A question that a running tool puts to the owner, and its answer. Shown on the surface of the turn.

/** What a yes could cost: the kind of it, which a surface puts into words. */
export type Risk =
  | "files"
  | "instructions"
  | "command"
  | "network"
  | "people"
  | "later"
  | "alone"
  | "foreign";

export interface AskRequest {
  /** What is about to happen, in a few words. */
  title: string;
  /** The exact command or diff. Nothing in it hides: the guards have made everything visible. */
  detail: string;
  /** Why it is asked. */
  reason: string;
  risk?: Risk;
  /** Sources of untrusted content in the conversation, when they are why it is asked. */
  labels?: string[];
  /** What "always" would cover, such as the exact command; absent: only once. */
  subject?: string;
  /** The subject says all of it: a yes may hold for ever, not only for the session. */
  isExact?: boolean;
}

/** How long a yes holds: for this call, for the subject in this session, for the subject until it is taken back. */
export type AskScope = "once" | "session" | "always";

export interface Answer {
  isAllowed: boolean;
  scope: AskScope;
  /** Why it is a no, for the model: refused by the owner, nobody to ask, timed out. */
  reason?: string;
}

/** A question that nobody answers in this time is answered by a no. */
export const askLimitMs = 10 * 60_000;
export const unanswered: Answer = {
  isAllowed: false,
  scope: "once",
  reason: "nobody answered within 10 minutes",
};

/** What a person may choose is what the question allows, and never more. */
export function toScope(word: AskScope, { subject, isExact = false }: AskRequest): AskScope {
  if (word === "once" || subject === undefined) return "once";
  return word === "always" && isExact ? "always" : "session";
}
