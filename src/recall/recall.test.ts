import { existsSync, readdirSync } from "node:fs";
import { appendFile, mkdir, readFile, rename, rm, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createRecallHome } from "../../test/support/recall-home.ts";
import { runProgram } from "../../test/support/start-program.ts";
import { owner } from "../../test/support/tool-context.ts";
import { renderRuntimeContext } from "../context/runtime-context.ts";

const dayMs = 86_400_000;

describe("a search", () => {
  test("finds what was said, whatever the form of its words, best first", async () => {
    const { say, find } = await createRecallHome();
    await say("cli:direct", [
      "We went camping in the mountains",
      "The invoice is due on Friday",
      "My children sing",
    ]);
    expect((await find("When did I camp on a mountain?"))[0]).toBe("We went camping in the mountains");
    expect((await find("a child that sang"))[0]).toBe("My children sing");
  });

  test("finds Chinese words of two characters, and single ones", async () => {
    const { say, find } = await createRecallHome();
    await say("cli:direct", ["我下周三要去看牙医", "今天晚上吃火锅", "我家的猫叫小白"]);
    expect((await find("牙医"))[0]).toBe("我下周三要去看牙医");
    expect((await find("猫叫什么名字？"))[0]).toBe("我家的猫叫小白");
    expect(await find("飞机")).toEqual([]);
    await say("cli:rent", ["房东下个月要涨五百"]);
    expect((await find("我的房租最后涨了多少？"))[0]).toBe("房东下个月要涨五百");
  });

  test("finds identifiers and paths whole and in parts", async () => {
    const { say, find } = await createRecallHome();
    await say("cli:direct", ["The bug is in src/lib/scanLines.ts", "Set max_retry_count to 3", "Lunch?"]);
    for (const query of ["src/lib/scanLines.ts", "scanLines", "scan lines"]) {
      expect((await find(query))[0], query).toContain("scanLines.ts");
    }
    expect((await find("max_retry_count"))[0]).toContain("max_retry_count");
  });

  test("tells when, where and by whom it was said", async () => {
    const { store, recall, clock } = await createRecallHome();
    const session = await store.open("telegram:7", "owner");
    const extra = { name: "Ann" };
    await session.append([
      { id: "t1", turn: "t1", message: { role: "user", content: "I moved to Lisbon" }, extra },
    ]);
    const { hits, sessions } = await recall.search({ query: "Lisbon", scope: "owner" });
    const told = { reference: "t1", kind: "session", name: "telegram:7", role: "user", speaker: "Ann" };
    expect(hits).toMatchObject([{ ...told, at: clock.now(), text: "I moved to Lisbon" }]);
    expect(sessions).toEqual(["telegram:7"]);
  });

  test("prefers what the person who is asked about has said", async () => {
    const { store, find } = await createRecallHome();
    const session = await store.open("group", "owner");
    const turns = [
      "Ann: I plant tomatoes",
      "Bob: Ann, I plant potatoes",
      "Ann: nice weather",
      "Bob: yes, Ann",
    ];
    for (const [index, turn] of turns.entries()) {
      const [name, content = ""] = turn.split(": ");
      const message = { role: "user" as const, content };
      await session.append([{ id: `g${index}`, turn: `g${index}`, message, extra: { name } }]);
    }
    expect((await find("What does Bob plant?"))[0]).toBe("Ann, I plant potatoes");
    expect((await find("What does Ann plant?"))[0]).toBe("I plant tomatoes");
  });

  test("prefers what was said when the question speaks of, and keeps to a range of time that is given", async () => {
    const { say, find, clock, recall } = await createRecallHome();
    await say("one", ["I had soup with Carla"]);
    const between = clock.now() + 1;
    await clock.advance(60 * dayMs);
    await say("two", ["I had soup with Dora"]);
    await clock.advance(20 * dayMs);
    expect((await find("Who had soup three weeks ago?"))[0]).toContain("Dora");
    expect((await find("八十天前和谁喝 soup"))[0]).toContain("Carla");
    const early = await recall.search({ query: "soup", scope: "owner", to: between });
    expect(early.hits.map(({ text }) => text)).toEqual(["I had soup with Carla"]);
    const late = await recall.search({ query: "soup", scope: "owner", from: between });
    expect(late.hits.map(({ text }) => text)).toEqual(["I had soup with Dora"]);
  });

  test("finds what was said on a day that the question names, and what speaks of that day", async () => {
    const { say, find, clock, recall } = await createRecallHome();
    const weekday = (ms: number) => new Date(ms).toLocaleDateString("en", { weekday: "long" });
    await say("plans", [`The plumber comes next ${weekday(clock.now() + 5 * dayMs)}`]);
    await clock.advance(5 * dayMs);
    await say("visits", ["We went to the museum with Ada"]);
    await clock.advance(3 * dayMs);
    await say("later", ["Carrots are orange"]);
    const asked = `What did we do last ${weekday(clock.now() - 3 * dayMs)}?`;
    expect(await find(asked)).toEqual(
      expect.arrayContaining([expect.stringContaining("plumber"), expect.stringContaining("museum")]),
    );
    expect((await find(asked))[2]).toContain("Carrots");
    const { hits } = await recall.search({ query: asked, scope: "owner" });
    expect(hits.find(({ name }) => name === "plans")?.why.reasons).toEqual(["named"]);
    expect(hits.find(({ name }) => name === "visits")?.why.reasons).toEqual(["said"]);
    const { note } = await recall.recallFor(asked, { scope: "owner" });
    expect(note).toContain("museum");
  });

  test("finds words that begin with one that was asked for", async () => {
    const { say, find } = await createRecallHome();
    await say("cli:direct", ["Der Zahnarzttermin ist verschoben", "Fish swim"]);
    expect((await find("Zahnarzt"))[0]).toBe("Der Zahnarzttermin ist verschoben");
    expect(await find("Zahnarzthelferin")).toEqual([]);
  });

  test("prefers the answer to a question, and a sentence that says when to a question for a time", async () => {
    const { say, find } = await createRecallHome();
    await say("one", ["Nice evening", "Which instrument do you play?", "The clarinet", "Nice to know"]);
    const [first, second] = await find("which instrument");
    expect([first, second].sort()).toEqual(["The clarinet", "Which instrument do you play?"]);
    await say("two", ["The marathon was hard, I ran it all", "The marathon was hard, I ran it in May 2019"]);
    expect((await find("When was the hard marathon?"))[0]).toContain("2019");
  });

  test("tells why something was found", async () => {
    const { say, recall } = await createRecallHome();
    await say("cli:direct", ["We camped near a lake", "It rained", "我的牙医很温柔"]);
    const marked = async (query: string) => {
      const { hits } = await recall.search({ query, scope: "owner" });
      return hits.map(({ text, why }) => [why.marks.map(([from, to]) => text.slice(from, to)), why.reasons]);
    };
    expect(await marked("camping at lakes")).toEqual([
      [["camped", "lake"], []],
      [[], ["near"]],
      [[], ["near"]],
    ]);
    expect((await marked("牙医是谁"))[0]).toEqual([["牙医"], []]);
  });

  test("shows once what was said twice", async () => {
    const { say, find } = await createRecallHome();
    await say("cli:direct", ["Remember the milk!", "remember the milk", "Remember the bread"]);
    expect(await find("remember milk")).toHaveLength(2);
  });

  test("keeps to one session when it is named", async () => {
    const { say, find } = await createRecallHome();
    await say("a", ["The code is 1234"]);
    await say("b", ["The code is 5678"]);
    expect(await find("code", { session: "b" })).toEqual(["The code is 5678"]);
  });

  test("leaves out what the program added to a message, and the thoughts of the model", async () => {
    const { store, find, clock } = await createRecallHome();
    const block = renderRuntimeContext({
      now: clock.now(),
      timeZone: "UTC",
      origin: owner,
      notes: ["zebra"],
    });
    const session = await store.open("cli:direct", "owner");
    await session.append([
      { id: "t1", turn: "t1", message: { role: "user", content: `The parrot is blue\n\n${block}` } },
      {
        id: "t1.1",
        turn: "t1",
        message: { role: "assistant", content: "Noted", reasoning_content: "walrus" },
      },
    ]);
    expect((await find("parrot"))[0]).toBe("The parrot is blue");
    expect(await find("zebra")).toEqual([]);
    expect(await find("walrus")).toEqual([]);
  });

  test("finds calls and results of tools, but rather what was said", async () => {
    const { store, find } = await createRecallHome();
    const session = await store.open("cli:direct", "owner");
    const call = {
      id: "c",
      type: "function" as const,
      function: { name: "exec", arguments: '{"command":"make release"}' },
    };
    await session.append([
      { id: "t1.1", turn: "t1", message: { role: "assistant", content: null, tool_calls: [call] } },
      {
        id: "t1.1.1",
        turn: "t1",
        message: { role: "tool", tool_call_id: "c", name: "exec", content: "pushed the tag" },
      },
      { id: "t2", turn: "t2", message: { role: "user", content: "I pushed the tag to the mirror" } },
    ]);
    expect((await find("make release"))[0]).toBe("exec command: make release");
    expect((await find("pushed the tag"))[0]).toBe("I pushed the tag to the mirror");
    expect(await find("pushed the tag")).toContain("pushed the tag");
  });

  test("shows the part of a long message that holds the words, and a reference to it", async () => {
    const { say, recall } = await createRecallHome();
    const filler = "Nothing of interest happens in this sentence. ".repeat(100);
    await say("cli:direct", [`${filler}The password hint is octopus. ${filler}`]);
    const { hits } = await recall.search({ query: "octopus", scope: "owner" });
    expect(hits[0]?.text).toContain("octopus");
    expect(hits[0]?.text.length).toBeLessThan(400);
    expect(hits[0]?.reference).toMatch(/^t1@\d+$/);
    const [entry] = await recall.read(hits[0]?.reference ?? "", { scope: "owner", around: 0 });
    expect(entry?.text).toContain("octopus");
  });

  test("of nothing finds nothing", async () => {
    const { say, find } = await createRecallHome();
    expect(await find("anything")).toEqual([]);
    await say("cli:direct", ["hello"]);
    for (const query of ["", "???", "is it the", '"', "NEAR(", "a* OR b", "\0"])
      expect(await find(query)).toEqual([]);
  });
});

