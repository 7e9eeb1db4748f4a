// Whose memory a message belongs to, and whose may be recalled when it is answered. Never anybody else's.
import type { Origin } from "./types.ts";

/** `owner`, `person:<id>`, or `group:<id>`: what was said in private stays out of a group, also for the owner. */
export function scopeOf({ group, role, person }: Pick<Origin, "group" | "role" | "person">): string {
  if (group !== undefined) return `group:${group}`;
  return role === "owner" ? "owner" : `person:${person}`;
}
