// What can be asked about memory itself, over real files, sessions and index.
import { appendFile, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { openDocuments } from "../../../test/support/documents.ts";
import { createRecallHome } from "../../../test/support/recall-home.ts";
import { answered, said } from "../../../test/support/session-home.ts";
import type { Recall } from "../../recall/recall.ts";
import type { ProvenanceRecord } from "../../storage/documents/provenance.ts";
import { createHomeLock } from "../../storage/home-lock.ts";
import type { Scope } from "../../storage/scope.ts";
import { openPersonMemory } from "./person-memory.ts";

const memory = "memory/MEMORY.md";

async function createTrail() {
  const house = await createRecallHome();
  const { home, workspace, clock, store: sessions, write } = house;
  const lock = createHomeLock({ home, clock });
  onTestFinished(() => lock.close());
  const documents = openDocuments(home, clock);
  const openFor = (scope: Scope, recall: Recall = house.recall) =>
    openPersonMemory({ sessions, recall, lock, clock }, documents.of(scope));
  const historyOf = (scope: Scope) => documents.of(scope).history;
  const remember = async (record: Partial<ProvenanceRecord> & { line: string }, scope: Scope = "owner") => {
    await write(scope === "owner" ? memory : `people/ann/${memory}`, `# Memory\n${record.line}\n`);
    await documents.of(scope).provenance.record([{ file: memory, at: clock.now(), ...record }]);
  };
  const read = (path: string) => readFile(join(workspace, path), "utf8");
  return { ...house, openFor, historyOf, remember, read };
}

describe("where a line came from", () => {
  it("is told by the messages that its part of the history covers, and not by others", async () => {
    const { openFor, historyOf, remember, say, recall } = await createTrail();
    await say("cli:direct", ["I have a cat", "her name is Luna", "the weather is fine"]);
    const history = historyOf("owner");
    await history.append({ content: "- a cat", session_key: "cli:direct", through: "t1" });
    const entry = await history.append({ content: "- Luna", session_key: "cli:direct", through: "t3" });
    await remember({ line: "- has a cat named Luna", cursors: [entry?.cursor ?? 0], labels: ["web"] });
    const { facts, similar } = await openFor("owner").explain("cat named luna");
    expect(similar).toEqual([]);
    expect(facts).toHaveLength(1);
    expect(facts[0]?.record).toMatchObject({ labels: ["web"], line: "- has a cat named Luna" });
    expect(facts[0]?.sources).toMatchObject([{ reference: "t2", role: "user", text: "her name is Luna" }]);
    await recall.refresh();
    const [expanded] = await recall.read(facts[0]?.sources[0]?.reference ?? "", {
      scope: "owner",
      around: 0,
    });
    expect(expanded?.text).toBe("her name is Luna");
  });

  it("is found in conversations that were closed, also where the next one has the same key", async () => {
    const { openFor, historyOf, remember, say, store } = await createTrail();
    await say("cli:direct", ["我的猫叫月亮", "你好"]);
    await store.close("cli:direct", "owner");
    await say("cli:direct", ["月亮 is what the moon is called"]);
    const entry = await historyOf("owner").append({
      content: "猫",
      session_key: "cli:direct",
      through: "t2",
    });
    await remember({ line: "- 猫叫月亮", cursors: [entry?.cursor ?? 0] });
    const { facts } = await openFor("owner").explain("月亮");
    expect(facts[0]?.sources.map(({ text }) => text)).toEqual(["我的猫叫月亮"]);
  });

  it("is the turn in which the assistant wrote it", async () => {
    const { openFor, remember, store } = await createTrail();
    const session = await store.open("cli:direct", "owner");
    await session.append([said("a", "I moved to Oslo"), answered("a.1", "Noted."), said("b", "Oslo again")]);
    await remember({ line: "- lives in Oslo", sessionKey: "cli:direct", turn: "a" });
    const { facts } = await openFor("owner").explain("lives in Oslo");
    expect(facts[0]?.sources).toMatchObject([{ reference: "a", text: "I moved to Oslo" }]);
  });

  it("is the summary where the messages are not there any more, and says nothing it does not know", async () => {
    const { openFor, historyOf, remember } = await createTrail();
    const entry = await historyOf("owner").append({
      content: "- plays the cello",
      session_key: "gone",
      through: "x",
    });
    await remember({ line: "- plays the cello", cursors: [entry?.cursor ?? 0, 999] });
    const { facts } = await openFor("owner").explain("cello");
    expect(facts[0]?.sources).toMatchObject([
      { reference: "history@1", role: "history", text: "- plays the cello" },
    ]);
    expect(await openFor("owner").explain("zebra")).toEqual({ facts: [], similar: [] });
  });

  it("of a line that nobody recorded is what a search finds", async () => {
    const { openFor, say, write } = await createTrail();
    await write(memory, "- drives a Volvo\n");
    await say("cli:direct", ["we bought the Volvo in May"]);
    const { facts, similar } = await openFor("owner").explain("drives a Volvo");
    expect(facts).toEqual([]);
    expect(similar.map(({ text }) => text)).toEqual(["we bought the Volvo in May"]);
  });

  it("can be read on by its reference, also where messages have no ids", async () => {
    const { openFor, historyOf, remember, store, recall } = await createTrail();
    const session = await store.open("cli:old", "owner");
    await session.append([said("x", "first")]);
    const line = { role: "user", content: "the boat is called Gannet", timestamp: "2025-01-01T10:00:00" };
    await appendFile(session.path, `${JSON.stringify(line)}\n`);
    const facts = { session_key: "cli:old", through: "message-1" };
    const entry = await historyOf("owner").append({ content: "- boat", ...facts });
    await remember({ line: "- owns the boat Gannet", cursors: [entry?.cursor ?? 0] });
    const explained = (await openFor("owner").explain("Gannet")).facts[0]?.sources[0];
    expect(explained?.text).toBe("the boat is called Gannet");
    await recall.refresh();
    const [found] = await recall.read(explained?.reference ?? "", { scope: "owner", around: 0 });
    expect(found?.text).toBe("the boat is called Gannet");
  });

  it("never tells a guest what another person said, whatever the guest's files claim", async () => {
    const { openFor, historyOf, remember, say } = await createTrail();
    await say("cli:direct", ["the safe opens with 4711"]);
    await say("telegram:ann", ["I like safes"], { scope: "person:ann" });
    const forged = { content: "safe", session_key: "cli:direct", through: "t1" };
    await historyOf("person:ann").append(forged);
    await remember({ line: "- the safe", cursors: [1] }, "person:ann");
    await remember({ line: "- the safe", sessionKey: "cli:direct", turn: "t1" }, "person:ann");
    const explained = await openFor("person:ann").explain("the safe");
    expect(explained.facts).toHaveLength(2);
    expect(JSON.stringify(explained)).not.toContain("4711");
    expect((await openFor("owner").explain("the safe")).facts).toEqual([]);
  });
});

describe("forgetting", () => {
  async function createSecret() {
    const house = await createTrail();
    const { say, write, store, historyOf } = house;
    await say("cli:old", ["the code of the safe is 4711", "我的密码是四七一一"]);
    await store.close("cli:old", "owner");
    await say("cli:direct", ["tell me the safe's code again", "what a day"]);
    await say("telegram:ann", ["ann's safe has a code"], { scope: "person:ann" });
    const history = historyOf("owner");
    await history.append({ content: "- told the code of the safe", session_key: "cli:old", through: "t2" });
    await history.append({ content: "- a fine day", session_key: "cli:direct", through: "t4" });
    await (await store.open("cli:direct", "owner")).updateMetadata({
      _last_summary: { text: "the code of the safe" },
    });
    await write(memory, "# Memory\r\n- The safe's code is 4711\r\n- likes tea\r\n- 密码是四七一一\r\n");
    await write("memory/2026-07-30.md", "- cli:old: told the code of the safe\n- a walk\n");
    await write(`people/ann/${memory}`, "- ann bought a safe with a secret code of six digits\n");
    return { ...house, history };
  }

  it("finds every line, message and summary that holds the words, and nothing of others", async () => {
    const { openFor } = await createSecret();
    const found = await openFor("owner").findForgettable("code safe");
    expect(found.lines.map(({ file, number }) => `${file}:${number}`)).toEqual([
      `${memory}:2`,
      "memory/2026-07-30.md:1",
    ]);
    expect(found.messages.map(({ key }) => key)).toEqual(["t1", "t3"]);
    expect(found.summaries.map(({ key }) => key)).toEqual(["history@1"]);
    const empty = { lines: [], messages: [], summaries: [] };
    expect(await openFor("owner").findForgettable("the of is")).toEqual(empty);
    expect(await openFor("owner").findForgettable("")).toEqual(empty);
  });

  it("takes them out of memory, search, reading and the prompt, for good", async () => {
    const { openFor, find, read, store, history, home, openRecall, recall } = await createSecret();
    const trail = openFor("owner");
    const version = await trail.forget(await trail.findForgettable("safe code"), "safe code");
    expect(version).toMatchObject({
      kind: "forget",
      summary: "memory/2026-07-30.md +0 -1, memory/MEMORY.md +0 -1",
    });
    expect(await read(memory)).toBe("# Memory\r\n- likes tea\r\n- 密码是四七一一\r\n");
    expect(await read("memory/2026-07-30.md")).toBe("- a walk\n");
    expect(await find("code of the safe")).toEqual([]);
    for (const reference of ["t1", "t3", "history@1"])
      expect(await recall.read(reference, { scope: "owner" })).toEqual([]);
    expect((await recall.read("t4", { scope: "owner" })).map(({ text }) => text)).toEqual(["what a day"]);
    expect((await recall.recallFor("the code of the safe", { scope: "owner", deadlineMs: 1e9 })).note).toBe(
      "",
    );
    expect((await history.read()).map(({ cursor }) => cursor)).toEqual([2]);
    expect((await store.open("cli:direct", "owner")).metadata._last_summary).toBeUndefined();
    // Also when the index is built again.
    await recall.close();
    for (const name of await readdir(home)) if (name.startsWith("index.db")) await rm(join(home, name));
    const rebuilt = openRecall();
    expect((await rebuilt.search({ query: "code safe", scope: "owner" })).hits).toEqual([]);
    const { hits } = await rebuilt.search({ query: "code safe", scope: "person:ann" });
    expect(hits).toHaveLength(2);
  });

  it("understands Chinese", async () => {
    const { openFor, read, find } = await createSecret();
    const trail = openFor("owner");
    const found = await trail.findForgettable("密码");
    expect([found.lines.length, found.messages.length]).toEqual([1, 1]);
    await trail.forget(found, "密码");
    expect(await read(memory)).toBe("# Memory\r\n- The safe's code is 4711\r\n- likes tea\r\n");
    expect(await find("密码")).toEqual([]);
  });

  it("removes only what was shown, leaves no trace in the provenance, and its lines can be brought back", async () => {
    const { openFor, read, write, remember, say, find } = await createTrail();
    await remember({ line: "- has a cat named Luna", sessionKey: "cli:direct", turn: "t1" });
    await say("cli:direct", ["my cat is Luna"]);
    const trail = openFor("owner");
    const found = await trail.findForgettable("luna");
    await write(memory, "# Memory\n- has a cat named Luna\n- Luna the moth\n");
    await say("cli:direct", ["Luna is a moth"]);
    const version = await trail.forget(found, "luna");
    expect(await read(memory)).toBe("# Memory\n- Luna the moth\n");
    expect(await find("luna")).toEqual(["Luna is a moth", "# Memory - Luna the moth"]);
    expect((await trail.explain("cat named luna")).facts).toEqual([]);
    await trail.restore(version?.id ?? "");
    expect(await read(memory)).toBe("# Memory\n- has a cat named Luna\n- Luna the moth\n");
    expect(await find("my cat")).not.toContain("my cat is Luna");
  });

  it("adds to what was forgotten before, and can be repeated", async () => {
    const { openFor, say, store, find } = await createTrail();
    await say("cli:direct", ["one apple", "one pear"]);
    const trail = openFor("owner");
    for (const fruit of ["apple", "apple", "pear"])
      await trail.forget(await trail.findForgettable(fruit), fruit);
    expect((await store.open("cli:direct", "owner")).metadata.forgotten).toEqual(["t1", "t2"]);
    expect(await find("one")).toEqual([]);
  });
});
