// Files that commands bring in, move, copy or unpack, in turns that are otherwise clean: who reads them later learns that
// they came from outside.
import { execFileSync } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { hasBubblewrap } from "./support/sandboxed-shell.ts";
import { closeTestApps, createTestApp, type TestApp } from "./support/test-app.ts";

afterEach(closeTestApps);

const call = (name: string, args: Record<string, unknown>) => ({ name, arguments: args });
const page = "text of a stranger that nobody here wrote";

async function run(app: TestApp, text: string, ask = async () => ({ choice: "once" })) {
  await app.loop.processDirect({ sessionKey: `cli:${text}`, text, ask });
}

/** Commands, each in a conversation of its own; then the labels of files. */
async function labelsAfter(
  commands: Array<Record<string, unknown>>,
  files: string[],
  prepare: (workspace: string) => Promise<void> = async () => {},
): Promise<string[][]> {
  const script = commands.flatMap((args) => [{ toolCalls: [call("exec", args)] }, "done"]);
  const app = await createTestApp(script);
  await prepare(app.workspace);
  await app.storage.tainted.record(join(app.workspace, "page.md"), ["web:evil.example"]);
  await writeFile(join(app.workspace, "page.md"), page);
  for (const index of commands.keys()) await run(app, `command ${index}`);
  return Promise.all(files.map((name) => app.storage.tainted.labelsOf(join(app.workspace, name))));
}

const web = ["web:evil.example"];

describe.runIf(hasBubblewrap())("a file that a command wrote", () => {
  it.each([
    ["moves", "mv page.md x.md"],
    ["copies", "cp page.md x.md"],
    ["moves with its folder", "mkdir a && mv page.md a/x.md && mv a b && mv b/x.md ."],
    [
      "copies by a script",
      'echo \'p="pa"+"ge.md";open("x.md","w").write(open(p).read())\' > c.py; python3 c.py',
    ],
    ["packs and unpacks", "tar cf t.tar page.md && rm page.md && tar xf t.tar && mv page.md x.md"],
  ])("%s keeps its label", async (_, command) => {
    const [labels, other] = await labelsAfter([{ command }, { command: "touch y.md" }], ["x.md", "y.md"]);
    expect(labels).toEqual(web);
    expect(other).toEqual([]);
  });

  it("with hosts has the label of the command, in every folder that it made", async () => {
    const command =
      "mkdir -p clone/node_modules/x && touch clone/README.md clone/node_modules/x/README.md one.md";
    const names = [
      "clone/README.md",
      "clone/node_modules/x/README.md",
      "clone/later.md",
      "one.md",
      "mine.md",
    ];
    const labels = await labelsAfter([{ command, network: ["a.example"] }], names, (workspace) =>
      writeFile(join(workspace, "mine.md"), ""),
    );
    expect(labels).toEqual([["command:mkdir"], ["command:mkdir"], ["command:mkdir"], ["command:mkdir"], []]);
  });

  it("by unpacking what others packed has the name of the archive; packing brings nothing", async () => {
    const labels = await labelsAfter(
      [{ command: "tar xf given.tgz" }, { command: "tar czf own.tgz mine.md && cp mine.md copy.md" }],
      ["in/a.md", "own.tgz", "copy.md"],
      async (workspace) => {
        await mkdir(join(workspace, "in"));
        for (const name of ["in/a.md", "mine.md"]) await writeFile(join(workspace, name), "x");
        execFileSync("tar", ["czf", "given.tgz", "--remove-files", "in"], { cwd: workspace });
      },
    );
    expect(labels).toEqual([["file:given.tgz"], [], []]);
  });

  it("in a labelled folder is known to anyone who works in there", async () => {
    const app = await createTestApp([
      { toolCalls: [call("exec", { command: "cp README.md ../x.md", working_dir: "clone" })] },
      "done",
    ]);
    await mkdir(join(app.workspace, "clone"));
    await writeFile(join(app.workspace, "clone/README.md"), page);
    await app.storage.tainted.record(join(app.workspace, "clone"), ["command:git"]);
    await run(app, "copy it");
    expect(await app.storage.tainted.labelsOf(join(app.workspace, "x.md"))).toEqual(["command:git"]);
  });
});
