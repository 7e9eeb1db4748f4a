import { chmod, mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { sampled } from "../../../test/support/long-form.ts";
import { createSessionHome, type SessionHome, said, textsOf } from "../../../test/support/session-home.ts";
import { runProgram } from "../../../test/support/start-program.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import type { SessionManager } from "../sessions/session-manager.ts";
import { toStem } from "../sessions/session-name.ts";

function fileOf(key: string | undefined, ...texts: string[]): string {
  const messages = texts.map((content) => ({ role: "user", content, timestamp: "2026-01-01T00:00:00" }));
  return [{ _type: "metadata", key, metadata: {} }, ...messages]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join("");
}

async function put(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content, { mode: 0o644 });
}

async function textsIn(store: SessionManager, key: string): Promise<unknown[]> {
  return textsOf(await store.open(key, "owner"));
}

async function readTree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

const places: Array<[string, (home: SessionHome) => string]> = [
  ["the workspace", ({ workspace }) => join(workspace, "sessions")],
  ["the root itself", ({ root }) => root],
];

describe.each(places)("sessions in %s", (_name, placeOf) => {
  test("are taken over whole, and a copy is kept", async () => {
    const home = await createSessionHome();
    const place = placeOf(home);
    const [legacy, current] = [fileOf("telegram:123", "old"), fileOf("cli:direct", "newer")];
    await put(join(place, "telegram_123.jsonl"), legacy);
    await put(join(place, `${toStem("cli:direct")}.jsonl`), current);
    await utimes(join(place, "telegram_123.jsonl"), 1000, 2000);
    const store = await home.openStore();
    expect(await textsIn(store, "telegram:123")).toEqual(["old"]);
    expect(await textsIn(store, "cli:direct")).toEqual(["newer"]);
    const [, oldest] = await store.list("owner");
    expect(oldest).toMatchObject({ key: "telegram:123" });
    expect(oldest?.changedAt).toBe(2_000_000);
    expect((await readdir(place)).filter((name) => name.endsWith(".jsonl"))).toEqual([]);
    expect((await readTree(join(home.home, "backup"))).sort()).toEqual(
      [`${toStem("cli:direct")}.jsonl`, "telegram_123.jsonl"].sort(),
    );
  });

  test("count only with the key that they name", async () => {
    const home = await createSessionHome();
    const path = join(placeOf(home), "a_b.jsonl");
    await put(path, fileOf("x:y", "whose?"));
    const store = await home.openStore();
    expect(await textsIn(store, "a:b")).toEqual([]);
    expect(await textsIn(store, "x:y")).toEqual([]);
    expect(await readFile(path, "utf8")).toContain("whose?");
    expect(home.logged).toContain("session-not-taken-over");
  });

  test("that name no key are known by their file's name", async () => {
    const home = await createSessionHome();
    await put(join(placeOf(home), "cli_direct.jsonl"), fileOf(undefined, "very old"));
    await put(join(placeOf(home), `${toStem("k:1")}.jsonl`), '{"role":"user","content":"headless"}\n');
    const store = await home.openStore();
    expect(await textsIn(store, "cli:direct")).toEqual(["very old"]);
    expect(await textsIn(store, "k:1")).toEqual(["headless"]);
  });

  test("never replace a session that is already here", async () => {
    const home = await createSessionHome();
    const first = await home.openStore();
    await (await first.open("a:b", "owner")).append([said("T", "present")]);
    for (const text of ["old", "other"]) {
      await put(join(placeOf(home), "a_b.jsonl"), fileOf("a:b", text));
      const store = await home.openStore();
      expect(await textsIn(store, "a:b")).toEqual(["present"]);
    }
    const aside = join(first.folder, ".migration-conflicts");
    const kept = await Promise.all((await readdir(aside)).map((name) => readFile(join(aside, name), "utf8")));
    expect(kept.sort()).toEqual([fileOf("a:b", "old"), fileOf("a:b", "other")].sort());
    expect(home.logged).toContain("session-conflict");
  });

  test("that were already taken over, and went on, make no conflict", async () => {
    const home = await createSessionHome();
    const path = join(placeOf(home), "a_b.jsonl");
    await put(path, fileOf("a:b", "old"));
    await (await (await home.openStore()).open("a:b", "owner")).append([said("T", "new")]);
    await put(path, fileOf("a:b", "old"));
    const store = await home.openStore();
    expect(await textsIn(store, "a:b")).toEqual(["old", "new"]);
    expect(home.logged).not.toContain("session-conflict");
  });

  test("that are links are left alone", async () => {
    const home = await createSessionHome();
    await put(join(home.home, "secret.jsonl"), fileOf("a:b", "secret"));
    await mkdir(placeOf(home), { recursive: true });
    await symlink(join(home.home, "secret.jsonl"), join(placeOf(home), "a_b.jsonl"));
    expect(await textsIn(await home.openStore(), "a:b")).toEqual([]);
  });
});

