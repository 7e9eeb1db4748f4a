// Whose memory a message belongs to, and whose may be recalled when it is answered. Never anybody else's.
import { parseSessionKey } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";

type Whose = Pick<Origin, "group" | "role" | "person">;

export const ownerScope = "owner";

/** `owner`, `person:<id>`, or `group:<id>`: what was said in private stays out of a group, also for the owner. */
export function scopeOf({ group, role, person }: Whose): string {
  if (group !== undefined) return `group:${group}`;
  return role === "owner" ? ownerScope : `person:${person}`;
}

/** As a conversation says it of itself; one that says nothing is the owner's. */
export function readScope({ scope }: Readonly<Record<string, unknown>>): string {
  return typeof scope === "string" && scope !== "" ? scope : ownerScope;
}

/** The way back from `scopeOf`. */
export function fromScope(scope: string): Whose {
  const [, kind, id = ""] = /^(person|group):(.*)$/s.exec(scope) ?? [];
  if (kind === "person") return { role: "guest", person: id };
  return { role: "owner", person: "owner", ...(kind === "group" && { group: id }) };
}

/** The origin of a stored conversation, for background work on it: from its key and its scope. */
export function originOf(sessionKey: string, scope: string): Origin {
  const { kind: _, person: __, ...address } = parseSessionKey(sessionKey);
  const whose = fromScope(scope);
  const format = address.channel === "cli" ? "terminal" : "markdown";
  return { ...address, senderId: whose.person, ...whose, cause: "user", format };
}

/** A session key for records that must not pass from one person to another who uses the same session key later. */
export function toScopedKey(sessionKey: string, origin: Whose): string {
  const scope = scopeOf(origin);
  return scope === ownerScope ? sessionKey : `${sessionKey}:${scope}`;
}
