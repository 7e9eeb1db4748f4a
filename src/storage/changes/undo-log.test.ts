import { readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../../../test/support/fake-clock.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { silentLog } from "../../lib/log.ts";
import { removeEmptyFolder } from "../files/change-files.ts";
import { type Restore, UndoLog } from "./undo-log.ts";

const session = { scope: "owner", sessionKey: "s" } as const;

const restore: Restore = {
  write: (path, bytes) => writeFile(path, bytes),
  remove: (path) => rm(path),
  removeFolder: removeEmptyFolder,
  move: rename,
};

async function createScene(files: Record<string, string> = {}) {
  const workspace = await createTemporaryFolder(files);
  const clock = createFakeClock();
  const folder = join(await createTemporaryFolder(), "undo");
  const undo = new UndoLog({ folder, clock, log: silentLog });
  /** As a tool does it, in a turn of a session. */
  const change = async (turnId: string, name: string, text: string | undefined, sessionKey = "s") => {
    const path = join(workspace, name);
    const taken = await undo.take(path);
    if (text === undefined) await rm(path);
    else await writeFile(path, text);
    await undo.recordChange({ scope: "owner", sessionKey, turnId }, path, taken);
    await clock.advance(1);
  };
  const read = (name: string) => readFile(join(workspace, name), "utf8").catch(() => undefined);
  return { workspace, folder, undo, change, read };
}

describe("undo", () => {
  it("puts back what the last turn changed, made or removed, and then the turn before it", async () => {
    const { undo, change, read } = await createScene({ "a.md": "old", "b.md": "gone" });
    await change("t1", "a.md", "first");
    await change("t2", "a.md", "second");
    await change("t2", "a.md", "third");
    await change("t2", "new.md", "made");
    await change("t2", "b.md", undefined);
    expect((await undo.undo(session, restore))?.restored).toHaveLength(3);
    expect([await read("a.md"), await read("new.md"), await read("b.md")]).toEqual([
      "first",
      undefined,
      "gone",
    ]);
    await undo.undo(session, restore);
    expect(await read("a.md")).toBe("old");
    expect(await undo.undo(session, restore)).toBeUndefined();
  });

  it("leaves alone what was changed since, and says so", async () => {
    const { undo, change, read, workspace } = await createScene({ "a.md": "old", "b.md": "old" });
    await change("t1", "a.md", "mine");
    await change("t1", "b.md", "mine");
    await writeFile(join(workspace, "a.md"), "theirs");
    expect(await undo.undo(session, restore)).toMatchObject({
      restored: [join(workspace, "b.md")],
      left: [join(workspace, "a.md")],
    });
    expect(await read("a.md")).toBe("theirs");
  });

  it.each([
    ["cut off", (bytes: Buffer) => bytes.subarray(0, 2)],
    ["of zeros", (bytes: Buffer) => Buffer.alloc(bytes.length)],
  ])("leaves a file alone whose copy is %s, until the same bytes are kept again", async (_, tear) => {
    const { undo, change, read, folder, workspace } = await createScene({ "a.md": "old", "b.md": "old" });
    await change("t1", "a.md", "new");
    const [blob = ""] = await readdir(join(folder, "blobs"));
    await writeFile(join(folder, "blobs", blob), tear(Buffer.from("old")));
    expect(await undo.undo(session, restore)).toMatchObject({
      restored: [],
      left: [join(workspace, "a.md")],
    });
    expect(await read("a.md")).toBe("new");
    await change("t2", "b.md", "new");
    await undo.undo(session, restore);
    expect(await read("b.md")).toBe("old");
  });

  it("tells which commands cannot be undone", async () => {
    const { undo, change } = await createScene();
    await change("t1", "a.md", "x");
    await undo.recordCommand({ ...session, turnId: "t1" }, "npm install");
    expect((await undo.undo(session, restore))?.commands).toEqual(["npm install"]);
  });

  it("of one conversation does not touch another one's files", async () => {
    const { undo, change, read } = await createScene({ "a.md": "old" });
    await change("t1", "a.md", "theirs", "other");
    expect(await undo.undo(session, restore)).toBeUndefined();
    expect(await read("a.md")).toBe("theirs");
  });

  it("forgets what is older than two weeks", async () => {
    const { undo, change, folder, workspace } = await createScene({ "a.md": "old" });
    await change("t1", "a.md", "new");
    const later = createFakeClock(Date.now() + 15 * 24 * 3_600_000);
    const next = new UndoLog({ folder, clock: later, log: silentLog });
    await next.recordCommand({ ...session, turnId: "t2" }, "ls");
    await expect.poll(() => readdir(join(folder, "blobs"))).toEqual([]);
    expect(await undo.undo(session, restore)).toBeUndefined();
    expect(await readFile(join(workspace, "a.md"), "utf8")).toBe("new");
  });

  it("turn by turn leads back to the beginning, whatever was done", async () => {
    const step = fc.record({
      isNextTurn: fc.boolean(),
      name: fc.constantFrom("a", "b", "c"),
      text: fc.option(fc.string({ maxLength: 5 }), { nil: undefined }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const { undo, change, read } = await createScene({ a: "start" });
        const look = () => Promise.all(["a", "b", "c"].map(read));
        let turn = 0;
        for (const { isNextTurn, name, text } of steps) {
          if (isNextTurn) turn += 1;
          if (text !== undefined || (await read(name)) !== undefined) await change(`t${turn}`, name, text);
        }
        while ((await undo.undo(session, restore)) !== undefined);
        expect(await look()).toEqual(["start", undefined, undefined]);
      }),
      { numRuns: 20 },
    );
  });
});
