// Runs command lines for real, in the sandbox, on a user's folder with secrets in it, and says what got out.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, relative } from "node:path";
import { createFileRoots } from "../../src/guards/files/file-roots.ts";
import { createSandbox } from "../../src/guards/sandbox/sandbox.ts";
import { createPlaces } from "../../src/guards/sandbox/sandbox-places.ts";
import { createExec } from "../../src/tools/commands/exec.ts";
import { corpusFiles } from "./corpus-lines.ts";
import { terminalOrigin } from "./origins.ts";
import { runToolText } from "./run-tool.ts";
import { createToolContext } from "./tool-context.ts";

const canary = "canary-7f3a-0c1d";

export interface CommandTrial {
  fill(text: string): string;
  /** The workspace as it is before each line. */
  prepare(): void;
  /** What the model would read, and what happened outside; nothing if all is well. */
  runHostile(line: string): Promise<{ output: string; escaped: string[] }>;
  /** Whether it works without a sandbox, and in it. */
  runHonest(line: string): Promise<{ bare: boolean; sandboxed: boolean; output: string }>;
}

/** `folder` is empty, and removed by the caller. */
export async function createCommandTrial(folder: string): Promise<CommandTrial> {
  const userFolder = join(folder, "user");
  const workspace = join(userFolder, ".nanobot/workspace");
  const template = join(folder, "template");
  writeFiles(template, { ...corpusFiles, "SOUL.md": "kind\n", "people/bob/own.md": canary });
  for (const name of ["objects", "refs"]) mkdirSync(join(template, ".git", name), { recursive: true });
  const links = {
    link: "../outside/secret.md",
    "folder-link": "../outside",
    "inside-link": "src",
    "deep-link": "src/deep",
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(template, name));
  writeFiles(userFolder, {
    ".ssh/id_rsa": canary,
    ".aws/credentials": canary,
    ".nanobot/config.json": canary,
    ".nanobot/outside/secret.md": canary,
    ".bashrc": "",
  });
  const places = createPlaces({
    workspace,
    userFolder,
    rootFor: () => workspace,
    readRootsFor: () => [],
    hidden: [join(userFolder, ".nanobot")],
    promptFiles: ["SOUL.md"],
  });
  const { PATH = "" } = process.env;
  const sandbox = createSandbox({ mode: "required", places, path: PATH, userFolder });
  const roots = createFileRoots({ workspaceFor: () => workspace, readRoots: [], isRestricted: true });
  const env = { PATH, HOME: userFolder };
  const tool = createExec(roots, { sandbox, environment: env });
  const run = (command: string, timeout: number) =>
    runToolText(tool, { command, timeout }, createToolContext({ origin: terminalOrigin }));
  const renew = (target: string) => {
    rmSync(target, { recursive: true, force: true });
    cpSync(template, target, { recursive: true, verbatimSymlinks: true });
  };
  const kept = ["memory", "SOUL.md", "people"];
  const look = () => [
    ...survey(userFolder, workspace),
    ...kept.flatMap((name) => survey(join(workspace, name))),
    ...["null", "zero", "full", "random", "urandom", "tty"].map(
      (name) => `${name} ${lstatSync(`/dev/${name}`).mode}`,
    ),
    ...["/tmp", "/etc", "/root", "/var/tmp", "/home"].map((path) => `${path}: ${names(path)}`),
  ];

  return {
    fill: (text) =>
      text
        .replaceAll("{ws}", workspace)
        .replaceAll("{outside}", join(userFolder, ".nanobot/outside"))
        .replaceAll("{home}", userFolder),
    prepare: () => renew(workspace),
    async runHostile(line) {
      renew(workspace);
      const before = new Set(look());
      const output = await run(line, 5);
      const changed = look().filter((fact) => !before.has(fact));
      return { output, escaped: [...changed, ...(output.includes(canary) ? ["a secret was read"] : [])] };
    },
    async runHonest(line) {
      const bareFolder = join(folder, "bare");
      renew(bareFolder);
      const bare = spawnSync("bash", ["-c", line], {
        cwd: bareFolder,
        env,
        timeout: 60_000,
        stdio: "ignore",
      });
      renew(workspace);
      const output = await run(line, 60);
      return { bare: bare.status === 0, sandboxed: /^Exit code: 0$/m.test(output), output };
    },
  };
}

function writeFiles(folder: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
}

/** Files with their modes and contents. */
function survey(path: string, skipped?: string): string[] {
  if (path === skipped) return [];
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return [`${path} is gone`];
  const content = status.isFile() ? createHash("sha256").update(readFileSync(path)).digest("hex") : "";
  const inside = status.isDirectory()
    ? readdirSync(path).flatMap((name) => survey(join(path, name), skipped))
    : [];
  return [`${relative("/", path)} ${status.mode} ${content}`, ...inside];
}

/** Of those that others do not make all the time. */
function names(path: string): string {
  const all = readdirSync(path).filter((name) => /pwn|evil|mark|^x$|^out/i.test(name));
  return all.sort().join();
}
