// Exec: what a command costs against bare `bash -c true`: through the tool alone, and in the sandbox of this system.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { terminalOrigin } from "../src/agent/job.ts";
import { createFileRoots } from "../src/guards/files/file-roots.ts";
import { createSandbox, type SandboxMode } from "../src/guards/sandbox/sandbox.ts";
import { createPlaces } from "../src/guards/sandbox/sandbox-places.ts";
import type { ToolContext } from "../src/runner/tool.ts";
import { createExec } from "../src/tools/commands/exec.ts";
import { median, printFigure } from "./report.ts";

type Contender = [name: string, run: () => Promise<unknown>];

/** Runs of all contenders are interleaved, so that a busy machine slows all of them. */
export async function bench(argv: string[]): Promise<void> {
  const { values } = parseArgs({ args: argv, options: { runs: { type: "string", default: "100" } } });
  const workspace = await realpath(await mkdtemp(join(tmpdir(), "nanobot-bench-")));
  try {
    const contenders: Contender[] = [
      ["bare-bash", runBare],
      ["exec", createRun(workspace, "off")],
      ["exec-sandboxed", createRun(workspace, "required")],
    ];
    for (const [, run] of contenders) await run();
    const times = contenders.map((): number[] => []);
    for (let round = 0; round < Number(values.runs); round++) {
      for (const [index, [, run]] of contenders.entries()) times[index]?.push(await time(run));
    }
    const [baseline] = times.map(median);
    for (const [index, [name]] of contenders.entries()) {
      printFigure({ name, value: median(times[index] ?? []), unit: "ms", baseline });
    }
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await run();
  return performance.now() - started;
}

async function runBare(): Promise<void> {
  await once(spawn("bash", ["-c", "true"], { stdio: ["ignore", "pipe", "pipe"] }), "close");
}

function createRun(workspace: string, mode: SandboxMode): () => Promise<void> {
  const rootFor = () => workspace;
  const userFolder = homedir();
  const roots = createFileRoots({ workspaceFor: rootFor, readRoots: [], isRestricted: true });
  const places = createPlaces({ workspace, userFolder, rootFor, readRootsFor: () => [] });
  const sandbox = createSandbox({ mode, places, path: process.env.PATH ?? "", userFolder });
  const tool = createExec(roots, { sandbox });
  const context: ToolContext = {
    origin: terminalOrigin,
    sessionKey: "bench",
    turnId: "t",
    callId: "t.1.1",
    signal: new AbortController().signal,
    labels: new Set(),
    ownWords: "",
    progress: () => {},
    ask: async () => ({ choice: "no" }),
  };
  return async () => {
    const { content } = await tool.execute({ command: "true" }, context);
    if (content !== "Exit code: 0") throw new Error(`a failure is not measured: ${content}`);
  };
}
