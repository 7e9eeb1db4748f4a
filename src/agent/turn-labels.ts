// Which sources of untrusted content are in a conversation's prompt, and what the owner wrote in a turn.
import type { InboundMessage } from "../bus/types.ts";
import { guestLabel, joinLabels, labelsOf } from "../lib/labels.ts";
import type { Session } from "../storage/sessions/session.ts";

/** The given labels and those of the messages in the prompt: what left the prompt takes its labels with it. */
export function labelsInPrompt(session: Session, labels: readonly string[] = []): string[] {
  const from = session.metadata.epoch?.from ?? 0;
  return joinLabels(labels, session.slice(from).flatMap(labelsOf));
}

/** Labels of an inbound message: a guest's words in a group carry the guest's label; in private they need none. */
export function labelsOfInbound({
  origin,
  labels = [],
}: Pick<InboundMessage, "origin" | "labels">): string[] {
  const isGuest = origin.role === "guest" && origin.group !== undefined;
  return joinLabels(labels, isGuest ? [guestLabel(origin.person)] : []);
}

/** What the owner typed; "" for messages of others, of a schedule, or with labels. */
export function toOwnWords({ origin, kind, labels = [], text }: InboundMessage): string {
  const isTyped = origin.cause === "user" || origin.cause === "api";
  return origin.role === "owner" && isTyped && kind !== "system" && labels.length === 0 ? text : "";
}
