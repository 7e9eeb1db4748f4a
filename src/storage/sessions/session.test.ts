import { appendFileSync } from "node:fs";
import {
  mkdir,
  open,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { dirname } from "node:path";
import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sampled } from "../../../test/support/long-form.ts";
import {
  answered,
  createSessionHome,
  readRecords,
  type SessionHome,
  said,
  textsOf,
} from "../../../test/support/session-home.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { silentLog } from "../../lib/log.ts";
import type { Session } from "./session.ts";
import { SessionManager } from "./session-manager.ts";

const appender = new URL("../../../test/support/append-to-session.ts", import.meta.url).pathname;

/** The same session as a new process would load it. */
async function reload(home: SessionHome, key = "cli:direct"): Promise<Session> {
  return (await home.openStore()).open(key, "owner");
}

async function openWith(bytes: string | Buffer): Promise<{ home: SessionHome; session: Session }> {
  const home = await createSessionHome();
  const { path } = await reload(home);
  await writeFile(path, bytes);
  return { home, session: await reload(home) };
}

const metadataLine =
  '{"_type":"metadata","key":"cli:direct","created_at":"2026-01-02T03:04:05","metadata":{"a":1}}';

function line(text: string): string {
  return JSON.stringify({ role: "user", content: text });
}

describe("appending", () => {
  test("creates a private file with a metadata line, then one line for each message", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    await expect(stat(session.path)).rejects.toThrow("ENOENT");
    await session.append([said("T", "hello"), answered("T.1", "你好")], { sync: true });
    expect((await stat(session.path)).mode & 0o777).toBe(0o600);
    expect((await stat(dirname(session.path))).mode & 0o777).toBe(0o700);
    const [metadata, ...messages] = await readRecords(session.path);
    expect(metadata).toMatchObject({
      _type: "metadata",
      key: "cli:direct",
      metadata: {},
      last_consolidated: 0,
    });
    expect(messages).toEqual([
      {
        role: "user",
        content: "hello",
        timestamp: expect.any(String),
        id: "T",
        turn: "T",
        at: home.clock.now(),
      },
      expect.objectContaining({ content: "你好", id: "T.1", turn: "T" }),
    ]);
    expect(messages[0]?.timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/);
  });

  test("skips what is already there, so that it can be repeated", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    await session.append([said("T", "once"), said("T", "twice")]);
    await session.append([said("T", "thrice"), answered("T.1", "yes")]);
    expect(textsOf(session)).toEqual(["once", "yes"]);
    expect(session.has("T.1")).toBe(true);
    expect(session.has("T.2")).toBe(false);
    expect(textsOf(await reload(home))).toEqual(["once", "yes"]);
  });

  test("holds in memory exactly what a reload gives", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    const extra = { latency_ms: 3, _hidden_history: true, nothing: undefined };
    const calls = [{ id: "c", type: "function" as const, function: { name: "f", arguments: "{}" } }];
    await session.append([{ ...said("T", "hi \ud83d\ude00 \u2028 end"), extra }]);
    await session.append([
      { id: "T.1", turn: "T", message: { role: "assistant", content: null, tool_calls: calls } },
      { id: "T.1.0", turn: "T", message: { role: "tool", tool_call_id: "c", name: "f", content: "ok" } },
    ]);
    const loaded = await reload(home);
    expect(loaded.recent).toStrictEqual(session.recent);
    expect(loaded.recent[0]).toMatchObject({ latency_ms: 3, _hidden_history: true });
  });

  test("does not let further fields replace the message itself", async () => {
    const session = await reload(await createSessionHome());
    await session.append([{ ...said("T", "mine"), extra: { content: "other", id: "other", role: "tool" } }]);
    expect(session.recent[0]).toMatchObject({ role: "user", content: "mine", id: "T" });
  });

  test("keeps the order of calls that are not awaited", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    const ids = Array.from({ length: 50 }, (_, n) => `T${n}`);
    await Promise.all(ids.map((id) => session.append([said(id, id)])));
    expect(textsOf(session)).toEqual(ids);
    expect(textsOf(await reload(home))).toEqual(ids);
  });

  test("refuses a line that it could not read back", async () => {
    const session = await reload(await createSessionHome());
    await expect(session.append([said("T", "x".repeat(33 * 1024 * 1024))])).rejects.toThrow("too long");
    expect(session.recent).toEqual([]);
  });
});