test("files that hold no session are left where they are", async () => {
  const home = await createSessionHome();
  const place = join(home.workspace, "sessions");
  await put(join(place, "history.jsonl"), '{"cursor":1,"content":"x"}\n');
  await put(join(place, "noise.jsonl"), "\0\0\0 not json\n");
  await put(join(place, "empty.jsonl"), "");
  await put(join(place, "a_b.jsonl"), fileOf("a:b", "fine"));
  const store = await home.openStore();
  expect(await textsIn(store, "a:b")).toEqual(["fine"]);
  expect((await readdir(place)).sort()).toEqual(["empty.jsonl", "history.jsonl", "noise.jsonl"]);
});

test("a folder that is a link is not looked into", async () => {
  const home = await createSessionHome();
  await put(join(home.home, "other", "a_b.jsonl"), fileOf("a:b", "secret"));
  await mkdir(home.workspace);
  await symlink(join(home.home, "other"), join(home.workspace, "sessions"));
  expect(await textsIn(await home.openStore(), "a:b")).toEqual([]);
});

test("an old file name in the right folder is renamed", async () => {
  const home = await createSessionHome();
  const { folder } = await home.openStore();
  await put(join(folder, "telegram_1.jsonl"), fileOf("telegram:1", "old"));
  const store = await home.openStore();
  expect(await textsIn(store, "telegram:1")).toEqual(["old"]);
  expect(await readdir(folder)).toContain(`${toStem("telegram:1")}.jsonl`);
  expect(await readdir(folder)).not.toContain("telegram_1.jsonl");
});

const opener = new URL("../../../test/support/append-to-session.ts", import.meta.url).pathname;
const hasStrace = hasSystemPart(["strace", "-V"], "strace");

test("processes that start at once on an old home take it over together", async () => {
  const home = await createSessionHome();
  const keys = Array.from({ length: 30 }, (_, n) => `telegram:${n}`);
  for (const key of keys) {
    await put(join(home.workspace, "sessions", `${key.replace(":", "_")}.jsonl`), fileOf(key, key));
  }
  const starts = [1, 2, 3].map((n) => runProgram([process.execPath, opener, home.home, "z", `T${n}`, "x"]));
  for (const { code, stderr } of await Promise.all(starts))
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const store = await home.openStore();
  for (const key of keys) expect(await textsIn(store, key)).toEqual([key]);
  expect((await store.open("z", "owner")).recent).toHaveLength(3);
  expect(await readdir(store.folder)).not.toContain(".migration-conflicts");
});

test.runIf(hasStrace).each(["link,linkat", "unlink,unlinkat", "fsync", "chmod,fchmodat"])(
  "a death at any %s of a migration loses nothing, and the next start finishes it",
  async (calls) => {
    // Every second one, and each of them with FULL=1.
    for (let when = 1; ; when += sampled(2, 1)) {
      const home = await createSessionHome();
      const { folder } = await home.openStore();
      await put(join(home.workspace, "sessions", "a_b.jsonl"), fileOf("a:b", "one"));
      await put(join(home.root, "c_d.jsonl"), fileOf("c:d", "two"));
      const inject = ["-f", "-qq", "-o", "/dev/null", "-e", `inject=${calls}:signal=SIGKILL:when=${when}`];
      const { signal } = await runProgram([
        "strace",
        ...inject,
        process.execPath,
        opener,
        home.home,
        "z",
        "T",
        "x",
      ]);
      await chmod(folder, 0o700);
      const store = await home.openStore();
      expect(await textsIn(store, "a:b")).toEqual(["one"]);
      expect(await textsIn(store, "c:d")).toEqual(["two"]);
      expect((await readTree(home.root)).filter((name) => /^(a_b|c_d)|\.tmp$/.test(name))).toEqual([]);
      expect(
        (await readTree(join(home.home, "backup"))).filter((name) => name.endsWith(".jsonl")).sort(),
      ).toEqual(["a_b.jsonl", "c_d.jsonl"]);
      expect(basename(store.folder)).toBe(basename(folder));
      if (signal !== "SIGKILL") return;
    }
  },
);
