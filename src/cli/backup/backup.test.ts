import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { StateDatabase } from "../../storage/database/state-database.ts";
import { BackupError, checkBackup, unpackBackup, writeBackup } from "./backup.ts";
import { formatEntry, readEntries, tarEnd } from "./tar.ts";

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
  it("holds everything of a home that cannot be made anew, and gives it back as it was", async () => {
    const home = await createHome();
    const target = join(await createTemporaryFolder(), "deep", "backup.tar.gz");
    const { files, left } = await writeBackup(home, target);
    expect({ files, left }).toEqual({ files: 4, left: [] });
    const back = join(await createTemporaryFolder(), "home");
    expect(await unpackBackup(target, back)).toBe(4);
    expect((await readdir(back)).sort()).toEqual(["config.json", "state.db", "workspace"]);
    expect(await readFile(join(back, "config.json"), "utf8")).toBe('{"a":1}');
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

  it("never writes outside of the home that it is unpacked into", async () => {
    const folder = await createTemporaryFolder();
    const { gzipSync } = await import("node:zlib");
    for (const name of ["../evil", "/tmp/evil", "a/../../evil"]) {
      const entry = formatEntry({ name, mode: 0o600, changedAt: 0, bytes: Buffer.from("x") });
      await writeFile(join(folder, "evil.tar.gz"), gzipSync(Buffer.concat([entry, tarEnd])));
      await mkdir(join(folder, "home"), { recursive: true });
      await expect(unpackBackup(join(folder, "evil.tar.gz"), join(folder, "home"))).rejects.toThrow(
        BackupError,
      );
    }
    expect(await readdir(folder)).toEqual(["evil.tar.gz", "home"]);
  });
});

describe("tar", () => {
  it("gives back any file under any name, however the bytes arrive", async () => {
    const file = fc.record({
      name: fc.string({ unit: fc.constantFrom("a", "文", "/", "x"), minLength: 1, maxLength: 90 }),
      bytes: fc.uint8Array({ maxLength: 1_500 }).map((bytes) => Buffer.from(bytes)),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { maxLength: 4 }),
        fc.integer({ min: 1, max: 700 }),
        async (files, step) => {
          const entries = files.map((one) => ({ ...one, mode: 0o644, changedAt: 12 }));
          const whole = Buffer.concat([...entries.map(formatEntry), tarEnd]);
          const pieces = async function* () {
            for (let at = 0; at < whole.length; at += step) yield whole.subarray(at, at + step);
          };
          const read = [];
          for await (const entry of readEntries(pieces(), { largestEntry: 10_000 })) read.push(entry);
          expect(read).toEqual(entries);
        },
      ),
      { numRuns: 50 },
    );
  });
});