describe("metadata", () => {
  test("is changed by one more line, of which the last counts", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    await session.append([said("T", "hello")]);
    await session.updateMetadata({ title: "first", counted: { model: "m", tokens: 1, estimate: 1 } });
    await session.updateMetadata(
      { title: "second", counted: undefined },
      { lastConsolidated: 1, sync: true },
    );
    const loaded = await reload(home);
    expect(loaded.metadata).toEqual({ title: "second" });
    expect(loaded.lastConsolidated).toBe(1);
    expect((await readRecords(session.path)).map(({ _type }) => _type)).toEqual([
      "metadata",
      undefined,
      "metadata",
      "metadata",
    ]);
  });

  test("that does not change costs no line", async () => {
    const session = await reload(await createSessionHome());
    await session.updateMetadata({ title: "same" });
    const before = await readFile(session.path);
    await session.updateMetadata({ title: "same" });
    await session.updateMetadata({});
    expect(await readFile(session.path)).toEqual(before);
  });

  test("takes no position that the session does not have", async () => {
    const session = await reload(await createSessionHome());
    await expect(session.updateMetadata({}, { lastConsolidated: 1 })).rejects.toThrow(RangeError);
  });

  test.each([
    ["true", 0],
    ["-1", 0],
    ["1.5", 0],
    ['"1"', 0],
    ["null", 0],
    ["3", 0],
    ["2", 2],
    ["1", 1],
  ])("with last_consolidated %s of two messages means %i", async (value, expected) => {
    const first = `{"_type":"metadata","key":"cli:direct","metadata":null,"last_consolidated":${value}}`;
    const { session } = await openWith(`${first}\n${line("a")}\n${line("b")}\n`);
    expect(session.lastConsolidated).toBe(expected);
    expect(session.metadata).toEqual({});
  });

  test("says when the session began and when something was last said", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    await session.append([said("T", "hello")]);
    const began = session.createdAt;
    await home.clock.advance(60_000);
    await session.append([answered("T.1", "hi")]);
    const loaded = await reload(home);
    expect(loaded.createdAt).toBe(began);
    expect(loaded.updatedAt).toBe(loaded.recent[1]?.timestamp);
    expect(Date.parse(loaded.updatedAt) - Date.parse(began)).toBe(60_000);
  });
});

describe("a damaged file", () => {
  test.each([
    ["a byte order mark", `\ufeff${metadataLine}\n${line("a")}\n${line("b")}\n`],
    ["Windows line ends", `${metadataLine}\r\n${line("a")}\r\n${line("b")}\r\n`],
    ["blank lines", `\n\n${metadataLine}\n\n${line("a")}\n  \n${line("b")}\n\n`],
    ["no newline at the end", `${metadataLine}\n${line("a")}\n${line("b")}`],
    ["a line that is no JSON", `${metadataLine}\n${line("a")}\n{"role":"us\n${line("b")}\n`],
    ["lines that are no records", `${metadataLine}\n${line("a")}\n[1]\n"x"\nnull\n7\n${line("b")}\n`],
    ["a torn last line", `${metadataLine}\n${line("a")}\n${line("b")}\n{"role":"assis`],
    ["NULs where a write was lost", `${metadataLine}\n${line("a")}\n\0\0\0\0\n${line("b")}\n\0\0\0`],
    ["NULs before a line", `${metadataLine}\n${line("a")}\n\0\0\0${line("b")}\n`],
    [
      "a provider's state",
      `${metadataLine}\n{"_type":"provider_state","state":{}}\n${line("a")}\n${line("b")}\n`,
    ],
    ["a line nested too deeply", `${metadataLine}\n${line("a")}\n${deep(50_000)}\n${line("b")}\n`],
  ])("with %s loads what is good, goes on and loads again", async (_name, bytes) => {
    const { home, session } = await openWith(bytes);
    expect(textsOf(session)).toEqual(["a", "b"]);
    expect(session.metadata).toEqual({ a: 1 });
    await session.append([said("T", "c")]);
    expect(textsOf(session)).toEqual(["a", "b", "c"]);
    const loaded = await reload(home);
    expect(loaded.recent).toStrictEqual(session.recent);
    expect(loaded.metadata).toEqual({ a: 1 });
  });

  function deep(levels: number): string {
    return `{"role":"user","content":${'{"a":'.repeat(levels)}1${"}".repeat(levels + 1)}`;
  }

  test("with a broken first line still loads its messages and gets its metadata back", async () => {
    const { home, session } = await openWith(`{"_type":"metad\n${line("a")}\n`);
    expect(textsOf(session)).toEqual(["a"]);
    await session.append([said("T", "b")]);
    expect((await readFurtherRecords(session.path)).at(-2)).toMatchObject({
      _type: "metadata",
      key: "cli:direct",
    });
    expect(textsOf(await reload(home))).toEqual(["a", "b"]);
  });

  async function readFurtherRecords(path: string): Promise<unknown[]> {
    const lines = (await readFile(path, "utf8")).trimEnd().split("\n").slice(1);
    return lines.map((text) => JSON.parse(text));
  }

  test("with invalid UTF-8 keeps the message, with a mark where the bytes were", async () => {
    const bytes = Buffer.from(`${line("a1b")}\n${line("c")}\n`);
    bytes[bytes.indexOf("1")] = 0xff;
    const { session } = await openWith(bytes);
    expect(textsOf(session)).toEqual(["a\ufffdb", "c"]);
  });

  test("is not touched by reading, and keeps its bad bytes in a side file once it is written to", async () => {
    const middle = '{"role":"user","content":"lost middle';
    const tail = '{"role":"assistant","content":"lost tail';
    const { home, session } = await openWith(`${metadataLine}\n${middle}\n${line("a")}\n${tail}`);
    const before = await readFile(session.path);
    await reload(home);
    expect(await readFile(session.path)).toEqual(before);
    await expect(stat(`${session.path}.bad`)).rejects.toThrow("ENOENT");

    await session.append([said("T", "b")]);
    const bad = await readFile(`${session.path}.bad`, "utf8");
    expect(bad).toContain(`\n${middle}\n`);
    expect(bad).toContain(`\n${tail}\n`);
    expect((await stat(`${session.path}.bad`)).mode & 0o777).toBe(0o600);
    const after = await readFile(session.path, "utf8");
    expect(after).toContain(middle);
    expect(after).not.toContain(tail);

    await (await reload(home)).append([said("T2", "c")]);
    expect(await readFile(`${session.path}.bad`, "utf8")).toBe(bad);
    expect(home.logged).toContain("session-damaged");
  });

  test("with an endless line loads the rest and leaves the line where it is", async () => {
    const home = await createSessionHome();
    const { path } = await reload(home);
    await writeFile(path, `${metadataLine}\n${line("a")}\n`);
    const file = await open(path, "a");
    for (let n = 0; n < 40; n++) await file.write(Buffer.alloc(1024 * 1024, "x"));
    await file.write(`\n${line("b")}\n`);
    for (let n = 0; n < 40; n++) await file.write(Buffer.alloc(1024 * 1024, "y"));
    await file.close();
    const session = await reload(home);
    expect(textsOf(session)).toEqual(["a", "b"]);
    await session.append([said("T", "c")]);
    expect(textsOf(await reload(home))).toEqual(["a", "b", "c"]);
    expect((await stat(path)).size).toBeGreaterThan(80 * 1024 * 1024);
    expect(home.logged).toContain("session-line-too-long");
  });
});

