// Which conversations a viewer may see and speak in. An owner sees all; a guest only what is the guest's own,
// and to a guest everything else is as if it were not there.
import { parseSessionKey } from "../../bus/session-key.ts";
import { fail, type UserError } from "../../i18n/user-error.ts";
import { fromScope, ownerScope, type Scope, scopeOf } from "../../storage/scope.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
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

export class SessionAccess {
  readonly #sessions: SessionManager;

  constructor(sessions: SessionManager) {
    this.#sessions = sessions;
  }

  async open(sessionKey: string, viewer: Viewer): Promise<SeenSession> {
    const scope = await this.scopeFor(sessionKey, viewer);
    const session = await this.#sessions.find(sessionKey, scope);
    if (session === undefined || !mayBegin(session, sessionKey, viewer)) throw missing();
    const isClosed = session.isClosed;
    const isOthers = viewer.role === "owner" && fromScope(scope).role === "guest";
    return { session, scope, isClosed, isReadOnly: isClosed || isOthers };
  }

  /** One that can be spoken in or changed. */
  async openForWriting(sessionKey: string, viewer: Viewer): Promise<SeenSession> {
    const seen = await this.open(sessionKey, viewer);
    if (!seen.isReadOnly) return seen;
    throw fail("chat.read-only");
  }

  /** In which a viewer asks for a conversation: the owner in that of the conversation, a guest in no other than the own. */
  async scopeFor(sessionKey: string, viewer: Viewer): Promise<Scope> {
    if (viewer.role !== "owner") return scopeOf(viewer);
    return (await this.#sessions.scopeOf(sessionKey)) ?? ownerScope;
  }
}

/** A guest begins conversations under keys that have the guest's name. */
function mayBegin({ scope, count }: Session, sessionKey: string, { person, role }: Viewer): boolean {
  const isNew = scope === undefined && count === 0;
  return !isNew || role === "owner" || parseSessionKey(sessionKey).person === person;
}

/** The guest who is told of what happens in a conversation; of others only owners hear. */
export function toAudience(scope: Scope): { person?: string } {
  const { role, person } = fromScope(scope);
  return role === "guest" ? { person } : {};
}

export function missing(): UserError {
  return fail("chat.not-found");
}
