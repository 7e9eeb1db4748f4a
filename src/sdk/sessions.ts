// The conversations of a workspace, for a program: to look at, to take along, to end.
import type { App } from "../app/build-app.ts";
import { toLocalIso } from "../lib/clock.ts";
import { ownerScope } from "../storage/scope.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import type { SessionMetadata } from "../storage/sessions/metadata.ts";
import type { StoredCard } from "../storage/sessions/session-cards.ts";

export interface SessionSummary {
  key: string;
  path: string;
  /** Local time without a zone, like every time of a session. */
  updatedAt: string;
  bytes: number;
  /** What the user said first, in one short line. */
  preview: string;
  /** Closed by `/new`; its key may belong to a newer conversation. */
  isArchived: boolean;
}

export interface SessionRecord {
  key: string;
  /** Local times without a zone. */
  createdAt: string;
  updatedAt: string;
  messages: readonly StoredMessage[];
  metadata: SessionMetadata;
}

export interface Sessions {
  /** Most recent first. `archived`: also those that were closed. */
  list(options?: { archived?: boolean }): Promise<SessionSummary[]>;
  /** Undefined where there is none of this key. */
  get(key: string): Promise<SessionRecord | undefined>;
  /** Its file as it is, one JSON object a line; undefined where there is none. */
  export(key: string): Promise<string | undefined>;
  /** Ends it as `/new` does: what was said is kept and searchable, and the next message starts a new conversation. */
  close(key: string): Promise<void>;
  /** Removes it for good; false where there is none. Not while a turn of it runs. */
  delete(key: string): Promise<boolean>;
}

export interface SessionsOptions {
  app: App;
  /** Whether a turn of this session runs. */
  isBusy(key: string): boolean;
}

export function createSessions({ app, isBusy }: SessionsOptions): Sessions {
  const { loop } = app;
  const { sessions, lock } = app.storage;
  // The program that runs the assistant is its owner: it asks for each conversation as for whose it is.
  const scopeFor = async (key: string) => (await sessions.scopeOf(key)) ?? ownerScope;
  return {
    list: async (options) => (await sessions.listAll(options)).map(toSummary),
    async get(key) {
      const session = await sessions.open(key, await scopeFor(key));
      const messages = await session.read();
      const { createdAt, updatedAt, metadata } = session;
      return messages.length === 0 ? undefined : { key, createdAt, updatedAt, messages, metadata };
    },
    export: async (key) => (await sessions.open(key, await scopeFor(key))).readText(),
    async close(key) {
      await loop.processDirect({ sessionKey: key, text: "/new" });
    },
    async delete(key) {
      if (isBusy(key)) throw new Error(`A turn of ${key} is running. Wait for it, or call it off.`);
      const release = await lock.acquire(`delete ${key}`);
      try {
        return await sessions.erase(key, await scopeFor(key));
      } finally {
        release();
      }
    },
  };
}

function toSummary({ sessionKey, path, changedAt, bytes, preview, isClosed }: StoredCard): SessionSummary {
  return { key: sessionKey, path, updatedAt: toLocalIso(changedAt), bytes, preview, isArchived: isClosed };
}
