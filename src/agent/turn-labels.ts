// Which sources of untrusted content are in a conversation's prompt, and what the owner wrote in a turn.
import type { InboundMessage, Origin } from "../bus/types.ts";
import { joinLabels, labelsOf, toLabel } from "../lib/labels.ts";
import type { Session } from "../storage/sessions/session.ts";

/** Beside those that are given: those of the messages that are sent, and of no others: what fell out of the prompt is forgotten with it. */
export function labelsInPrompt(session: Session, labels: readonly string[] = []): string[] {
  const from = session.metadata.epoch?.from ?? 0;
  return joinLabels(labels, session.slice(from).flatMap(labelsOf));
}

/** Of a message as it came in: what a guest says in a group is a guest's. In private nobody else hears it. */
export function labelsOfInbound({
  origin,
  labels = [],
}: Pick<InboundMessage, "origin" | "labels">): string[] {
  const isGuest = origin.role === "guest" && origin.group !== undefined;
  return joinLabels(labels, isGuest ? [guestLabel(origin)] : []);
}

/** A guest's own words do not speak against the guest: there the role is the limit. */
export function withoutOwn(labels: readonly string[], origin: Origin): string[] {
  return origin.role === "guest" ? labels.filter((label) => label !== guestLabel(origin)) : [...labels];
}

/** "" for what was said by others, by a schedule, or came in from elsewhere under the owner's name. */
export function toOwnWords({ origin, kind, labels = [], text }: InboundMessage): string {
  const isTyped = origin.cause === "user" || origin.cause === "api";
  return origin.role === "owner" && isTyped && kind !== "system" && labels.length === 0 ? text : "";
}

function guestLabel({ person }: Origin): string {
  return toLabel("guest", person);
}
