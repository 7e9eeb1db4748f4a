// Which conversations a viewer may see and speak in. An owner sees all; a guest only what is the guest's own,
// and to a guest everything else is as if it were not there.

import { access, readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseSessionKey } from "../../bus/session-key.ts";
import { fail, type UserError } from "../../i18n/user-error.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import { fromScope, type Scope, scopeOf } from "../../storage/scope.ts";
import { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import { parseFileName, toFileName, toStem } from "../../storage/sessions/session-name.ts";
import type { Viewer } from "../operation.ts";

export interface SeenSession {
  session: Session;
  /** Whose it is: `owner`, `person:<id>` or `group:<id>`. */
  scope: Scope;
  /** By `/new`. */
  isClosed: boolean;
  /** Nothing can be said in it. */
  isReadOnly: boolean;
}

export interface SessionAccessOptions {
  sessions: SessionManager;
  clock: Clock;
  log: Log;
}

/** Of a conversation that `/new` closed: its key may belong to a newer one. */
export function toClosedKey(key: string, stamp: string): string {
  return `${key}@${stamp}`;
}

/** The name of the file that such a key, or an ordinary one, has. */
export function toNameOf(sessionKey: string): { name: string; isClosed: boolean } {
  const [, key = sessionKey, stamp] = /^(.+)@(\d{8}T\d{9}(?:-\d+)?)$/s.exec(sessionKey) ?? [];
  const isClosed = stamp !== undefined;
  return { name: toFileName(isClosed ? `${toStem(key)}.${stamp}` : toStem(key)), isClosed };
}

export class SessionAccess {
  readonly #options: SessionAccessOptions;

  constructor(options: SessionAccessOptions) {
    this.#options = options;
  }

  async open(sessionKey: string, viewer: Viewer): Promise<SeenSession> {
    const { name, isClosed } = toNameOf(sessionKey);
    const session = await (isClosed
      ? this.#openClosed(sessionKey, name)
      : this.#options.sessions.open(sessionKey));
    const scope = scopeOfSession(session, viewer);
    if (!maySee(scope, viewer)) throw missing();
    const isOthers = viewer.role === "owner" && fromScope(scope).role === "guest";
    return { session, scope, isClosed, isReadOnly: isClosed || isOthers };
  }

  /** One that can be spoken in or changed. */
  async openForWriting(sessionKey: string, viewer: Viewer): Promise<SeenSession> {
    const seen = await this.open(sessionKey, viewer);
    if (!seen.isReadOnly) return seen;
    throw fail("chat.read-only");
  }

  /** Under which key a message that was said in a session is found now: its own, or that of one that was closed. */
  async locate(key: string, entryId: string): Promise<string> {
    const { sessions } = this.#options;
    if ((await sessions.open(key)).has(entryId)) return key;
    const stem = toStem(key);
    for (const name of await readdir(sessions.folder)) {
      const parsed = parseFileName(name);
      if (parsed?.stem !== stem || !parsed.isArchived) continue;
      const closed = toClosedKey(key, name.slice(stem.length + 1, -toFileName("").length));
      if ((await this.#openClosed(closed, name)).has(entryId)) return closed;
    }
    return key;
  }

  async #openClosed(key: string, name: string): Promise<Session> {
    const { sessions, clock, log } = this.#options;
    const path = join(sessions.folder, name);
    await access(path).catch(() => {
      throw missing();
    });
    const session = new Session({ key, path, clock, log });
    await session.refresh();
    return session;
  }
}

/** What a stored conversation says of itself; a new one is whose name its key has. */
function scopeOfSession(session: Session, { person, role }: Viewer): Scope {
  if (session.scope !== undefined) return session.scope;
  const isNew = session.count === 0;
  const isOwnName = parseSessionKey(session.key).person === person;
  return isNew && role === "guest" && isOwnName ? scopeOf({ role, person }) : "owner";
}

export function maySee(scope: Scope, { person, role }: Viewer): boolean {
  return role === "owner" || scope === scopeOf({ role, person });
}

/** The guest who is told of what happens in a conversation; of others only owners hear. */
export function toAudience(scope: Scope): { person?: string } {
  const { role, person } = fromScope(scope);
  return role === "guest" ? { person } : {};
}

export function missing(): UserError {
  return fail("chat.not-found");
}
