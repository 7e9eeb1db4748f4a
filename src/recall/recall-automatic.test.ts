import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createRecallHome } from "../../test/support/recall-home.ts";
import { runtimeContextEnd, runtimeContextTag } from "../lib/formats/runtime-block.ts";
import { estimateTokens } from "../lib/tokens.ts";

const scope = "owner";

describe("automatic recall", () => {
  test("quotes what was said about the question, with its day and a reference", async () => {
    const { say, recall } = await createRecallHome();
    await say("old", ["My dentist is Doctor Quill in Baker Street"]);
    await recall.refresh();
    const note = (await recall.recallFor("When is my appointment with the dentist?", { scope })).note;
    expect(note.split("\n")).toEqual([
      expect.stringMatching(/^From earlier .*:$/),
      expect.stringMatching(/^- 2026-08-01, user: My dentist is Doctor Quill in Baker Street \(t1\)$/),
    ]);
  });

  test("starts no thread for a process with one turn, finds the same, and leaves nothing open", async () => {
    const { say, recall, openRecall, home } = await createRecallHome();
    await say("old", ["My dentist is Doctor Quill in Baker Street"]);
    await recall.refresh();
    await recall.close();
    let threads = 0;
    const count = () => (threads += 1);
    process.on("worker", count);
    onTestFinished(() => void process.off("worker", count));
    const once = openRecall({ isOnce: true });
    expect((await once.recallFor("the dentist", { scope })).note).toContain("Doctor Quill");
    await say("old", ["The falcon nests on the tower"]);
    const { hits } = await once.search({ query: "falcon", scope });
    expect(hits[0]?.text).toContain("falcon");
    await once.close();
    await expect(once.search({ query: "falcon", scope })).rejects.toMatchObject({
      phrase: { code: "memory.search-ended" },
    });
    expect(threads).toBe(0);
    expect(existsSync(join(home, "index.db-wal"))).toBe(false);
    await openRecall().refresh();
    expect(threads).toBe(1);
  });

  test("is silent about what has nothing to do with it, and about greetings", async () => {
    const { say, recall } = await createRecallHome();
    await say("old", ["My dentist is Doctor Quill", "The train leaves at nine from platform four"]);
    await recall.refresh();
    for (const text of [
      "hi",
      "Thanks a lot!",
      "",
      "Write a poem about the sea and a lonely train conductor named Fritz",
    ]) {
      expect((await recall.recallFor(text, { scope })).note, text).toBe("");
    }
  });

  test("leaves out what the prompt holds: given messages, memory files, notes, results of tools", async () => {
    const { say, write, store, recall } = await createRecallHome();
    await say("old", ["The falcon nests on the tower"]);
    await write("memory/MEMORY.md", "The falcon nests on the tower of the church");
    await write("memory/2026-07-31.md", "Talked about the falcon on the tower");
    const message = { role: "tool" as const, tool_call_id: "c", name: "exec", content: "falcon tower" };
    await (await store.open("tools", "owner")).append([{ id: "t9.1.1", turn: "t9", message }]);
    await recall.refresh();
    expect((await recall.recallFor("falcon tower", { scope })).note).toContain("(t1)");
    expect((await recall.recallFor("falcon tower", { scope })).note).not.toMatch(/church|Talked|t9/);
    expect((await recall.recallFor("falcon tower", { scope, exclude: ["t1"] })).note).toBe("");
  });

  test("marks documents, stays within its budget, and cannot end the block it is quoted in", async () => {
    const { say, write, recall } = await createRecallHome();
    const long = (at: number) =>
      `falcon tower ${runtimeContextEnd} ${runtimeContextTag} ${`高塔 story ${at} `.repeat(60)}`;
    for (const at of Array.from({ length: 12 }).keys()) await say(`old${at}`, [long(at)]);
    await write("knowledge/birds.md", "The falcon and its tower");
    await recall.refresh();
    const note = (await recall.recallFor("falcon tower", { scope })).note;
    expect(note).toContain("document knowledge/birds.md: The falcon and its tower");
    expect(note).not.toContain(runtimeContextEnd);
    expect(note).not.toContain(runtimeContextTag);
    expect(estimateTokens(note)).toBeLessThanOrEqual(800);
  });

  test("answers the first turn of a process from the index on the disk, without reading a file", async () => {
    const { say, recall, openRecall } = await createRecallHome();
    await say("old", ["The falcon nests on the tower"]);
    await recall.refresh();
    await recall.close();
    await say("old", ["A falcon tower that no index knows yet"]);
    const { note } = await openRecall().recallFor("falcon tower", { scope });
    expect(note).toContain("The falcon nests on the tower");
    expect(note).not.toContain("no index");
  });

  test("gives later what was not found in time", async () => {
    const { say, openRecall, clock, logged } = await createRecallHome();
    await say("old", ["The falcon nests on the tower"]);
    const recall = openRecall({ clock: { ...clock, sleep: async () => {} } });
    await recall.refresh();
    const { note, late } = await recall.recallFor("falcon tower", { scope });
    expect(note).toBe("");
    expect((await late)?.note).toContain("falcon");
    expect(logged).toContain("recall-late");
  });

  test("waits longer for a machine on which searches take longer, and less again when it is quick", async () => {
    const { say, openRecall, clock } = await createRecallHome();
    await say("old", ["The falcon nests on the tower"]);
    const waits: number[] = [];
    let [elapsed, takes] = [0, 5];
    const recall = openRecall({
      clock: {
        ...clock,
        // Asked before and after a search.
        elapsed: () => (elapsed += takes / 2),
        sleep: (ms, signal) => {
          if (ms !== 250) waits.push(Math.round(ms));
          return clock.sleep(ms, signal);
        },
      },
    });
    await recall.refresh();
    const search = () => recall.recallFor("falcon tower", { scope });
    for (let turn = 0; turn < 12; turn++) await search();
    takes = 200;
    for (let turn = 0; turn < 2; turn++) await search();
    expect(waits.slice(0, 3)).toEqual([500, 400, 320]);
    expect(waits.slice(-3)).toEqual([50, 50, 400]);
  });

  test("starts no thread where nothing was ever indexed, and is there in a later turn", async () => {
    const { say, home, openRecall, clock } = await createRecallHome();
    await say("old", ["The falcon nests on the tower"]);
    const recall = openRecall();
    expect((await recall.recallFor("falcon tower", { scope })).note).toBe("");
    expect(existsSync(join(home, "index.db"))).toBe(false);
    await clock.advance(250);
    await recall.refresh();
    expect((await recall.recallFor("falcon tower", { scope })).note).toContain("falcon");
  });

  test("starts no thread for a turn that is over at once", async () => {
    const { home, openRecall, clock } = await createRecallHome();
    const recall = openRecall();
    await recall.recallFor("falcon", { scope });
    await recall.close();
    expect(clock.sleeping).toBe(0);
    expect(existsSync(join(home, "index.db"))).toBe(false);
  });
});
