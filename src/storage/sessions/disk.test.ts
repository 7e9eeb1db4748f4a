import { expect, test } from "vitest";
import { runProgram } from "../../../test/support/start-program.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";

const hasMounts = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

function scriptOf(name: string): string {
  return new URL(`../../../test/support/${name}`, import.meta.url).pathname;
}

/** Runs a shell line in which $1 is a folder to mount a disk on and $2 the Node that runs these tests. */
async function runWithDisk(line: string): Promise<{ stdout: string; stderr: string }> {
  const folder = await createTemporaryFolder();
  const { stdout, stderr } = await runProgram([
    "unshare",
    "-Urm",
    "sh",
    "-c",
    line,
    "sh",
    folder,
    process.execPath,
  ]);
  return { stdout, stderr };
}

test.runIf(hasMounts)(
  "a full disk is said, costs nothing that was stored, and is over when there is room",
  async () => {
    const line = `mount -t tmpfs -o size=128k tmpfs "$1" && "$2" ${scriptOf("fill-disk.ts")} "$1"`;
    const { stdout, stderr } = await runWithDisk(line);
    expect(stderr).toBe("");
    const { errors, appended, inMemory, onDisk } = JSON.parse(stdout);
    expect(errors).toHaveLength(4);
    for (const error of errors) expect(error).toMatch(/^cannot write .* \(ENOSPC\)$/);
    expect(appended.length).toBeGreaterThan(4);
    expect(inMemory).toEqual(appended.map((number: number) => `T${number}`));
    expect(onDisk).toEqual(appended.map((number: number) => `T${number} ${`${number} `.length + 3000}`));
  },
);

test.runIf(hasMounts)(
  "on a read-only disk sessions can be read, and writing says why it cannot",
  async () => {
    const fill = `"$2" ${scriptOf("append-to-session.ts")} "$1" k`;
    const line =
      `mount -t tmpfs tmpfs "$1" && ${fill} T1 one && mount -o remount,ro "$1" && ` +
      `"$2" ${scriptOf("read-session.ts")} "$1" k`;
    const { stdout, stderr } = await runWithDisk(line);
    expect(stderr).toBe("");
    const [, texts, error] = stdout.split("\n");
    expect(texts).toBe('["one"]');
    expect(error).toMatch(/^cannot write .* \(EROFS\)$/);
  },
);
