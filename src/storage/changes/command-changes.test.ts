import { readdirSync, readlinkSync, writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runProgram } from "../../../test/support/start-program.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { packagePath } from "../../lib/package-root.ts";
import { CommandChanges, type CommandChangesOptions } from "./command-changes.ts";

async function createScene(files: Record<string, string>, options: Partial<CommandChangesOptions> = {}) {
  const [root, home] = [await createTemporaryFolder(files), await createTemporaryFolder()];
  const folder = join(home, "undo");
  const changes = new CommandChanges({ folder, ...options });
  onTestFinished(() => changes.close());
  return { root, folder, changes };
}

async function readBefore(found: Awaited<ReturnType<Awaited<ReturnType<CommandChanges["begin"]>>["end"]>>) {
  const entries = found.list.map(async ({ path, readBefore }) => [path, (await readBefore?.())?.toString()]);
  return Object.fromEntries(await Promise.all(entries));
}

describe("copies of what a command may change", () => {
  it("are in a file, not in memory", async () => {
    const { root, folder } = await createScene({});
    for (let i = 0; i < 40; i++) await writeFile(join(root, String(i)), Buffer.alloc(1.5 * 1024 * 1024, i));
    const work = `
      const { CommandChanges } = await import(process.argv[1]);
      const changes = new CommandChanges({ folder: process.argv[3] });
      const watch = await changes.begin(process.argv[2]);
      gc();
      const { arrayBuffers } = process.memoryUsage();
      const { unlinkSync } = await import("node:fs");
      for (let i = 0; i < 40; i++) unlinkSync(process.argv[2] + "/" + i);
      const { list } = await watch.end();
      let bytes = 0;
      for (const { readBefore } of list) bytes += (await readBefore()).length;
      console.log(JSON.stringify({ arrayBuffers, bytes }));
      await changes.close();
    `;
    const path = packagePath("src/storage/changes/command-changes.ts");
    const program = [process.execPath, "--expose-gc", "--input-type=module", "-e", work, path, root, folder];
    const { code, stdout } = await runProgram(program);
    expect(code).toBe(0);
    const { arrayBuffers, bytes } = JSON.parse(stdout) as Record<string, number>;
    expect(bytes).toBe(60 * 1024 * 1024);
    expect(arrayBuffers).toBeLessThan(8 * 1024 * 1024);
  });

  it("are bounded in number and bytes, the smallest first; beyond that there is none", async () => {
    const files = { a: "1", b: "22", c: "333", d: "4444" };
    for (const limits of [
      { files: 2, bytes: 100, largest: 100 },
      { files: 9, bytes: 5, largest: 100 },
      { files: 9, bytes: 100, largest: 2 },
    ]) {
      const { root, changes } = await createScene(files, { limits });
      const watch = await changes.begin(root);
      for (const name of Object.keys(files)) await rm(join(root, name));
      expect(await readBefore(await watch.end())).toEqual({ a: "1", b: "22", c: undefined, d: undefined });
    }
  });

  it.runIf(process.platform === "linux")("that are no longer whole are none", async () => {
    const { root, folder, changes } = await createScene({ a: "before", b: "other" });
    const watch = await changes.begin(root);
    // It has no name any more, but this process has it open.
    const isCopies = (fd: string) => linkOf(fd).startsWith(folder);
    const [fd = ""] = readdirSync("/proc/self/fd").filter(isCopies);
    writeFileSync(`/proc/self/fd/${fd}`, "otherbeforx", { flag: "r+" });
    await mkdir(join(root, "c"));
    for (const name of ["a", "b"]) await rm(join(root, name));
    expect(await readBefore(await watch.end())).toEqual({ a: undefined, b: "other" });
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return "";
  }
}