describe("a file that cannot be read", () => {
  test.each(["folder", "fifo"])(
    "because a %s has its name is an error, not an empty session",
    async (kind) => {
      const home = await createSessionHome();
      const store = await home.openStore();
      const { path } = await store.open("other", "owner");
      if (kind === "folder") await mkdir(path);
      else await runProgram(["mkfifo", path]);
      await expect(reload(home, "other")).rejects.toMatchObject({ name: "StoredFileError", code: "EISDIR" });
    },
  );

  test.runIf(process.getuid?.() === 0)("by its permissions is an error that says what to do", async () => {
    const { home, session } = await openWith(`${metadataLine}\n${line("a")}\n`);
    const before = await readFile(session.path);
    await runProgram(["chown", "-R", "65534:65534", home.home]);
    await runProgram(["chmod", "000", session.path]);
    const program = [
      "setpriv",
      "--reuid=65534",
      "--regid=65534",
      "--clear-groups",
      process.execPath,
      appender,
    ];
    const { code, stderr } = await runProgram([...program, home.home, "cli:direct", "T", "text"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/StoredFileError: cannot read .* \(EACCES\)/);
    expect(await readFile(session.path)).toEqual(before);
  });
});

describe("a session in use", () => {
  test("picks up what another process appended", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const session = await store.open("cli:direct", "owner");
    await session.append([said("T", "mine")]);
    const { stdout, stderr } = await runProgram([
      process.execPath,
      appender,
      home.home,
      "cli:direct",
      "T2",
      "theirs",
    ]);
    expect({ stdout, stderr }).toEqual({ stdout: "2\n", stderr: "" });
    expect(await store.open("cli:direct", "owner")).toBe(session);
    expect(textsOf(session)).toEqual(["mine", "theirs"]);
    await session.append([said("T2", "theirs again"), said("T3", "mine again")]);
    expect(textsOf(await reload(home))).toEqual(["mine", "theirs", "mine again"]);
  });

  test("is read while another store gives its file another name", async () => {
    const home = await createSessionHome();
    const [writing, reading] = [await home.openStore(), await home.openStore()];
    let isOver = false;
    const read = async () => {
      const seen = new Set<number>();
      // What is unchanged is known without waiting for anything.
      for (; !isOver; await setImmediate()) seen.add((await reading.open("cli:direct", "owner")).count);
      return [...seen].sort();
    };
    const readers = [read(), read()];
    for (let round = 0; round < sampled(40, 200); round += 1) {
      const session = await writing.open("cli:direct", "owner");
      await session.append([said(`T${round}`, "first"), said(`U${round}`, "second")]);
      await writing.close("cli:direct", "owner");
    }
    isOver = true;
    expect([...new Set((await Promise.all(readers)).flat())].sort()).toEqual([0, 2]);
  });

  test("reads only what is new", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const session = await store.open("cli:direct", "owner");
    await session.append([said("T", "first")]);
    const [first] = session.recent;
    await writeFile(session.path, `${line("second")}\n`, { flag: "a" });
    await store.open("cli:direct", "owner");
    expect(textsOf(session)).toEqual(["first", "second"]);
    expect(session.recent[0]).toBe(first);
  });

  test("waits for the rest of a line that is still being written", async () => {
    const home = await createSessionHome();
    const store = await home.openStore();
    const session = await store.open("cli:direct", "owner");
    await session.append([said("T", "first")]);
    const text = `${line("second")}\n`;
    await writeFile(session.path, text.slice(0, 20), { flag: "a" });
    await store.open("cli:direct", "owner");
    expect(textsOf(session)).toEqual(["first"]);
    await writeFile(session.path, text.slice(20), { flag: "a" });
    await store.open("cli:direct", "owner");
    expect(textsOf(session)).toEqual(["first", "second"]);
  });

  test("loses nothing to a writer that does not keep to the lock", async () => {
    const home = await createSessionHome();
    const [mine, theirs] = [await reload(home), await reload(home)];
    const writes = Array.from({ length: 60 }, (_, n) => [
      mine.append([said(`mine${n}`, "m")]),
      theirs.append([said(`theirs${n}`, "t")]),
    ]);
    await Promise.all(writes.flat());
    await Promise.all([mine.refresh(), theirs.refresh()]);
    const ids = (await readRecords(mine.path)).map(({ id }) => id).filter((id) => id !== undefined);
    expect(ids).toHaveLength(120);
    expect(mine.recent.map(({ id }) => id)).toEqual(ids);
    expect(theirs.recent.map(({ id }) => id)).toEqual(ids);
  });

  test("reads everything again when another process wrote between its reading and its writing", async () => {
    const { root, workspace, clock } = await createSessionHome();
    let interfere = () => {};
    const now = () => {
      interfere();
      return clock.now();
    };
    const store = await SessionManager.open({ root, workspace, clock: { ...clock, now }, log: silentLog });
    const session = await store.open("cli:direct", "owner");
    await session.append([said("T", "first")]);
    interfere = () => appendFileSync(session.path, `${line("theirs")}\n`);
    await session.append([said("T2", "mine")]);
    interfere = () => {};
    await session.refresh();
    expect(textsOf(session)).toEqual(["first", "theirs", "mine"]);
  });

  test("sees a change in place that leaves the length as it was", async () => {
    const home = await createSessionHome();
    const session = await reload(home);
    await session.append([said("T", "one"), answered("T.1", "two")]);
    await writeFile(session.path, (await readFile(session.path, "utf8")).replace('"one"', '"ONE"'));
    await utimes(session.path, 1, 1);
    await session.refresh();
    expect(textsOf(session)).toEqual(["ONE", "two"]);
  });

  test.each(["replaced", "edited in place", "cut", "removed"])(
    "sees that its file was %s, and appends to the new one",
    async (how) => {
      const home = await createSessionHome();
      const store = await home.openStore();
      const session = await store.open("cli:direct", "owner");
      await session.append([said("T", "one"), answered("T.1", "two")]);
      const text = await readFile(session.path, "utf8");
      if (how === "replaced") {
        await writeFile(`${session.path}.tmp`, text.replace("one", "eins"));
        await rename(`${session.path}.tmp`, session.path);
      }
      if (how === "edited in place") await writeFile(session.path, text.replace("one", "a longer one"));
      if (how === "cut") await truncate(session.path, text.indexOf("\n") + 1);
      if (how === "removed") await rm(session.path);
      const left = { replaced: ["eins", "two"], "edited in place": ["a longer one", "two"] }[how] ?? [];
      await session.append([said("T3", "three")]);
      expect(textsOf(session)).toEqual([...left, "three"]);
      expect(textsOf(await reload(home))).toEqual([...left, "three"]);
      expect((await readRecords(session.path))[0]).toMatchObject({ _type: "metadata", key: "cli:direct" });
    },
  );
});

test("a session file that is a link is refused, and what it leads to stays as it is", async () => {
  const home = await createSessionHome();
  const store = await home.openStore();
  const { path } = await store.open("cli:direct", "owner");
  const target = `${home.home}/foreign`;
  await writeFile(target, "root:x:0:0\n");
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
  await expect((await home.openStore()).open("cli:direct", "owner")).rejects.toMatchObject({
    name: "StoredFileError",
    code: "EISDIR",
  });
  expect(await readFile(target, "utf8")).toBe("root:x:0:0\n");
});
