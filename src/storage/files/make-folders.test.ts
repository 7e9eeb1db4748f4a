import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../../test/support/start-program.ts";
import { hasSystemPart } from "../../../test/support/system-part.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { makeFolders } from "./make-folders.ts";

const hasMounts = hasSystemPart(["unshare", "-Urm", "true"], "util-linux (and allow user namespaces)");

test("all folders on the way are made, and the first of them is named", async () => {
  const root = await createTemporaryFolder();
  expect(makeFolders(join(root, "a/b/c"), 0o700)).toBe(join(root, "a"));
  expect(makeFolders(join(root, "a/b/c"))).toBeUndefined();
});

test.runIf(hasMounts).each(["new", "new/with/others"])(
  "a read-only disk is the reason, not that %s is missing",
  async (path) => {
    const disk = await createTemporaryFolder();
    const module = JSON.stringify(new URL("make-folders.ts", import.meta.url).href);
    const script = `const { makeFolders } = await import(${module});
    try { makeFolders(process.argv[1]); } catch ({ code }) { console.log(code); }`;
    const line =
      'mount -t tmpfs tmpfs "$1" && mount -o remount,ro "$1" && exec "$2" --input-type=module -e "$3" "$1/$4"';
    const argv = ["unshare", "-Urm", "sh", "-c", line, "sh", disk, process.execPath, script, path];
    expect(await runProgram(argv)).toMatchObject({ stdout: "EROFS\n", stderr: "" });
  },
);
