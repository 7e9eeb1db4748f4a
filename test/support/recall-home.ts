// A home with sessions, memory files and an index of them, on the real disk and with the real thread.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import { Recall, type RecallOptions } from "../../src/recall/recall.ts";
import type { SessionMetadata } from "../../src/storage/sessions/metadata.ts";
import type { SessionManager } from "../../src/storage/sessions/session-manager.ts";
import { createRecordingLog, createSessionHome, type SessionHome } from "./session-home.ts";

export interface RecallHome extends SessionHome {
  store: SessionManager;
  recall: Recall;
  /** A thread as a new process would start it. */
  openRecall(options?: Partial<RecallOptions>): Recall;
  /** Appends what a user says to a session, each with an id of its own; a metadata line comes first. */
  say(key: string, texts: string[], metadata?: SessionMetadata): Promise<void>;
  write(path: string, text: string): Promise<void>;
  /** Texts that are found, best first. */
  find(query: string, options?: { scope?: string; session?: string }): Promise<string[]>;
}

export async function createRecallHome(): Promise<RecallHome> {
  const base = await createSessionHome();
  const { home, workspace, clock, logged } = base;
  const store = await base.openStore();
  let said = 0;

  function openRecall(options: Partial<RecallOptions> = {}): Recall {
    const places = { home, sessionsFolder: store.folder, workspace, knowledge: [] };
    const recall = new Recall({ ...places, clock, log: createRecordingLog(logged), ...options });
    onTestFinished(() => recall.close());
    return recall;
  }

  async function say(key: string, texts: string[], metadata?: SessionMetadata): Promise<void> {
    const session = await store.open(key, (await store.scopeOf(key)) ?? "owner");
    if (metadata !== undefined) await session.updateMetadata(metadata);
    for (const text of texts) {
      said += 1;
      const message = { role: "user" as const, content: text };
      await session.append([{ id: `t${said}`, turn: `t${said}`, message }]);
    }
  }

  async function write(path: string, text: string): Promise<void> {
    const file = join(workspace, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text);
  }

  const recall = openRecall();
  async function find(query: string, options: { scope?: string; session?: string } = {}): Promise<string[]> {
    const { hits } = await recall.search({ query, scope: "owner", ...options });
    return hits.map(({ text }) => text);
  }

  return { ...base, store, recall, openRecall, say, write, find };
}
