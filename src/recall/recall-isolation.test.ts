// Whose memory a search sees: three people, two groups, and what each of them wrote and said.
import { describe, expect, test } from "vitest";
import { createRecallHome, type RecallHome } from "../../test/support/recall-home.ts";
import type { Scope } from "../storage/scope.ts";

const scopes: Scope[] = ["owner", "person:ann", "person:bob b/é", "group:g1", "group:g2"];

async function createHouse(): Promise<RecallHome> {
  const home = await createRecallHome();
  await home.say("cli:direct", ["the treasure of owner in a chat"]);
  for (const scope of scopes.slice(1)) {
    const [kind, id = ""] = scope.split(":");
    const folder = `${kind === "person" ? "people" : "groups"}/${encodeURIComponent(id)}`;
    await home.say(`telegram:${id}`, [`the treasure of ${scope} in a chat`], { scope });
    await home.write(`${folder}/USER.md`, `the treasure of ${scope} in a profile`);
    await home.write(`${folder}/memory/MEMORY.md`, `the treasure of ${scope} in a memory`);
    await home.write(`${folder}/memory/2026-07-30.md`, `the treasure of ${scope} in a note`);
    const entry = {
      cursor: 1,
      timestamp: "2026-07-30 10:00",
      content: `the treasure of ${scope} in history`,
    };
    await home.write(`${folder}/memory/history.jsonl`, `${JSON.stringify(entry)}\n`);
    await home.write(`${folder}/knowledge/a.md`, `the treasure of ${scope} in a document`);
  }
  await home.write("memory/MEMORY.md", "the treasure of owner in a memory");
  await home.write("knowledge/a.md", "the treasure of owner in a document");
  return home;
}

describe("a search", () => {
  test("sees exactly its own scope, by words, by time and by reference", async () => {
    const { recall, clock } = await createHouse();
    await recall.refresh();
    for (const scope of scopes) {
      const { hits, sessions } = await recall.search({ query: "Where is the treasure?", scope, count: 50 });
      expect(hits.map(({ text }) => text).filter((text) => !text.includes(`of ${scope} in`))).toEqual([]);
      expect(hits).toHaveLength(scope === "owner" ? 3 : 6);
      expect(sessions).toEqual([scope === "owner" ? "cli:direct" : `telegram:${scope.split(":")[1]}`]);
      const today = await recall.search({ query: "today", scope, count: 50 });
      for (const { text } of today.hits) expect(text).toContain(`of ${scope} in`);
      for (const other of scopes.filter((one) => one !== scope)) {
        for (const { reference } of hits.filter(({ kind }) => kind === "session")) {
          expect(await recall.read(reference, { scope: other })).toEqual([]);
        }
        expect((await recall.recallFor(`treasure of ${scope}`, { scope: other })).note).not.toContain(
          `of ${scope} in`,
        );
      }
    }
    expect(clock.now()).toBeGreaterThan(0);
  });

  test("of an unknown person, or of another person's session, finds nothing", async () => {
    const { find } = await createHouse();
    for (const scope of ["", "person:", "person:an", "person:ANN", "group:ann", "%", "owner' OR 1=1 --"]) {
      expect(await find("treasure", { scope })).toEqual([]);
    }
    expect(await find("treasure", { scope: "owner", session: "telegram:ann" })).toEqual([]);
  });

  test("reads only around an entry, never into another file", async () => {
    const { recall } = await createHouse();
    const { hits } = await recall.search({ query: "treasure chat", scope: "person:ann" });
    const around = await recall.read(hits[0]?.reference ?? "", { scope: "person:ann", around: 50 });
    expect(around.map(({ text }) => text)).toEqual(["the treasure of person:ann in a chat"]);
  });
});

describe("the scope of a session", () => {
  test("is that of its last metadata line, for everything in it", async () => {
    const { say, find, store } = await createRecallHome();
    await say("telegram:1", ["a secret word"]);
    expect(await find("secret")).toHaveLength(1);
    await (await store.open("telegram:1", "owner")).updateMetadata({ scope: "person:ann" });
    expect(await find("secret")).toEqual([]);
    expect(await find("secret", { scope: "person:ann" })).toEqual(["a secret word"]);
  });

  test("is kept when the session is closed, and by what is appended to it", async () => {
    const { say, find, store } = await createRecallHome();
    await say("telegram:1", ["the first riddle"], { scope: "group:1" });
    expect(await find("riddle")).toEqual([]);
    await say("telegram:1", ["the second riddle"]);
    await store.close("telegram:1", "group:1");
    expect(await find("riddle")).toEqual([]);
    expect(await find("riddle", { scope: "group:1" })).toHaveLength(2);
  });
});
