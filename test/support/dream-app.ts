// An assistant with a history to dream about, and the two phases of its model.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CodeScript, ScriptStep } from "../../src/llm/scripted.ts";
import { HistoryLog, type NewHistoryEntry } from "../../src/storage/documents/history-log.ts";
import { createFakeClock, type FakeClock } from "./fake-clock.ts";
import { createTestApp, type TestApp, type TestAppOptions } from "./test-app.ts";

export interface DreamApp extends TestApp {
  clock: FakeClock;
  /** The text of a file of the workspace; "" where there is none. */
  file(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  /** The number that Dream has read to, for the owner. */
  cursor(): Promise<number>;
  /** What `/dream` answers. */
  dream(): Promise<string>;
}

export interface DreamAppOptions extends TestAppOptions {
  config?: unknown;
  history?: Array<string | NewHistoryEntry>;
  files?: Record<string, string>;
}

export const memory = "memory/MEMORY.md";

export async function createDreamApp(
  steps: CodeScript,
  { history = ["- has a cat named Luna"], files = {}, ...options }: DreamAppOptions = {},
): Promise<DreamApp> {
  const clock = createFakeClock();
  const app = await createTestApp(steps, { clock, ...options });
  const write = (path: string, text: string) => putFile(join(app.workspace, path), text);
  for (const [path, text] of Object.entries(files)) await write(path, text);
  await addHistory(app.workspace, history, clock);
  return {
    ...app,
    clock,
    write,
    file: (path) => readText(join(app.workspace, path)),
    cursor: () => new HistoryLog(app.workspace, clock).readDreamCursor(),
    dream: async () => (await app.loop.processDirect({ sessionKey: "cli:direct", text: "/dream" })).text,
  };
}

export async function addHistory(
  root: string,
  entries: Array<string | NewHistoryEntry>,
  clock: FakeClock,
): Promise<void> {
  const log = new HistoryLog(root, clock);
  for (const entry of entries) await log.append(typeof entry === "string" ? { content: entry } : entry);
}

/** One call of edit_file that adds a line behind another one. */
export function addLine(path: string, after: string, line: string): ScriptStep {
  return edit(path, after, `${after}\n${line}`);
}

export function edit(path: string, oldText: string, newText: string): ScriptStep {
  return {
    toolCalls: [{ name: "edit_file", arguments: { path, old_text: oldText, new_text: newText } }],
  };
}

export async function putFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

export function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return "";
  });
}
