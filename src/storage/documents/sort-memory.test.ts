// A home in which 0.1.0 has archived conversations into the memory of others. With a gateway: test/long/people-killed.test.ts.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDocuments } from "../../../test/support/documents.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { removeEmptyFolders } from "../../guards/sandbox/sandbox-places.ts";
import { systemClock } from "../../lib/clock.ts";
import { silentLog } from "../../lib/log.ts";
import type { HomeLock } from "../home-lock.ts";
import { SessionManager } from "../sessions/session-manager.ts";
import { toArchiveName, toFileName, toStem } from "../sessions/session-name.ts";
import { HistoryLog } from "./history-log.ts";
import { toNoteLine } from "./memory-store.ts";
import { sortMemory } from "./sort-memory.ts";

const lock: HomeLock = { acquire: async () => () => {}, close() {} };
const day = "2026-08-01.md";
const guestRoot = "people/telegram-2";
const groupRoot = "groups/telegram--10";

interface Said {
  key: string;
  scope?: string;
  id: string;
  name?: string;
  text?: string;
}

async function writeSession(
  folder: string,
  { key, scope, id, name = toFileName(toStem(key)), text = "hello" }: Said,
) {
  const epoch = { hash: "0", startedAt: 1, model: "m", from: 0, seen: {} };
  const lines = [
    { _type: "metadata", key, metadata: { epoch, ...(scope && { scope }) }, last_consolidated: 0 },
    { role: "user", content: text, id, turn: id, at: 1 },
  ];
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
}

async function archive(root: string, entry: { content: string; session_key: string; through: string }) {
  await new HistoryLog(root, systemClock).append({ ...entry, timestamp: "2026-08-01 10:00" });
  const path = join(root, "memory", day);
  const before = await readFile(path, "utf8").catch(() => "");
  await writeFile(path, `${before}${toNoteLine(entry)}\n`);
}

const ofOwner = { content: "amberkestrel in private", session_key: "telegram:1", through: "a1" };
const ofGuest = { content: "cobaltheron in private", session_key: "telegram:2", through: "b1" };
const ofGroup = { content: "violetegret in the group", session_key: "telegram:-10", through: "c1" };
const ofNobody = { content: "a conversation that is gone", session_key: "web:lost", through: "z1" };

/** Everything in the wrong place: the owner's with the guest, the guest's and the group's with the owner. */
async function createMixedHome() {
  const home = await createTemporaryFolder();
  const workspace = join(home, "workspace");
  const sessions = await SessionManager.open({
    root: join(home, "sessions"),
    workspace,
    clock: systemClock,
    log: silentLog,
  });
  const { folder } = sessions;
  const guest = join(workspace, guestRoot);
  const shown = `hi\n\nNotes in memory/${day}:\n- mine\n${toNoteLine(ofOwner)}\n- also mine`;
  await writeSession(folder, { key: "telegram:1", id: "a1" });
  await writeSession(folder, { key: "telegram:2", id: "b0", scope: "person:telegram-2", text: shown });
  await writeSession(folder, {
    key: "telegram:2",
    id: "b1",
    scope: "person:telegram-2",
    name: toArchiveName(toStem("telegram:2"), 1, 1),
  });
  await writeSession(folder, { key: "telegram:-10", id: "c1", scope: "group:telegram--10" });
  await mkdir(join(folder, "prefixes"));
  await writeFile(join(folder, "prefixes", "0.json"), JSON.stringify({ system: `- ${ofOwner.content}` }));
  await archive(workspace, ofGuest);
  await archive(workspace, ofGroup);
  await archive(workspace, { ...ofOwner, content: "amberkestrel, rightly" });
  await archive(workspace, ofNobody);
  await archive(guest, ofOwner);
  await writeFile(join(guest, "memory/MEMORY.md"), "- Likes herons\n- Knows amberkestrel\n");
  const drawn = { file: "memory/MEMORY.md", line: "- Knows amberkestrel", at: 1, cursors: [1] };
  await writeFile(join(guest, "memory/.provenance.jsonl"), `${JSON.stringify(drawn)}\n`);
  const documents = openDocuments(home);
  const parts = { documents, sessions, lock, clock: systemClock, log: silentLog, removeEmptyFolders };
  return { workspace, parts, folder, guest, group: join(workspace, groupRoot) };
}

