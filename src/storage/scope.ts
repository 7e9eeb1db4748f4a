// Whose memory a message belongs to, and whose may be recalled when it is answered.
import { parseSessionKey } from "../bus/session-key.ts";
import type { Origin } from "../bus/types.ts";

type Whose = Pick<Origin, "group" | "role" | "person">;

/** Whose something durable is. What was said in private stays out of a group, also for the owner. */
export type Scope = "owner" | `person:${string}` | `group:${string}`;

export const ownerScope = "owner" satisfies Scope;

export function isScope(value: unknown): value is Scope {
  return typeof value === "string" && (value === ownerScope || /^(person|group):/.test(value));
}

export function scopeOf({ group, role, person }: Whose): Scope {
  if (group !== undefined) return `group:${group}`;
  return role === "owner" ? ownerScope : `person:${person}`;
}

/** The way back from `scopeOf`. */
export function fromScope(scope: Scope): Whose {
  const [, kind, id = ""] = /^(person|group):(.*)$/s.exec(scope) ?? [];
  if (kind === "person") return { role: "guest", person: id };
  return { role: "owner", person: "owner", ...(kind === "group" && { group: id }) };
}

/** The origin of a stored conversation, for background work on it: from its key and its scope. */
export function originOf(sessionKey: string, scope: Scope): Origin {
  const { kind: _, person: __, ...address } = parseSessionKey(sessionKey);
  const whose = fromScope(scope);
  const format = address.channel === "cli" ? "terminal" : "markdown";
  return { ...address, senderId: whose.person, ...whose, cause: "user", format };
}
