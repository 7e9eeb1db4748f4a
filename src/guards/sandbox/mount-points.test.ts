import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runProgram } from "../../../test/support/start-program.ts";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { packagePath } from "../../lib/package-root.ts";
import { MountPoints } from "./mount-points.ts";

const names = ["skills", "people"];

async function createPlaces() {
  const folder = await createTemporaryFolder();
  const workspace = join(folder, "workspace");
  return { run: join(folder, "run"), workspace, paths: names.map((name) => join(workspace, name)) };
}

test("folders are there while any command needs them, and are gone with the last", async () => {
  const { run, workspace, paths } = await createPlaces();
  const points = new MountPoints(run);
  const [first, second] = [points.hold(paths), points.hold(paths)];
  first();
  first();
  expect((await readdir(workspace)).sort()).toEqual(["people", "skills"]);
  second();
  expect(await readdir(workspace)).toEqual([]);
  expect(await readdir(run)).toEqual([]);
});

test("what was there before, or has something in it by now, stays", async () => {
  const { run, workspace, paths } = await createPlaces();
  await mkdir(join(workspace, "skills"), { recursive: true });
  const release = new MountPoints(run).hold(paths);
  await writeFile(join(workspace, "people", "anna.md"), "");
  release();
  expect((await readdir(workspace)).sort()).toEqual(["people", "skills"]);
});

test("what a killed process left is removed at the next start, what one that runs needs is not", async () => {
  const { run, workspace, paths } = await createPlaces();
  const script = `
    import { MountPoints } from ${JSON.stringify(packagePath("src/guards/sandbox/mount-points.ts"))};
    new MountPoints(${JSON.stringify(run)}).hold(${JSON.stringify(paths)});
    process.kill(process.pid, "SIGKILL");`;
  const { signal } = await runProgram([process.execPath, "--input-type=module", "-e", script]);
  expect([signal, (await readdir(workspace)).sort()]).toEqual(["SIGKILL", ["people", "skills"]]);
  const other = join(workspace, "cron");
  const release = new MountPoints(run).hold([other]);
  new MountPoints(run);
  expect(await readdir(workspace)).toEqual(["cron"]);
  release();
  expect(existsSync(other)).toBe(false);
});