describe("a reference", () => {
  test("is expanded to what was said around it", async () => {
    const { say, recall } = await createRecallHome();
    await say("cli:direct", ["one", "two", "three", "four", "five"]);
    await recall.refresh();
    const read = async (reference: string, around: number) =>
      (await recall.read(reference, { scope: "owner", around })).map(({ text }) => text);
    expect(await read("t3", 1)).toEqual(["two", "three", "four"]);
    expect(await read("t1", 2)).toEqual(["one", "two", "three"]);
    expect(await read("t9", 2)).toEqual([]);
  });

  test("leads into files that have no ids", async () => {
    const { write, recall, store } = await createRecallHome();
    await write("memory/MEMORY.md", "# Facts\n\nThe car is a Volvo.");
    const line = { role: "user", content: "an old giraffe", timestamp: "2026-01-02T03:04:05" };
    await writeFile(join(store.folder, "Y2xpOm9sZA.jsonl"), `${JSON.stringify(line)}\n`);
    for (const query of ["volvo", "giraffe"]) {
      const { hits } = await recall.search({ query, scope: "owner" });
      expect(await recall.read(hits[0]?.reference ?? "", { scope: "owner", around: 0 })).toHaveLength(1);
    }
  });
});

describe("everything that is written", () => {
  test("is found: memory, notes, history and documents, with what it is", async () => {
    const { write, recall, openRecall, home } = await createRecallHome();
    await write("USER.md", "Likes liquorice");
    await write("memory/MEMORY.md", "Allergic to liquorice");
    await write("memory/2026-07-30.md", "Bought liquorice");
    const entry = { cursor: 1, timestamp: "2026-07-01 10:00", content: "Talked about liquorice" };
    await write("memory/history.jsonl", `${JSON.stringify(entry)}\n{broken\n`);
    await write("knowledge/sweets/guide.md", "How to cook liquorice");
    await write("knowledge/.hidden.md", "secret liquorice");
    await mkdir(join(home, "papers"));
    await writeFile(join(home, "papers/a.txt"), "The liquorice paper");
    const wide = openRecall({ knowledge: [join(home, "papers")] });
    const { hits } = await wide.search({ query: "liquorice", scope: "owner", count: 20 });
    expect(hits.map(({ kind, name }) => `${kind} ${name}`).sort()).toEqual([
      "document a.txt",
      "document knowledge/sweets/guide.md",
      "history memory/history.jsonl",
      "memory USER.md",
      "memory memory/MEMORY.md",
      "note memory/2026-07-30.md",
    ]);
    const note = hits.find(({ kind }) => kind === "note");
    expect(new Date(note?.at ?? 0).getDate()).toBe(30);
    expect(recall).toBeDefined();
  });

  test("is not followed out of its folder, and not read where it is no text", async () => {
    const { write, find, home, workspace } = await createRecallHome();
    await writeFile(join(home, "outside.md"), "an ostrich");
    await write("knowledge/inside.md", "an emu");
    await write("knowledge/data.bin2", "ostrich \0 ostrich");
    await symlink(join(home, "outside.md"), join(workspace, "knowledge/link.md"));
    await symlink(home, join(workspace, "knowledge/folder"));
    expect(await find("ostrich")).toEqual([]);
    expect(await find("emu")).toEqual(["an emu"]);
  });

  test("is read on from where it was left, and again when it was changed", async () => {
    const { say, find, write } = await createRecallHome();
    await say("cli:direct", ["the first fox"]);
    await write("memory/MEMORY.md", "an old badger");
    expect(await find("fox")).toEqual(["the first fox"]);
    await say("cli:direct", ["the second fox"]);
    await write("memory/MEMORY.md", "a new weasel");
    expect((await find("fox")).sort()).toEqual(["the first fox", "the second fox"]);
    expect(await find("badger")).toEqual([]);
    expect(await find("weasel")).toEqual(["a new weasel"]);
  });

  test("is still found when the session was closed", async () => {
    const { say, find, store, home } = await createRecallHome();
    await say("cli:direct", ["the heron stands still"]);
    expect(await find("heron")).toHaveLength(1);
    await store.close("cli:direct", "owner");
    await say("cli:direct", ["the egret flies"]);
    expect(await find("heron")).toEqual(["the heron stands still"]);
    expect(await find("egret")).toEqual(["the egret flies"]);
    // Moved, not read again.
    const database = new DatabaseSync(join(home, "index.db"), { readOnly: true });
    expect(database.prepare("SELECT max(id) AS last FROM entry").get()).toEqual({ last: 2 });
    database.close();
  });

  test("is forgotten with its file, with a rewritten file, and by a mark in the session", async () => {
    const { say, find, store } = await createRecallHome();
    await say("a", ["a lynx"]);
    await say("b", ["a puma", "a jaguar"]);
    await say("c", ["an ocelot"]);
    expect(await find("lynx")).toHaveLength(1);
    const [a, b, c] = await Promise.all(["a", "b", "c"].map((key) => store.open(key, "owner")));
    await rm(a?.path ?? "");
    await b?.updateMetadata({ forgotten: ["t2"] });
    const changed = (await readFile(c?.path ?? "", "utf8")).replace("ocelot", "margay");
    await writeFile(`${c?.path}.new`, changed);
    await rename(`${c?.path}.new`, c?.path ?? "");
    expect(await find("lynx")).toEqual([]);
    expect(await find("puma")).toEqual([]);
    expect(await find("jaguar")).toEqual(["a jaguar"]);
    expect(await find("ocelot")).toEqual([]);
    expect(await find("margay")).toEqual(["an margay"]);
  });

  test("counts only once its line is whole", async () => {
    const { say, find, store } = await createRecallHome();
    await say("cli:direct", ["a crane"]);
    const { path } = await store.open("cli:direct", "owner");
    const line = JSON.stringify({ id: "x", turn: "x", role: "user", content: "a stork", at: 1 });
    await appendFile(path, line.slice(0, 20));
    expect(await find("stork")).toEqual([]);
    await appendFile(path, `${line.slice(20)}\n`);
    expect(await find("stork")).toEqual(["a stork"]);
  });
});

