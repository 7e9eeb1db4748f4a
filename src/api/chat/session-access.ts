// Which conversations a viewer may see and speak in. An owner sees all; a guest only what is the guest's own,
// and to a guest everything else is as if it were not there.
import { parseSessionKey } from "../../bus/session-key.ts";
import { fail, type UserError } from "../../i18n/user-error.ts";
import { toOneLine } from "../../lib/text.ts";
import { fromScope, ownerScope, type Scope, scopeOf } from "../../storage/scope.ts";
import type { Session } from "../../storage/sessions/session.ts";
import type { StoredCard } from "../../storage/sessions/session-cards.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { Viewer } from "../operation.ts";
import type { LiveConversations, SessionCard } from "./wire.ts";

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

/** The guest who gets the events of a conversation; only owners get those of others. */
export function toAudience(scope: Scope): { person?: string } {
  const { role, person } = fromScope(scope);
  return role === "guest" ? { person } : {};
}

export function missing(): UserError {
  return fail("chat.not-found");
}

type Facts = Pick<StoredCard, "key" | "scope" | "isClosed" | "preview" | "metadata" | "spokenAt">;

const longestTitle = 120;

export class SessionCards {
  readonly #sessions: SessionManager;
  readonly #live: Pick<LiveConversations, "isRunning" | "isAsking" | "stateOf">;

  constructor(sessions: SessionManager, live: Pick<LiveConversations, "isRunning" | "isAsking" | "stateOf">) {
    this.#sessions = sessions;
    this.#live = live;
  }

  /** Pinned ones first, then the most recent. The owner sees those of guests, too. */
  async list(viewer: Viewer, { archived = false } = {}): Promise<SessionCard[]> {
    const stored = await (viewer.role === "owner"
      ? this.#sessions.listAll({ archived })
      : this.#sessions.list(scopeOf(viewer), { archived }));
    return stored
      .filter(({ sessionKey }) => parseSessionKey(sessionKey).kind === "chat")
      .map((facts) => this.#toCard(facts))
      .filter(({ isArchived }) => isArchived === archived)
      .sort((a, b) => Number(b.isPinned) - Number(a.isPinned) || b.updatedAt - a.updatedAt);
  }

  /** Also of one that has no file yet. */
  async of(sessionKey: string, scope: Scope): Promise<SessionCard> {
    const card = await this.#sessions.cardOf(sessionKey, scope);
    return this.#toCard(card ?? this.#imagine(sessionKey, scope));
  }

  #imagine(key: string, scope: Scope): Facts {
    const [said] = this.#live.stateOf(key).said;
    const facts = { preview: said?.text ?? "", metadata: {}, spokenAt: said?.at ?? 0 };
    return { key, scope, isClosed: false, ...facts };
  }

  #toCard({ key, scope, isClosed, preview, metadata, spokenAt }: Facts): SessionCard {
    const { person: guest } = toAudience(scope);
    return {
      key,
      title: toOneLine(metadata.title || preview, longestTitle),
      updatedAt: spokenAt,
      isPinned: metadata.pinned === true,
      isArchived: isClosed || metadata.archived === true,
      ...(metadata.folder && { folder: metadata.folder }),
      isRunning: this.#live.isRunning(key),
      isAsking: this.#live.isAsking(key),
      isClosed,
      ...(metadata.seenAt !== undefined && { seenAt: metadata.seenAt }),
      ...(guest !== undefined && { guest }),
    };
  }
}
