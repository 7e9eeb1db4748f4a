// One thing of another assistant's home, with what happens to it here.
import type { Phrase } from "../../i18n/phrase.ts";
import type { TakenItems } from "../../storage/foreign/taken-items.ts";

export type MoveKind =
  | "prompt"
  | "memory"
  | "note"
  | "document"
  | "skill"
  | "conversation"
  | "job"
  | "model"
  | "host"
  | "channel"
  | "secret"
  | "server"
  | "file";

export interface MoveItem {
  kind: MoveKind;
  /** What it is called there. */
  name: string;
  /** Where it is read from. */
  from: string;
  /** Where it goes. */
  to?: string;
  /** `beside`: the file here stays, and this one is put next to it; `leave`: it is not taken, for the reason. */
  action: "add" | "merge" | "beside" | "same" | "leave" | "failed";
  reason?: Phrase;
}

export interface Step {
  item: MoveItem;
  /** Identifies it and its content in the list of items already taken. */
  mark: readonly string[];
  /** A key is in its text. */
  holdsKey?: boolean;
  /** Repeatable: where it is done already it does nothing. Absent: nothing is to be done. */
  carryOut?(): Promise<void>;
}

/** An item is taken only once. */
export function withoutTaken(step: Step, taken: TakenItems): Step {
  const { item, mark } = step;
  if (step.carryOut === undefined || !taken.has(...mark)) return step;
  return { item: { ...item, action: "same" }, mark };
}

export function leave(item: Omit<MoveItem, "action">, reason: Phrase): Step {
  return { item: { ...item, action: "leave", reason }, mark: [] };
}
