// The list of conversations as viewers see it: what is stored of them, and what happens in them now.
import { parseSessionKey } from "../../bus/session-key.ts";
import { toOneLine } from "../../lib/text.ts";
import { type Scope, scopeOf } from "../../storage/scope.ts";
import type { StoredCard } from "../../storage/sessions/session-cards.ts";
import type { SessionManager } from "../../storage/sessions/session-manager.ts";
import type { Viewer } from "../operation.ts";
import type { LiveConversations } from "./live.ts";
import { toAudience } from "./session-access.ts";
import type { SessionCard } from "./wire.ts";

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
      isRunning: this.#live.isRunning(key),
      isAsking: this.#live.isAsking(key),
      isClosed,
      ...(guest !== undefined && { guest }),
    };
  }
}
