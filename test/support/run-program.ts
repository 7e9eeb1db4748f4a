// The real program as a process, with a home of its own: piped, or in a terminal of its own.
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { type IPty, spawn } from "@lydell/node-pty";
import { inject, onTestFinished } from "vitest";
import { packagePath } from "../../src/lib/package-root.ts";
import { createTemporaryFolder } from "./temporary-folder.ts";

export interface ProgramHome {
  home: string;
  workspace: string;
  /** What the program sees, and nothing else of ours. */
  env: NodeJS.ProcessEnv;
}

/** A home with this config; without one there is no file at all. */
export async function createProgramHome(config?: unknown, env: NodeJS.ProcessEnv = {}): Promise<ProgramHome> {
  const folder = await createTemporaryFolder();
  const home = join(folder, ".nanobot");
  await mkdir(home);
  const compiled = inject("compiled");
  if (compiled !== undefined) await cp(compiled, join(home, "cache"), { recursive: true });
  if (config !== undefined) {
    await writeFile(join(home, "config.json"), typeof config === "string" ? config : JSON.stringify(config));
  }
  const { PATH, SLOW, NODE_OPTIONS } = process.env;
  const slow = SLOW === undefined ? {} : { SLOW, NODE_OPTIONS };
  const own = { ...slow, PATH, HOME: folder, LANG: "en_US.UTF-8", TERM: "xterm-256color", ...env };
  return { home, workspace: join(home, "workspace"), env: own };
}

/** A config that sends every question to this address. */
export function configFor(apiBase: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  // Whoever counts requests counts those of turns.
  const defaults = { provider: "custom", model: "test-model", generateTitles: false };
  return { agents: { defaults }, providers: { custom: { apiBase, apiKey: "sk-test-1234567890" } }, ...more };
}

/** The command line: the bundle where the test run has built it, otherwise the sources. */
export function nanobot(...argv: string[]): string[] {
  const entry = inject("isBuilt") ? packagePath("bin/nanobot.mjs") : packagePath("scripts/dev.ts");
  return [process.execPath, entry, ...argv];
}

export interface TerminalProgram {
  pid: number;
  /** Everything shown so far, without styles. */
  text(): string;
  /** Everything shown so far, as it came. */
  raw(): string;
  type(keys: string): void;
  /** Waits until this is shown, behind what was waited for before. Rejects if the program ends without it. */
  waitFor(text: string): Promise<void>;
  ended: Promise<number>;
  resize(columns: number): void;
}

export const keys = {
  enter: "\r",
  ctrlC: "\u0003",
  ctrlD: "\u0004",
  ctrlZ: "\u001a",
  backspace: "\u007f",
  up: "\u001b[A",
};

export function paste(text: string): string {
  return `\u001b[200~${text.replaceAll("\n", "\r")}\u001b[201~`;
}

/** Never outlives its test. */
export function openInTerminal(
  argv: string[],
  { env, cwd }: { env: NodeJS.ProcessEnv; cwd?: string },
): TerminalProgram {
  const [command = "", ...rest] = argv;
  const pty = spawn(command, rest, { name: "xterm-256color", cols: 80, rows: 30, env, cwd });
  let raw = "";
  let seen = 0;
  const listeners = new Set<() => void>();
  pty.onData((data) => {
    raw += data;
    for (const look of listeners) look();
  });
  const ended = new Promise<number>((resolve) => pty.onExit(({ exitCode }) => resolve(exitCode)));
  onTestFinished(() => killIfRunning(pty, ended));

  function waitFor(text: string): Promise<void> {
    const isThere = (): boolean => {
      const found = stripVTControlCharacters(raw).indexOf(text, seen);
      if (found !== -1) seen = found + text.length;
      return found !== -1;
    };
    if (isThere()) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const look = (): void => {
        if (!isThere()) return;
        listeners.delete(look);
        resolve();
      };
      listeners.add(look);
      void ended.then((code) =>
        reject(new Error(`it ended with ${code} and never showed "${text}":\n${raw}`)),
      );
    });
  }

  return {
    pid: pty.pid,
    text: () => stripVTControlCharacters(raw),
    raw: () => raw,
    type: (typed) => pty.write(typed),
    waitFor,
    ended,
    resize: (columns) => pty.resize(columns, 30),
  };
}

async function killIfRunning(pty: IPty, ended: Promise<number>): Promise<void> {
  const isOver = await Promise.race([ended.then(() => true), Promise.resolve(false)]);
  if (isOver) return;
  pty.kill("SIGKILL");
  await ended;
}
