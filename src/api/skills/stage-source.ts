// Where a skill to be added comes from: a folder, a zip file or a Git address, as a folder on this machine. Nothing in
// it is run: no hook, no submodule, no filter, no link.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, realpath, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { createChildEnvironment } from "../../guards/sandbox/child-environment.ts";
import { fail } from "../../i18n/user-error.ts";
import { toOneLine } from "../../lib/text.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { ignoreMissing } from "../../storage/files/plain-file.ts";
import { readZip, ZipError } from "../../tools/documents/read-zip.ts";

export interface StagedSource {
  folder: string;
  /** Removes its temporary files. */
  close(): Promise<void>;
}

export interface StageParts {
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}

const limits = { files: 5000, bytes: 50 * 1024 * 1024 };
const cloneTimeoutMs = 120_000;

export async function stageSource(source: string, parts: StageParts): Promise<StagedSource> {
  if (/^http:/i.test(source) || /^https:.*\.zip$/i.test(source))
    throw fail("skills.not-fetched", { address: revealLine(source) });
  if (/^(https|ssh|file):\/\//i.test(source) || /^[\w.-]+@[\w.-]+:/.test(source))
    return inTemporaryFolder((folder) => clone(source, folder, parts));
  const path = resolve(source);
  const status = await stat(path).catch(ignoreMissing);
  if (status?.isDirectory()) return { folder: await realpath(path), close: async () => {} };
  if (!status?.isFile()) throw fail("skills.not-there", { path: revealLine(path) });
  if (status.size > limits.bytes) throw fail("skills.too-large");
  const name = basename(path).replace(/\.(zip|skill)$/i, "");
  return inTemporaryFolder(async (folder) => unzip(await readFile(path), join(folder, name)));
}

async function inTemporaryFolder(fill: (folder: string) => Promise<string>): Promise<StagedSource> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "nanobot-skill-")));
  const close = () => rm(folder, { recursive: true, force: true });
  try {
    return { folder: await fill(folder), close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A pasted text, as the folder of a skill. */
export function stageText(text: string): Promise<StagedSource> {
  return inTemporaryFolder(async (folder) => {
    const target = join(folder, "pasted-skill");
    await mkdir(target);
    await writeFile(join(target, "SKILL.md"), text.toWellFormed());
    return target;
  });
}

async function clone(address: string, folder: string, { env, signal }: StageParts): Promise<string> {
  const target = join(folder, basename(address).replace(/\.git$/, "") || "skill");
  const settings = {
    "core.hooksPath": "/dev/null",
    "core.symlinks": "false",
    "core.fsmonitor": "false",
    "protocol.allow": "never",
    "protocol.https.allow": "always",
    "protocol.ssh.allow": "always",
    // Only where it was typed; never where a server leads.
    "protocol.file.allow": /^file:/i.test(address) ? "always" : "never",
  };
  const flags = Object.entries(settings).flatMap(([key, value]) => ["-c", `${key}=${value}`]);
  const options = [
    "--quiet",
    "--depth=1",
    "--no-tags",
    "--single-branch",
    "--no-recurse-submodules",
    "--template=",
  ];
  const allowedKeys = ["SSH_AUTH_SOCK", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "NO_PROXY", "no_proxy"];
  const childEnvironment = { GIT_TERMINAL_PROMPT: "0", GIT_LFS_SKIP_SMUDGE: "1" };
  try {
    await promisify(execFile)("git", [...flags, "clone", ...options, "--", address, target], {
      env: { ...createChildEnvironment({ from: env, allowedKeys }), ...childEnvironment },
      timeout: cloneTimeoutMs,
      signal,
    });
    return target;
  } catch (error) {
    signal.throwIfAborted();
    const { code, stderr = "" } = error as NodeJS.ErrnoException & { stderr?: string };
    if (code === "ENOENT") throw fail("skills.no-git");
    throw fail("skills.git-failed", { reason: revealLine(toOneLine(stderr, 300)) });
  }
}

async function unzip(archive: Buffer, folder: string): Promise<string> {
  try {
    for (const { path, bytes, isExecutable } of readZip(archive, limits)) {
      const target = join(folder, path);
      await mkdir(dirname(target), { recursive: true });
      // A second file of the same name is none that an honest program makes.
      await writeFile(target, bytes, { flag: "wx", mode: isExecutable ? 0o755 : 0o644 });
    }
    return folder;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    const kind =
      error instanceof ZipError
        ? error.kind
        : ["EEXIST", "ENOTDIR", "EISDIR"].includes(code) && "unsafe-path";
    if (!kind) throw error;
    throw fail(`skills.${kind}`);
  }
}
