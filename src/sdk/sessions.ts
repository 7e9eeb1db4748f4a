// The conversations of a workspace, for a program: to look at, to take along, to end.
import { readFile, rm } from "node:fs/promises";
import type { App } from "../app/build-app.ts";
import { ignoreMissing } from "../storage/files/plain-file.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import type { SessionMetadata } from "../storage/sessions/metadata.ts";
import type { SessionSummary } from "../storage/sessions/session-list.ts";

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

export interface SessionsGround {
  app: App;
  /** Whether a turn of this session runs. */
  isBusy(key: string): boolean;
}

export function createSessions({ app, isBusy }: SessionsGround): Sessions {
  const { sessions, loop, lock } = app;
  return {
    list: (options) => sessions.list(options),
    async get(key) {
      const session = await sessions.open(key);
      const messages = await session.read();
      const { createdAt, updatedAt, metadata } = session;
      return messages.length === 0 ? undefined : { key, createdAt, updatedAt, messages, metadata };
    },
    async export(key) {
      const { path } = await sessions.open(key);
      return readFile(path, "utf8").catch(ignoreMissing);
    },
    async close(key) {
      await loop.processDirect({ sessionKey: key, text: "/new" });
    },
    async delete(key) {
      if (isBusy(key)) throw new Error(`A turn of ${key} is running. Wait for it, or call it off.`);
      const release = await lock.acquire(`delete ${key}`);
      try {
        const path = await sessions.close(key);
        if (path !== undefined) await rm(path, { force: true });
        return path !== undefined;
      } finally {
        release();
      }
    },
  };
}
