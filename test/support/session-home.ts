// A home with a session store on the real disk, and what was logged about it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Log } from "../../src/lib/log.ts";
import type { Message } from "../../src/llm/types.ts";
import type { NewEntry } from "../../src/storage/sessions/format/message.ts";
import type { EpochRecord } from "../../src/storage/sessions/metadata.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface SessionHome {
  home: string;
  root: string;
  workspace: string;
  clock: FakeClock;
  /** Names of the events that were logged. */
  logged: string[];
  /** A store as a new process would open it. */
  openStore(workspace?: string): Promise<SessionManager>;
}

export async function createSessionHome(): Promise<SessionHome> {
  const home = await createTemporaryFolder();
  const [root, workspace] = [join(home, "sessions"), join(home, "workspace")];
  const clock = createFakeClock();
  const logged: string[] = [];
  async function openStore(place: string = workspace): Promise<SessionManager> {
    return SessionManager.open({ root, workspace: place, clock, log: createRecordingLog(logged) });
  }
  return { home, root, workspace, clock, logged, openStore };
}

export function createRecordingLog(events: string[]): Log {
  const record = (event: string) => void events.push(event);
  return { debug: record, info: record, warn: record, error: record };
}

export function said(id: string, text: string): NewEntry {
  return { id, turn: id, message: { role: "user", content: text } };
}

export function answered(id: string, text: string): NewEntry {
  const message: Message = { role: "assistant", content: text };
  return { id, turn: id.split(".")[0] ?? id, message };
}

export function sampleEpoch(from = 0): EpochRecord {
  return { hash: "0".repeat(32), model: "m", startedAt: 1, from, seen: {} };
}

/** Only the texts of a session, which is what most tests are about. */
export function textsOf(session: { recent: readonly Message[] }): unknown[] {
  return session.recent.map(({ content }) => content);
}

export async function readRecords(path: string): Promise<Array<Record<string, unknown>>> {
  const text = await readFile(path, "utf8");
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
