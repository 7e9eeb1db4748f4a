// The package installed by npm for all users of a machine, on the oldest Node that it takes and on the one it brings, and
// what a Node that is too old says. Takes packages from npm's registry.
import { execFile } from "node:child_process";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { expectGateway, expectLibrary, expectProgram, packPackage } from "../support/installed-program.ts";
import { runProgram } from "../support/start-program.ts";
import { hasSystemPart } from "../support/system-part.ts";
import { createTemporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);
const hasRegistry = hasSystemPart(
  ["npm", "view", "node@22.18.0", "version", "--fetch-retries=0", "--fetch-timeout=20000"],
  "the packages node@22.18.0 and node@20.19.0 from npm's registry",
);

async function getNode(version: string): Promise<string> {
  if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
  const folder = await createTemporaryFolder({ "package.json": '{ "allowScripts": { "node": true } }' });
  await run("npm", ["install", "--no-audit", "--no-fund", `node@${version}`], { cwd: folder });
  return join(folder, "node_modules/node/bin/node");
}

async function installGlobally(): Promise<{ prefix: string; modules: string }> {
  const prefix = await createTemporaryFolder();
  const tarball = await packPackage(prefix);
  await run("npm", ["install", "--global", "--prefix", prefix, "--no-audit", "--no-fund", tarball]);
  return { prefix, modules: join(prefix, "lib/node_modules") };
}

test.runIf(hasRegistry).each(["22.18.0", "24"])("a global install works on Node %s", async (version) => {
  const node = await getNode(version);
  const { modules } = await installGlobally();
  const installation = { node, project: join(modules, ".."), root: join(modules, "nanobot") };
  await expectProgram(installation);
  await expectGateway(installation);
  await expectLibrary(installation);
});

test.runIf(hasRegistry)("an install takes at most 80 MB and 100 packages", async () => {
  const { prefix } = await installGlobally();
  const entries = await readdir(prefix, { recursive: true, withFileTypes: true });
  const files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
  const sizes = await Promise.all(files.map(async (path) => (await stat(path)).size));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1e6;
  const packages = files.filter((path) => /node_modules\/(@[^/]+\/)?[^/]+\/package\.json$/.test(path));
  expect(megabytes).toBeLessThan(80);
  expect(packages.length).toBeLessThanOrEqual(100);
  expect(packages.length).toBeGreaterThan(1);
});

test.runIf(hasRegistry)("a Node that is too old says in one line what to do", async () => {
  const node = await getNode("20.19.0");
  const { modules } = await installGlobally();
  expect(
    await runProgram([node, join(modules, "nanobot/bin/nanobot.mjs"), "agent", "-m", "hello"]),
  ).toMatchObject({
    code: 1,
    stdout: "",
    stderr: "nanobot needs Node 22.18 or newer; this is 20.19.0. Install it from nodejs.org.\n",
  });
});
