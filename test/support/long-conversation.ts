// A home of the real program with a conversation that no longer fits the window, so that the next turn has to archive
// some of it first; and a look at what became of it.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../../src/lib/clock.ts";
import { silentLog } from "../../src/lib/log.ts";
import { type HistoryEntry, parseEntry } from "../../src/storage/documents/history-log.ts";
import type { Session } from "../../src/storage/sessions/session.ts";
import { SessionManager } from "../../src/storage/sessions/session-manager.ts";
import type { FakeModelReply, FakeModelRequest } from "./fake-model.ts";
import { configFor, createProgramHome, type ProgramHome } from "./run-program.ts";
import { answered, said } from "./session-home.ts";

export const storedTurns = 14;

export interface Aftermath {
  session: Session;
  entries: HistoryEntry[];
  /** Lines of today's note. */
  notes: string[];
}

export function isArchiving({ messages }: FakeModelRequest): boolean {
  return /will be left out from now on/.test(JSON.stringify(messages.at(-1)));
}

export function answerOrSummarise(request: FakeModelRequest): FakeModelReply {
  return { text: isArchiving(request) ? "- they talked at length" : "Here I am." };
}

export async function createLongConversation(apiBase: string): Promise<ProgramHome> {
  const defaults = { provider: "custom", model: "test", contextWindowTokens: 12_000, maxTokens: 1_000 };
  const home = await createProgramHome(configFor(apiBase, { agents: { defaults } }), { TZ: "UTC" });
  const session = await openSession(home.home);
  for (let turn = 0; turn < storedTurns; turn++) {
    await session.append([
      said(`m${turn}`, `Question ${turn}: ${"why ".repeat(300)}`),
      answered(`m${turn}.1`, `Answer ${turn}: ${"so ".repeat(300)}`),
    ]);
  }
  return home;
}

/** From a home that may be a copy of the one that was worked in. */
export async function readAftermath(home: string): Promise<Aftermath> {
  const memory = join(home, "workspace", "memory");
  const today = new Date().toISOString().slice(0, 10);
  const [history, note] = await Promise.all(
    ["history.jsonl", `${today}.md`].map((name) => readFile(join(memory, name), "utf8").catch(() => "")),
  );
  const lines = (text = "") => text.split("\n").filter((line) => line !== "");
  return {
    session: await openSession(home),
    entries: lines(history).flatMap((line) => parseEntry(line) ?? []),
    notes: lines(note).filter((line) => line.includes("they talked")),
  };
}

async function openSession(home: string): Promise<Session> {
  const [root, workspace] = [join(home, "sessions"), join(home, "workspace")];
  const store = await SessionManager.open({ root, workspace, clock: systemClock, log: silentLog });
  return store.open("cli:direct", "owner");
}