async function contentsOf(root: string): Promise<string[]> {
  return (await new HistoryLog(root, systemClock).read()).map(({ content }) => content);
}

describe("a home with mixed memories", () => {
  it("is sorted by the conversations that its entries name, and nothing that nobody can tell is touched", async () => {
    const { workspace, parts, folder, guest, group } = await createMixedHome();
    expect(await sortMemory(parts)).toBe(3);

    expect(await contentsOf(workspace)).toEqual(["amberkestrel, rightly", ofNobody.content, ofOwner.content]);
    expect(await contentsOf(guest)).toEqual([ofGuest.content]);
    expect(await contentsOf(group)).toEqual([ofGroup.content]);
    const [moved] = await new HistoryLog(guest, systemClock).read();
    expect(moved).toMatchObject({ ...ofGuest, timestamp: "2026-08-01 10:00" });

    const readNote = (root: string) => readFile(join(root, "memory", day), "utf8");
    expect(await readNote(guest)).toBe(`${toNoteLine(ofGuest)}\n`);
    expect(await readNote(group)).toBe(`${toNoteLine(ofGroup)}\n`);
    expect((await readNote(workspace)).match(/amberkestrel|cobaltheron|violetegret|gone/g)).toEqual([
      "amberkestrel",
      "gone",
      "amberkestrel",
    ]);

    for (const name of await readdir(guest, { recursive: true, withFileTypes: true }))
      if (name.isFile())
        expect(await readFile(join(name.parentPath, name.name), "utf8")).not.toContain("amberkestrel");
    expect(await readFile(join(guest, "memory/MEMORY.md"), "utf8")).toBe("- Likes herons\n");
    const session = await readFile(join(folder, toFileName(toStem("telegram:2"))), "utf8");
    expect(session).toContain(JSON.stringify(`hi\n\nNotes in memory/${day}:\n- mine\n- also mine`));
    expect(await readdir(join(folder, "prefixes"))).toEqual([]);
    expect(await sortMemory(parts)).toBe(0);
  });

  it("loses the empty folders that 0.1.0 made for its commands, and no other", async () => {
    const { workspace, parts, guest } = await createMixedHome();
    for (const name of ["skills", "cron", "sessions", "prompts", "mine"]) await mkdir(join(workspace, name));
    await mkdir(join(workspace, "people/bob/memory"), { recursive: true });
    await writeFile(join(workspace, "cron", "jobs.json"), "{}");
    await sortMemory(parts);
    const left = [".nanobot", "cron", "groups", "memory", "mine", "people"];
    expect((await readdir(workspace)).sort()).toEqual(left);
    expect(await readdir(join(workspace, "people/bob"))).toEqual([]);
    expect(await readdir(guest)).toContain("memory");
  });

  it("loses and doubles nothing when it is interrupted, wherever that is", async () => {
    const { workspace, parts, guest, group } = await createMixedHome();
    const before = await readFile(join(guest, "memory/history.jsonl"));
    await sortMemory(parts);
    // As if it had died before the guest's history was cleaned and before it was noted as done.
    const carried = await readFile(join(guest, "memory/history.jsonl"));
    await writeFile(join(guest, "memory/history.jsonl"), Buffer.concat([before, carried]));
    await rm(join(workspace, ".nanobot/memory-sorted"));
    await sortMemory(parts);
    expect((await contentsOf(workspace)).filter((text) => text === ofOwner.content)).toHaveLength(1);
    expect(await contentsOf(group)).toEqual([ofGroup.content]);
    expect(await contentsOf(guest)).toEqual([ofGuest.content]);
  });

  it("stops nothing where a file of it cannot be read, and is sorted at a later start", async () => {
    const { workspace, parts, guest } = await createMixedHome();
    const unreadable = join(workspace, "people/bob/memory/history.jsonl");
    await mkdir(unreadable, { recursive: true });
    expect(await sortMemory(parts)).toBe(0);
    await rm(unreadable, { recursive: true });
    await sortMemory(parts);
    expect((await contentsOf(workspace)).filter((text) => text === ofOwner.content)).toHaveLength(1);
    expect(await contentsOf(guest)).toEqual([ofGuest.content]);
  });
});
