// A home of 0.1.0 with the program of today: laid down in a temporary folder, opened, and read by a reader that shares
// nothing with the program.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { onTestFinished } from "vitest";
import { buildGateway } from "../../src/app/build-gateway.ts";
import { createWords } from "../../src/i18n/words.ts";
import { resolveHome } from "../../src/storage/home.ts";
import type { ChatScene } from "./chat-scene.ts";
import { listFiles } from "./fixture-home.ts";
import { type PythonSession, readPythonSession } from "./python-session-reader.ts";

/** Resolves with how to end it, once it serves. */
export type Serve = (scene: ChatScene) => Promise<() => Promise<void>>;

export interface Place {
  chat: { id: number; type: string };
  /** Who speaks there. */
  id: number;
}

export const ownerChat: Place = { id: 1000, chat: { id: 1000, type: "private" } };

/** The whole gateway, in this process. */
export const serveHere: Serve = async (scene) => {
  const env = { HOME: scene.see(), NANOBOT_HOME: scene.see(), PATH: process.env.PATH };
  const paths = resolveHome({ env });
  const words = createWords("english");
  const built = await buildGateway({ paths, env, words, page: () => "", onStop() {} });
  if (!built.ok) throw new Error(built.problems.join("\n"));
  const ending = new AbortController();
  const running = built.gateway.run(ending.signal);
  const stop = async () => {
    ending.abort(new Error("the test is over"));
    await running;
  };
  onTestFinished(stop);
  return stop;
};

/** A process of its own. */
export const serveByProgram: Serve = async (scene) => {
  scene.start();
  return () => scene.kill("SIGTERM");
};

export function say({ telegram }: ChatScene, { chat, id }: Place, text: string, message: object = {}): void {
  telegram.say(text, { chat, from: { id, is_bot: false, first_name: "P" }, message_id: 9_000, ...message });
}

export function toldIn({ telegram }: ChatScene, { chat }: Place): string[] {
  return telegram.messages.filter(({ chatId }) => chatId === String(chat.id)).map(({ text }) => text);
}

/** By the name of its file: of all conversations of a home, also of those that were closed. */
export async function readSessions(home: string): Promise<Map<string, PythonSession>> {
  const paths = (await listFiles(join(home, "sessions"))).filter(
    (path) => path.endsWith(".jsonl") && !path.includes("/pending/"),
  );
  return new Map(paths.map((path) => [path, readPythonSession(join(home, "sessions", path))]));
}

/** Of a person's or group's part of the workspace. */
export async function readSummaries(root: string): Promise<string[]> {
  const text = await readFile(join(root, "memory/history.jsonl"), "utf8").catch(() => "");
  return text.split("\n").flatMap((line) => (line === "" ? [] : (JSON.parse(line).content as string)));
}

/** What is neither done nor sent. */
export function readOpenRows(home: string): unknown[] {
  const database = new DatabaseSync(join(home, "state.db"), { readOnly: true });
  try {
    const inbox = database.prepare("SELECT id, state FROM inbox WHERE state <> 'done'").all();
    return [...inbox, ...database.prepare("SELECT id, state FROM outbox WHERE state <> 'sent'").all()];
  } finally {
    database.close();
  }
}

/** Messages that are gone or changed, that are there twice, and calls without exactly one result. */
export function findFaults(
  before: ReadonlyMap<string, PythonSession>,
  after: ReadonlyMap<string, PythonSession>,
): string[] {
  const faults: string[] = [];
  for (const [path, { messages }] of before)
    for (const [index, message] of messages.entries())
      if (JSON.stringify(after.get(path)?.messages[index]) !== JSON.stringify(message))
        faults.push(`${path}: message ${index} is lost`);
  for (const [path, { messages }] of after) {
    const ids = messages.map(({ id }) => String(id));
    if (new Set(ids).size < ids.length) faults.push(`${path}: an id is there twice`);
    const calls = messages.flatMap(({ tool_calls: made }) => (made as unknown[] | undefined) ?? []).length;
    const results = messages.filter(({ role }) => role === "tool").length;
    if (calls !== results) faults.push(`${path}: ${calls} calls have ${results} results`);
  }
  return faults;
}
