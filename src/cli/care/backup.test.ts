import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, readdir, readFile, stat, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateDatabase } from "../../storage/database/state-database.ts";
import { BackupError, checkBackup, unpackBackup, writeBackup } from "./backup.ts";

const run = promisify(execFile);

async function createHome(): Promise<string> {
  const long = `workspace/${"很长的名字/".repeat(12)}笔记.md`;
  const home = await createTemporaryFolder({
    "config.json": '{"a":1}',
    [long]: "内容",
    "workspace/empty.md": "",
    "cache/junk": "x",
    "run/gateway.json": "{}",
  });
  const state = await StateDatabase.open({ path: join(home, "state.db") });
  await state.write(() => state.run("INSERT INTO inbox (id, source_key) VALUES ('a', 'a')"));
  state.close();
  return home;
}

describe("a backup", () => {
  it("holds everything of a home that cannot be made again, and gives it back as it was", async () => {
    const home = await createHome();
    const target = join(await createTemporaryFolder(), "deep", "backup.tar.gz");
    await chmod(join(home, "config.json"), 0o640);
    await utimes(join(home, "config.json"), 1_000, 2_000);
    const { files, left } = await writeBackup(home, target);
    expect({ files, left }).toEqual({ files: 4, left: [] });
    const back = join(await createTemporaryFolder(), "home");
    expect(await unpackBackup(target, back)).toBe(4);
    expect((await readdir(back)).sort()).toEqual(["config.json", "state.db", "workspace"]);
    expect(await readFile(join(back, "config.json"), "utf8")).toBe('{"a":1}');
    const { mode, mtimeMs } = await stat(join(back, "config.json"));
    expect([mode & 0o777, mtimeMs]).toEqual([0o640, 2_000_000]);
    const [note = ""] = (await readdir(back, { recursive: true })).filter((name) => name.endsWith("笔记.md"));
    expect(await readFile(join(back, note), "utf8")).toBe("内容");
    const state = await StateDatabase.open({ path: join(back, "state.db") });
    expect(state.all("SELECT id FROM inbox")).toEqual([{ id: "a" }]);
    state.close();
  });

  it("can be opened by any tar", async () => {
    const home = await createHome();
    const target = join(await createTemporaryFolder(), "backup.tar.gz");
    await writeBackup(home, target);
    const { stdout } = await run("tar", ["-xzOf", target, "config.json"]);
    expect(stdout).toBe('{"a":1}');
  });

  it("names what it could not take", async () => {
    const home = await createHome();
    await symlink("/etc/hostname", join(home, "link"));
    const { left } = await writeBackup(home, join(await createTemporaryFolder(), "b.tar.gz"));
    expect(left).toEqual(["link"]);
  });

  it("that is damaged anywhere is refused", async () => {
    const home = await createHome();
    const folder = await createTemporaryFolder();
    const target = join(folder, "backup.tar.gz");
    await writeBackup(home, target);
    const bytes = await readFile(target);
    for (const cut of [10, Math.floor(bytes.length / 2), bytes.length - 60]) {
      await writeFile(join(folder, "cut"), bytes.subarray(0, cut));
      await expect(checkBackup(join(folder, "cut"))).rejects.toThrow(BackupError);
    }
    for (const at of [100, Math.floor(bytes.length / 2)]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 0xff;
      await writeFile(join(folder, "changed"), changed);
      await expect(checkBackup(join(folder, "changed"))).rejects.toThrow(BackupError);
    }
    await writeFile(join(folder, "other"), "not a backup");
    await expect(checkBackup(join(folder, "other"))).rejects.toThrow(BackupError);
  });

  it("of version 0.1.0 is read, which is how GNU tar writes long names", async () => {
    const name = `workspace/${"很长的名字/".repeat(12)}笔记.md`;
    const files = { [name]: createHash("sha256").update("内容").digest("hex") };
    const folder = await createTemporaryFolder({
      [name]: "内容",
      "nanobot-backup.json": JSON.stringify({ version: 1, files }),
    });
    const target = join(await createTemporaryFolder(), "old.tar.gz");
    await run("tar", ["--format=gnu", "-czf", target, "-C", folder, name, "nanobot-backup.json"]);
    const back = join(await createTemporaryFolder(), "home");
    expect(await unpackBackup(target, back)).toBe(1);
    expect(await readFile(join(back, name), "utf8")).toBe("内容");
  });

  const file = (name: string) => ({ header: { name, size: 1, type: "file" as const }, body: "x" });
  it.each<[string, TarEntry[]]>([
    ["a path upwards", [file("../evil")]],
    ["an absolute path", [file("/tmp/evil")]],
    ["a path that leads out and in again", [file("a/../../evil")]],
    [
      "a link to another folder",
      [{ header: { name: "a", size: 0, type: "symlink", linkname: ".." } }, file("a/evil")],
    ],
    [
      "a file under two names",
      [file("a"), { header: { name: "evil", size: 0, type: "link", linkname: "../a" } }],
    ],
    ["the same file twice", [file("a"), file("a")]],
  ])("with %s is refused and writes nothing outside of its folder", async (_, entries) => {
    const folder = await createTemporaryFolder();
    await writeFile(join(folder, "evil.tar.gz"), gzipSync(await packTar(entries)));
    const unpacked = unpackBackup(join(folder, "evil.tar.gz"), join(folder, "home"));
    await expect(unpacked).rejects.toThrow(/whole backup|outside of the home|EEXIST/);
    expect((await readdir(folder)).filter((name) => name !== "home")).toEqual(["evil.tar.gz"]);
  });

  it("that claims a huge file is refused before any of it is read", async () => {
    const tar = Buffer.from(await packTar([file("a")]));
    tar.write("77777777777", 124);
    tar.write("        ", 148);
    const sum = tar.subarray(0, 512).reduce((total, byte) => total + byte, 0);
    tar.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    const path = join(await createTemporaryFolder(), "huge.tar.gz");
    await writeFile(path, gzipSync(tar));
    await expect(checkBackup(path)).rejects.toThrow(/too large/);
  });
});