describe("the index", () => {
  test("is private and can be deleted at will", async () => {
    const { say, find, home, openRecall } = await createRecallHome();
    await say("cli:direct", ["a tapir"]);
    expect(await find("tapir")).toHaveLength(1);
    expect((await stat(join(home, "index.db"))).mode & 0o777).toBe(0o600);
    for (const name of ["index.db", "index.db-wal", "index.db-shm"])
      await rm(join(home, name), { force: true });
    const { hits } = await openRecall().search({ query: "tapir", scope: "owner" });
    expect(hits).toHaveLength(1);
  });

  test.each([
    ["is no database", async (path: string) => writeFile(path, "nothing like a database".repeat(1000))],
    [
      "is of another version",
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("PRAGMA user_version = 99; DROP TABLE entry");
        database.close();
      },
    ],
    [
      "is damaged in the middle",
      async (path: string) => {
        const database = new DatabaseSync(path);
        database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE");
        database.close();
        const bytes = await readFile(path);
        await writeFile(path, bytes.fill(0xa5, 4096));
      },
    ],
  ])("is rebuilt when it %s", async (_, harm) => {
    const { say, find, home, openRecall, recall } = await createRecallHome();
    await say("cli:direct", ["a quokka", "a wombat"]);
    expect((await find("quokka"))[0]).toBe("a quokka");
    await recall.close();
    await harm(join(home, "index.db"));
    const { hits } = await openRecall().search({ query: "wombat", scope: "owner" });
    expect(hits[0]?.text).toBe("a wombat");
  });

  test("is kept in memory where it cannot be written", async () => {
    const { say, home, openRecall, logged } = await createRecallHome();
    await say("cli:direct", ["a numbat"]);
    await mkdir(join(home, "index.db"));
    const recall = openRecall();
    const { hits } = await recall.search({ query: "numbat", scope: "owner" });
    expect(hits).toHaveLength(1);
    expect(logged).toContain("recall-index-lost");
  });

  test("is shared by processes that read the same files", async () => {
    const { say, openRecall } = await createRecallHome();
    const texts = Array.from({ length: 600 }, (_, index) => `message ${index} about a bilby`);
    await say("cli:direct", texts);
    const both = [openRecall(), openRecall()];
    await Promise.all(both.map((recall) => recall.refresh()));
    await Promise.all(both.map((recall) => recall.refresh()));
    for (const recall of both) {
      const { hits } = await recall.search({ query: "599", scope: "owner", count: 5 });
      expect(hits.filter(({ text }) => text.includes("message 599"))).toHaveLength(1);
    }
    await say("cli:direct", ["a message about a potoroo"]);
    await both[0]?.refresh();
    const { hits } = (await both[1]?.search({ query: "potoroo", scope: "owner" })) ?? {};
    expect(hits?.[0]?.text).toContain("potoroo");
  });

  test("keeps workspaces of one home apart", async () => {
    const { say, home, openRecall, openStore, find } = await createRecallHome();
    await say("cli:direct", ["a kookaburra here"]);
    expect(await find("kookaburra")).toHaveLength(1);
    const workspace = join(home, "elsewhere");
    const other = await openStore(workspace);
    const recall = openRecall({ workspace, sessionsFolder: other.folder });
    expect((await recall.search({ query: "kookaburra", scope: "owner" })).hits).toEqual([]);
    expect(await find("kookaburra")).toHaveLength(1);
  });
});

