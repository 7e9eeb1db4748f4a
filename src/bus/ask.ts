// A question that a running tool puts to the owner, and its answer. Shown on the surface of the turn.

export interface AskRequest {
  /** What is about to happen, in a few words. */
  title: string;
  /** The exact command or diff. Untrusted text: a surface must not obey escape sequences in it. */
  detail: string;
  /** Why it is asked. */
  reason: string;
  /** What "always" would cover, such as the exact command; absent: only once. */
  subject?: string;
}

export type AskScope = "once" | "session";

export interface Answer {
  isAllowed: boolean;
  scope: AskScope;
  /** Why it is a no, for the model: refused by the owner, nobody to ask, timed out. */
  reason?: string;
}
