// The package as npm makes it, unpacked where nothing else of this project is. With npm and its registry, on several
// versions of Node: test/long/installed-package.test.ts.
import { execFile } from "node:child_process";
import { mkdir, readdir, readFile, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import {
  expectGateway,
  expectLibrary,
  expectProgram,
  type Installation,
  packPackage,
} from "../support/installed-program.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

/** With what it depends on, and nothing else, in the folder of modules. */
async function unpack(): Promise<Installation> {
  const project = await createTemporaryFolder();
  const modules = join(project, "node_modules");
  const root = join(modules, "nanobot");
  await mkdir(root, { recursive: true });
  const tarball = await packPackage(project);
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", root, "--strip-components=1"]);
  const { dependencies } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const name of Object.keys(dependencies)) {
    await mkdir(dirname(join(modules, name)), { recursive: true });
    await symlink(packagePath("node_modules", name), join(modules, name));
  }
  return { node: process.execPath, project, root };
}

test.skipIf(inject("isBuilt") !== true)("the package works with nothing but its dependencies", async () => {
  const installation = await unpack();
  await expectWhole(installation);
  await expectProgram(installation);
  await expectGateway(installation);
  await expectLibrary(installation);
});

/** What runs and what is read, and neither sources nor tests. */
async function expectWhole({ root }: Installation): Promise<void> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files = names
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(root.length + 1));
  const allowed =
    /^(package\.json|LICENSE|CHANGELOG\.md|README(\.zh-CN)?\.md|docs\/[\w-]+\.md|(bin|templates|skills)\/.+|dist\/.+)$/;
  expect(files.filter((path) => !allowed.test(path))).toEqual([]);
  expect(files.filter((path) => /\.test\.|\.tsx?$/.test(path) && !path.endsWith(".d.ts"))).toEqual([]);
  const licences = await readFile(join(root, "dist/third-party-licences.txt"), "utf8");
  for (const name of ["commander", "isomorphic-git", "react", "unpdf", "zod"])
    expect(licences).toMatch(new RegExp(`^${name} \\d.*\\n\\n\\S`, "m"));
}
