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

describe("what others say", () => {
  test("has no influence on what is found, in which order, and on how well it fits", async () => {
    const said = ["Ada likes the harbour", "the harbourmaster of Lyon", "we met Ada at the harbour in May"];
    const alone = await createRecallHome();
    await alone.say("cli:direct", said);
    const among = await createRecallHome();
    await among.say("cli:direct", said);
    // A word that is common there, longer words that come first, and a speaker of a name that is a word here.
    const noise = Array.from({ length: 2_500 }, (_, at) => {
      const message = { role: "user" as const, content: `harbour harboura${at} likes` };
      return { id: `n${at}`, turn: `n${at}`, message, extra: { name: "Lyon Ada" } };
    });
    const theirs = await among.store.open("telegram:1", "person:ann");
    await theirs.updateMetadata({ scope: "person:ann" });
    await theirs.append(noise);
    const ask = async ({ recall }: RecallHome, query: string) =>
      (await recall.search({ query, scope: "owner" })).hits.map(({ text, why }) => ({ text, why }));
    for (const query of ["harbour", "Who is Ada?", "harbour Lyon", "What did Ada like?"])
      expect(await ask(among, query)).toEqual(await ask(alone, query));
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

  test("is that of the last line also in a long session, however it was read", async () => {
    const { say, find, store, recall } = await createRecallHome();
    const long = Array.from({ length: 40 }, (_, at) => `secret number ${at} ${"filler ".repeat(300)}`);
    await say("telegram:1", long);
    await recall.refresh();
    await (await store.open("telegram:1", "owner")).updateMetadata({ scope: "person:ann" });
    await say("telegram:1", ["one more secret"], { scope: "person:ann" });
    expect(await find("secret")).toEqual([]);
    const ofAnn = await find("secret", { scope: "person:ann" });
    expect(ofAnn.some((text) => text.includes("one more secret"))).toBe(true);
    await (await store.open("telegram:1", "person:ann")).updateMetadata({ scope: "person:bob" });
    expect(await find("secret number 7", { scope: "person:ann" })).toEqual([]);
    expect((await find("secret number 7", { scope: "person:bob" }))[0]).toContain("number 7");
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
