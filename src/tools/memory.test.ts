// memory_search and memory_read in the hands of a model, over real conversations.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { words } from "../../test/support/english.ts";
import { createFakeClock } from "../../test/support/fake-clock.ts";
import { closeTestApps, createTestApp, type TestApp } from "../../test/support/test-app.ts";
import type { Origin } from "../bus/types.ts";

afterEach(closeTestApps);

const owner: Origin = {
  channel: "test",
  chatId: "1",
  senderId: "1",
  person: "owner",
  role: "owner",
  cause: "user",
  format: "plain",
};
const guest: Origin = { ...owner, senderId: "2", person: "ann", role: "guest" };
const group: Origin = { ...owner, group: "family" };

const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });

/** What the model was told by its last tool. */
function lastResult({ provider }: TestApp): string {
  const result = provider.requests.at(-1)?.messages.findLast(({ role }) => role === "tool");
  return String(result?.content);
}

async function ask(app: TestApp, text: string, { origin = owner, sessionKey = "a" } = {}): Promise<string> {
  const { stop } = await app.loop.processDirect({ sessionKey, text, origin });
  expect(stop).toBe("completed");
  return lastResult(app);
}

describe("memory_search", () => {
  test("finds what was said in another session, with its time, its speaker and a reference to read on", async () => {
    const app = await createTestApp(["Noted.", call("memory_search", { query: "dentist" }), "Doctor Quill."]);
    await ask(app, "My dentist is Doctor Quill");
    const found = await ask(app, "Who is my dentist?", { sessionKey: "b" });
    const line =
      /^\[(\S+)\] \d{4}-\d\d-\d\d \d\d:\d\d user \(a\): My dentist is Doctor Quill \[found by: dentist\]$/m.exec(
        found,
      );
    expect(line).not.toBeNull();
    const next = await app.restart([call("memory_read", { reference: line?.[1], around: 1 }), "Read."]);
    const read = await ask(next, "Read it", { sessionKey: "c" });
    expect(read).toContain("My dentist is Doctor Quill");
    expect(read).toContain("assistant (a): Noted.");
  });

  test("keeps to the days that it is given, and says so when nothing is left", async () => {
    const search = (args: Record<string, unknown>) => call("memory_search", { query: "heron", ...args });
    const script = [
      "Ok.",
      search({ from: "2020-01-01", to: "2020-12-31" }),
      "None.",
      search({ from: "2020-01-01" }),
      "One.",
    ];
    const app = await createTestApp(script);
    await ask(app, "A heron!");
    expect(await ask(app, "When?", { sessionKey: "b" })).toContain("Try other words");
    expect(await ask(app, "And when?", { sessionKey: "b" })).toContain("A heron!");
  });

  test("never crosses from one person to another, nor from a private chat into a group", async () => {
    const search = call("memory_search", { query: "password treasure" });
    const app = await createTestApp(["Ok.", "Ok.", "Ok.", search, "1.", search, "2.", search, "3."]);
    const people = [
      { origin: owner, sessionKey: "private" },
      { origin: guest, sessionKey: "ann" },
      { origin: group, sessionKey: "family" },
    ];
    for (const place of people) await ask(app, `The treasure password of ${place.sessionKey} is set`, place);
    for (const place of people) {
      const found = await ask(app, "What is it?", place);
      expect(found).toContain(`password of ${place.sessionKey} is`);
      for (const other of people.filter((one) => one !== place)) {
        expect(found).not.toContain(`password of ${other.sessionKey} is`);
      }
    }
  });
});

describe("automatic recall", () => {
  const config = { memory: { autoRecall: true } };

  test("puts what was said earlier into the runtime context of a turn, and nothing that is sent anyway", async () => {
    // The clock stands still, so that its deadline never comes.
    const app = await createTestApp(["Noted.", "Quill.", "Again."], { config, clock: createFakeClock() });
    await ask(app, "My dentist is Doctor Quill");
    await app.recall.refresh();
    await ask(app, "What is the name of my dentist?", { sessionKey: "b" });
    const sent = String(app.provider.requests.at(-1)?.messages.at(-1)?.content);
    expect(sent).toMatch(
      /\[Runtime Context[\s\S]*My dentist is Doctor Quill \(\w+\)[\s\S]*\[\/Runtime Context\]$/,
    );
    await ask(app, "And my dentist?");
    expect(String(app.provider.requests.at(-1)?.messages.at(-1)?.content)).not.toContain("Doctor Quill");
  });

  test("can be switched off", async () => {
    const app = await createTestApp(["Noted.", "?"], { config: { memory: { autoRecall: false } } });
    await ask(app, "My dentist is Doctor Quill");
    await app.recall.refresh();
    await ask(app, "What is the name of my dentist?", { sessionKey: "b" });
    expect(String(app.provider.requests.at(-1)?.messages.at(-1)?.content)).not.toContain("Quill");
  });
});

describe("/search", () => {
  test("tells a person what was said, in this person's own memory", async () => {
    const app = await createTestApp(["Noted.", "Ok."]);
    await ask(app, "My dentist is Doctor Quill");
    const say = async (text: string, origin = owner) =>
      (await app.loop.processDirect({ sessionKey: "b", text, origin })).text;
    expect(await say("/search dentist")).toMatch(
      /^- \*\*.*\*\* .* \(a\): My \*\*dentist\*\* is Doctor Quill$/m,
    );
    expect(await say("/search")).toBe(words.memory.needsWords("/search"));
    expect(await say("/search dentist", guest)).toContain(words.memory.nothingFound);
    expect(await say("/status dentist")).toBe(words.reply.takesNoArguments("/status"));
  });
});

test("a person called .. has a folder like everyone else", async () => {
  const app = await createTestApp([call("write_file", { path: "note.md", content: "hello" }), "Done."]);
  await ask(app, "Write it", { origin: { ...guest, person: ".." } });
  expect(await readFile(join(app.workspace, "people/%2E%2E/note.md"), "utf8")).toBe("hello");
});
