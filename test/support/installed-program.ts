// What must work wherever the package was installed: the program, the gateway with its pages, and the library.
import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { createPdf } from "./create-pdf.ts";
import { words } from "./english.ts";
import { createProgramHome } from "./run-program.ts";
import { runProgram, startProgram } from "./start-program.ts";
import { startWebSite } from "./web-site.ts";

export interface Installation {
  /** The Node that runs it. */
  node: string;
  /** A folder from which `import "nanobot"` finds it. */
  project: string;
  /** Of the package. */
  root: string;
}

/** The tarball of the built package. */
export async function packPackage(folder: string): Promise<string> {
  const argv = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
  const { stdout } = await promisify(execFile)("npm", argv, { cwd: packagePath() });
  const [{ filename }] = Object.values(JSON.parse(stdout)) as [{ filename: string }];
  return join(folder, filename);
}

/** A home, and an environment that has no program but this Node and those of the system. */
async function createHome({ node }: Installation, config?: unknown) {
  const { home, env } = await createProgramHome(config);
  return { home, env: { ...env, PATH: `${dirname(node)}:/usr/bin:/bin` } };
}

export async function expectProgram(installation: Installation): Promise<void> {
  const { node, root } = installation;
  const { env } = await createHome(installation);
  const program = [node, join(root, "bin/nanobot.mjs")];
  const { version } = JSON.parse(await readFile(packagePath("package.json"), "utf8"));
  expect(await runProgram([...program, "--version"], { env })).toMatchObject({
    code: 0,
    stdout: `${version}\n`,
    stderr: "",
  });
  const answer = await runProgram([...program, "agent", "-m", "hello", "--json"], { env });
  expect(answer).toMatchObject({ code: 0, stderr: "" });
  expect(JSON.parse(answer.stdout)).toMatchObject({ text: expect.stringMatching(/\S/) });
}

/** Ready, serving its pages, and ended by SIGTERM. */
export async function expectGateway(installation: Installation): Promise<void> {
  const { node, root } = installation;
  const { home, env } = await createHome(installation);
  const gateway = startProgram([node, join(root, "bin/nanobot.mjs"), "gateway", "--port", "0"], { env });
  await gateway.waitFor(words.gateway.stopHint);
  const { url } = JSON.parse(await readFile(join(home, "run", "gateway.json"), "utf8"));
  const page = await (await fetch(url)).text();
  const script = /src="\.(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
  const asset = await fetch(new URL(script ?? "no script in the page", url));
  expect(asset.status).toBe(200);
  expect(asset.headers.get("content-type")).toContain("javascript");
  expect(await asset.text()).toBe(await readFile(join(root, "dist/web", script ?? ""), "utf8"));
  gateway.kill("SIGTERM");
  expect(await gateway.ended).toMatchObject({ code: 0, signal: null });
}

const program = `
import { readdir } from "node:fs/promises";
import { createNanobot, createScripted } from "nanobot";

const [home, page, vendor] = process.argv.slice(2);
const call = (name, args) => ({ name, arguments: args });
const provider = createScripted([
  { toolCalls: [
    call("web_fetch", { url: page + "/page" }),
    call("web_fetch", { url: page + "/paper" }),
    call("grep", { pattern: "needle" }),
  ] },
  (request) => request.messages.filter(({ role }) => role === "tool").map(({ content }) => content).join("\\n"),
]);
const bot = await createNanobot({ home, provider });
const { text } = await bot.run("Read " + page + "/page and " + page + "/paper.");
await bot.memory.write("# Facts\\n");
const found = await bot.memory.search("paper");
await bot.close();
const libraries = {};
for (const name of await readdir(new URL(vendor))) {
  libraries[name] = Object.keys(await import(new URL(name, vendor))).length;
}
console.log(JSON.stringify({ text, found: found.length > 0, libraries }));
`;

/** Its threads, its programs and every bundled library. */
export async function expectLibrary(installation: Installation): Promise<void> {
  const { node, root, project } = installation;
  const { home, env } = await createHome(installation, { tools: { ssrfWhitelist: ["127.0.0.1"] } });
  const site = await startWebSite({
    "/page": "<h1>Title</h1><p>Hello <b>web</b></p>",
    "/paper": { body: createPdf("A paper") },
  });
  await writeFile(join(project, "main.mjs"), program);
  const vendor = `file://${join(root, "dist", "vendor")}/`;
  const outcome = await runProgram([node, join(project, "main.mjs"), home, site.url, vendor], { env });
  await site.close();
  expect(outcome).toMatchObject({ code: 0, stderr: "" });
  const { text, found, libraries } = JSON.parse(outcome.stdout);
  for (const part of ["# Title", "Hello **web**", "A paper", "No matches"]) expect(text).toContain(part);
  expect(found).toBe(true);
  expect(libraries).toMatchObject({
    "earendil-works-pi-tui.js": expect.any(Number),
    "ws.js": expect.any(Number),
  });
  expect(
    Object.entries(libraries).filter(([name, exports]) => exports === 0 && !name.startsWith("chunk")),
  ).toEqual([]);
}
