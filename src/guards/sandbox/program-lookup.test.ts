import { chmod, mkdir, rm, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { expect, it, test } from "vitest";
import { createTemporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createProgramLookup } from "./child-environment.ts";

async function createBin() {
  const folder = await createTemporaryFolder({ "a/tea": "", "a/text": "", "b/cake.exe": "" });
  for (const path of ["a/tea", "b/cake.exe"]) await chmod(join(folder, path), 0o755);
  await chmod(join(folder, "a/text"), 0o644);
  await mkdir(join(folder, "a/folder"));
  return { folder, path: ["a", "b", "none", ""].map((name) => name && join(folder, name)).join(delimiter) };
}

it.each([
  ["tea", true],
  ["text", false],
  ["folder", false],
  ["coffee", false],
  ["../a/tea", false],
  ["/bin/ls", false],
  ["", false],
  ["a b", false],
])("%j on the PATH: %s", async (name, isThere) => {
  const { path } = await createBin();
  expect(createProgramLookup(path)()(name)).toBe(isThere);
});

test("a system's endings of programs are tried", async () => {
  const { path } = await createBin();
  expect(createProgramLookup(path)()("cake")).toBe(false);
  expect(createProgramLookup(path, [".com", ".exe"])()("cake")).toBe(true);
});

test("a folder that cannot be looked at has no programs, and hides none of the others", async () => {
  const { path, folder } = await createBin();
  const loop = join(folder, "loop");
  await symlink(loop, loop);
  const lookUp = createProgramLookup([loop, join(folder, "n".repeat(300)), path].join(delimiter));
  expect(lookUp()("tea")).toBe(true);
  expect(lookUp()("coffee")).toBe(false);
});

test("it is the same function until a program comes or goes", async () => {
  const { path, folder } = await createBin();
  const lookUp = createProgramLookup(path);
  const first = lookUp();
  expect(first("tea")).toBe(true);
  expect(lookUp()).toBe(first);
  await rm(join(folder, "a/tea"));
  await writeFile(join(folder, "b/coffee"), "", { mode: 0o755 });
  expect(lookUp()("tea")).toBe(false);
  expect(lookUp()("coffee")).toBe(true);
});
