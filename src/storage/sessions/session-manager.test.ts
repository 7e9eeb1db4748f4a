import { mkdir, readdir, readFile, stat, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { answered, createSessionHome, said, textsOf } from "../../../test/support/session-home.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { runtimeContextEnd, runtimeContextTag } from "../../lib/formats/runtime-block.ts";
import { toStem } from "./session-name.ts";

describe("opening", () => {
  test("gives the same object to everyone, also when they ask at once", async () => {
    const store = await (await createSessionHome()).openStore();
    const sessions = await Promise.all(Array.from({ length: 20 }, () => store.open("cli:direct", "owner")));
    expect(new Set(sessions).size).toBe(1);
    expect(await store.open("cli:direct", "owner")).toBe(sessions[0]);
  });

  test("gives the same object for a session that is held, however many were opened since", async () => {
    const store = await (await createSessionHome()).openStore();
    const held = await store.open("held", "owner");
    await held.append([said("T", "one")]);
    for (let n = 0; n < 2_100; n++) await store.open(`other:${n}`, "owner");
    expect(await store.open("held", "owner")).toBe(held);
    await held.append([said("T2", "two")]);
    expect(textsOf(held)).toEqual(["one", "two"]);
  });

  test("keeps no file open, however many sessions were written to", async () => {
    const store = await (await createSessionHome()).openStore();
    const before = (await readdir("/proc/self/fd")).length;
    const sessions = [];
    for (let n = 0; n < 200; n++) {
      const session = await store.open(`chat:${n}`, "owner");
      await session.append([said("T", "hello")]);
      sessions.push(session);
    }
    for (const session of sessions.slice(0, 50)) await session.append([said("T2", "again")], { sync: true });
    expect((await readdir("/proc/self/fd")).length - before).toBeLessThanOrEqual(2);
    expect(sessions[0]?.recent).toHaveLength(2);
  });

  test("needs a key", async () => {
    const store = await (await createSessionHome()).openStore();
    await expect(store.open("", "owner")).rejects.toThrow("A session needs a key");
  });

  test("keeps keys apart that look alike as file names", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const keys = ["a:b", "a_b", "a/b", "a:B", "../a", "群聊:1", "a".repeat(5000), `${"a".repeat(5000)}b`];
    for (const key of keys) await (await store.open(key, "owner")).append([said("T", key)]);
    const other = await home.openStore();
    for (const key of keys) expect(textsOf(await other.open(key, "owner"))).toEqual([key]);
    expect((await other.list("owner")).map(({ key }) => key).sort()).toEqual([...keys].sort());
    const names = await readdir(store.folder);
    expect(names.every((name) => Buffer.byteLength(name) < 230)).toBe(true);
  });

  test("keeps keys apart on a disk that ignores case", async () => {
    // Their encoded names differ only in case, so that such a disk has one file for both.
    const [first, second] = ["cli:xa", "cli:xG"];
    expect(toStem(first).toLowerCase()).toBe(toStem(second).toLowerCase());
    const store = await (await createSessionHome()).openStore();
    const mine = await store.open(first, "owner");
    await mine.append([said("T", "private")]);
    await writeFile(join(store.folder, `${toStem(second)}.jsonl`), await readFile(mine.path));
    const other = await store.open(second, "owner");
    expect(other.recent).toEqual([]);
    await other.append([said("T", "mine")]);
    expect(textsOf(mine)).toEqual(["private"]);
  });
});

describe("closing", () => {
  test("keeps the file under a name with the time and begins a new one", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const session = await store.open("cli:direct", "owner");
    await session.append([said("T", "old")]);
    const { path } = session;
    expect(await store.close("cli:direct", "owner")).toMatch(/^cli:direct@\d{8}T\d{9}$/);
    const { path: archived } = session;
    expect(basename(archived)).toMatch(/^Y2xpOmRpcmVjdA\.\d{8}T\d{9}\.jsonl$/);
    const next = await store.open("cli:direct", "owner");
    expect(next).not.toBe(session);
    expect(next.recent).toEqual([]);
    await next.append([said("T", "new")]);
    expect(next.path).toBe(path);
    expect(await readFile(archived, "utf8")).toContain("old");
    expect(textsOf(await (await home.openStore()).open("cli:direct", "owner"))).toEqual(["new"]);
  });

  test("twice in one moment keeps both", async () => {
    const store = await (await createSessionHome()).openStore();
    const paths = new Set<string | undefined>();
    for (const text of ["first", "second", "third"]) {
      await (await store.open("k", "owner")).append([said("T", text)]);
      paths.add(await store.close("k", "owner"));
    }
    expect(paths.size).toBe(3);
    expect((await store.list("owner", { archived: true })).map(({ preview }) => preview).sort()).toEqual([
      "first",
      "second",
      "third",
    ]);
    expect(await store.list("owner")).toEqual([]);
  });

  test("a session that was never written to leaves nothing behind", async () => {
    const store = await (await createSessionHome()).openStore();
    expect(await store.close("k", "owner")).toBeUndefined();
    expect(await readdir(store.folder)).toEqual([".workspace"]);
  });

  test("takes kept bytes along, and what is still appended to the closed session", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const session = await store.open("k", "owner");
    await session.append([said("T", "old")]);
    await writeFile(session.path, '{"torn', { flag: "a" });
    await session.append([answered("T.1", "yes")]);
    await store.close("k", "owner");
    const { path: archived } = session;
    await session.append([answered("T.2", "late")]);
    expect(await readFile(archived, "utf8")).toContain("late");
    expect(await readFile(`${archived}.bad`, "utf8")).toContain('{"torn');
    expect((await store.open("k", "owner")).recent).toEqual([]);
  });
});

