// index.db is never the truth: damaged, cut, of another version or held by another process, it costs no turn and no word.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import type { CodeStep } from "../../src/llm/scripted.ts";
import { closeTestApps, createTestApp, type TestApp } from "../support/test-app.ts";

afterEach(closeTestApps);

const say = (app: TestApp, text: string) => app.loop.processDirect({ sessionKey: "cli:direct", text });
const search: CodeStep = { toolCalls: [{ name: "memory_search", arguments: { query: "code word" } }] };
const indexOf = ({ home }: TestApp) => join(home, "index.db");

/** Asks a new process of this home, by the model's own tool, and gives what it was told. */
async function askAgain(app: TestApp): Promise<string> {
  const later = await app.restart([search, "Found."]);
  expect(await say(later, "What was it?")).toMatchObject({ stop: "completed", text: "Found." });
  return String(later.provider.requests[1]?.messages.at(-1)?.content);
}

async function createIndexed(): Promise<TestApp> {
  const app = await createTestApp({ steps: ["Noted."], loop: true });
  await say(app, "The code word is zanzibar.");
  await app.recall.refresh();
  return app;
}

async function cut(path: string, share: number): Promise<void> {
  const bytes = await readFile(path);
  await writeFile(path, bytes.subarray(0, Math.floor(bytes.length * share)));
}

describe("an index", () => {
  it.each<[string, (path: string) => Promise<void>]>([
    ["full of garbage", (path) => writeFile(path, "nothing like a database ".repeat(5_000))],
    ["that is empty", (path) => writeFile(path, "")],
    ["cut in the middle", (path) => cut(path, 0.5)],
    ["cut in its first page", (path) => cut(path, 0.002)],
    [
      "of a newer version",
      async (path) => {
        const database = new DatabaseSync(path);
        database.exec("PRAGMA user_version = 99; ALTER TABLE entry RENAME TO passage");
        database.close();
      },
    ],
  ])("%s is rebuilt, and what was said is found", async (_, harm) => {
    const app = await createIndexed();
    await app.close();
    for (const ending of ["-wal", "-shm"]) await rm(indexOf(app) + ending, { force: true });
    await harm(indexOf(app));
    expect(await askAgain(app)).toContain("zanzibar");
  });

  it("that is damaged while it is in use is rebuilt, too", async () => {
    const app = await createIndexed();
    const { length } = await readFile(indexOf(app));
    await writeFile(indexOf(app), Buffer.alloc(length, 0xa5), { flag: "r+" });
    await say(app, "The other word is lissabon.");
    await app.recall.refresh();
    for (const word of ["zanzibar", "lissabon"]) {
      const { hits } = await app.recall.search({ query: word, scope: "owner" });
      expect(hits[0]?.text).toContain(word);
    }
  });

  it("that another process keeps for itself holds up no turn, and is done without", async () => {
    const app = await createIndexed();
    await app.close();
    await lockByOther(indexOf(app));
    let isFound = false;
    const foundBefore: boolean[] = [];
    const step = () => {
      foundBefore.push(isFound);
      return "Here.";
    };
    const later = await app.restart({ steps: [step], loop: true });
    const searching = later.recall.search({ query: "zanzibar", scope: "owner" }).finally(() => {
      isFound = true;
    });
    expect(await say(later, "Are you there?")).toMatchObject({ stop: "completed", text: "Here." });
    expect(foundBefore).toEqual([false]);
    expect((await searching).hits[0]?.text).toContain("zanzibar");
  });
});

/** Until the test is over. */
async function lockByOther(path: string): Promise<void> {
  const code = `
    const { DatabaseSync } = require("node:sqlite");
    const database = new DatabaseSync(${JSON.stringify(path)});
    database.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
    process.stdout.write("locked");
    process.stdin.resume();`;
  const child = spawn(process.execPath, ["--no-warnings", "-e", code], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
}