describe("the thread", () => {
  test.runIf(process.platform === "linux")(
    "starts with the first use and ends when it is closed",
    async () => {
      const { say, home, openRecall } = await createRecallHome();
      await say("cli:direct", ["a dugong"]);
      const recall = openRecall();
      expect(existsSync(join(home, "index.db"))).toBe(false);
      const before = countThreads();
      await recall.search({ query: "dugong", scope: "owner" });
      expect(countThreads()).toBeGreaterThan(before);
      await recall.close();
      await expect.poll(countThreads).toBe(before);
    },
  );

  test("gives up a search that nobody waits for any more", async () => {
    const { recall } = await createRecallHome();
    const reason = new Error("stop");
    const search = recall.search({ query: "anything", scope: "owner" }, AbortSignal.abort(reason));
    await expect(search).rejects.toBe(reason);
  });

  test("is awaited when it is closed, whatever is still on its way from it", async () => {
    const { home, say } = await createRecallHome();
    await say("cli:direct", ["a dugong"]);
    const program = new URL("../../test/support/close-recall.ts", import.meta.url).pathname;
    // A process that ends before its end is reached says 13.
    expect(await runProgram([process.execPath, program, home])).toMatchObject({ code: 0, stdout: "closed" });
  });

  test("answers nothing once it was closed", async () => {
    const { recall } = await createRecallHome();
    await recall.close();
    await expect(recall.refresh()).rejects.toThrow("memory.search-ended");
  });

  test("says so when it is ended in the middle of a search", async () => {
    const { recall } = await createRecallHome();
    const search = recall.search({ query: "anything", scope: "owner" });
    await recall.close();
    await expect(search).rejects.toThrow("memory.search-ended");
  });
});

function countThreads(): number {
  return readdirSync("/proc/self/task").length;
}