describe("the list", () => {
  test("shows the most recent first, with what the user said first", async () => {
    const store = await (await createSessionHome()).openStore();
    const context = `\n\n${runtimeContextTag}\nCurrent Time: 10:00\n${runtimeContextEnd}`;
    const extra = { _runtime_context: { version: 1, suffix: context } };
    const older = await store.open("older", "owner");
    await older.append([answered("X", "hi"), { ...said("T", `wo ist\n  der Bahnhof?${context}`), extra }]);
    await utimes(older.path, 1, 1);
    await (await store.open("newer", "owner")).append([said("T", "长".repeat(500))]);
    const list = await store.list("owner");
    expect(list.map(({ key }) => key)).toEqual(["newer", "older"]);
    expect(list[1]?.preview).toBe("wo ist der Bahnhof?");
    expect(list[0]?.preview).toHaveLength(120);
    expect(list[0]).toMatchObject({ isClosed: false, bytes: (await stat(list[0]?.path ?? "")).size });
  });

  test("tells what was said with files, not the files", async () => {
    const store = await (await createSessionHome()).openStore();
    const image = { type: "image_url" as const, image_url: { url: "file:///home/ada/garden.png" } };
    const words = "What grows here?\n\n[Attachment: /home/ada/plan.txt (text/plain, 3 B)]";
    const content = [image, { type: "text" as const, text: words }];
    await (await store.open("k", "owner")).append([{ ...said("T", ""), message: { role: "user", content } }]);
    expect((await store.list("owner")).map(({ preview }) => preview)).toEqual(["What grows here?"]);
  });

  test("reads only the beginning of a file and passes over what is no session", async () => {
    const store = await (await createSessionHome()).openStore();
    const noise = `${JSON.stringify({ role: "assistant", content: "x".repeat(9000) })}\n`;
    await writeFile(
      join(store.folder, `${toStem("long")}.jsonl`),
      `${noise.repeat(300)}${noise.replace("assistant", "user")}`,
    );
    await writeFile(join(store.folder, `${toStem("binary")}.jsonl`), Buffer.alloc(2_000_000, 0));
    await writeFile(join(store.folder, "notes.jsonl"), "");
    await writeFile(join(store.folder, "readme.txt"), "");
    await mkdir(join(store.folder, `${toStem("folder")}.jsonl`));
    const list = await store.list("owner");
    expect(list.map(({ key, preview }) => `${key}:${preview}`).sort()).toEqual(["binary:", "long:"]);
  });
});

const hasStrace = hasSystemPart(["strace", "-V"], "strace");

test.runIf(hasStrace)("a process that is killed in an append leaves a session that goes on", async () => {
  const home = await createSessionHome();
  const store = await home.openStore();
  const session = await store.open("cli:direct", "owner");
  await session.append([said("T", "before")]);
  const appender = new URL("../../../test/support/append-to-session.ts", import.meta.url).pathname;
  const killed = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=write", "-P", session.path];
  const inject = ["-e", "inject=write:signal=SIGKILL:when=1"];
  const argv = [...killed, ...inject, process.execPath, appender, home.home, "cli:direct", "T2", "during"];
  expect(await runProgram(argv)).toMatchObject({ signal: "SIGKILL", stdout: "" });
  await session.append([said("T3", "after")]);
  expect(textsOf(session).filter((text) => text !== "during")).toEqual(["before", "after"]);
  expect(dirname(session.path)).toBe(store.folder);
});

test("a note about a closed conversation counts from when it is wholly written", async () => {
  const store = await (await createSessionHome()).openStore();
  const session = await store.open("cli:direct", "owner");
  await session.append([said("T", "hello")]);
  const name = "Y2xpOmRpcmVjdA.20261117T030435204.jsonl";
  const seen: string[] = [];
  let isWritten = false;
  const writing = store.pending.note(name, session).then(() => {
    isWritten = true;
  });
  while (!isWritten) seen.push(...(await store.pending.list()));
  await writing;
  expect([...new Set([...seen, ...(await store.pending.list())])]).toEqual([name]);
});
