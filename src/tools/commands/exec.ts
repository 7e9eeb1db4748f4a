// The tool exec: one shell command. Whether it may run is decided by the guards, from its effects; this file only
// runs it, bounded in time and output, in a sandbox and without the secrets of our own environment.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import * as z from "zod";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { createChildEnvironment } from "../../guards/sandbox/child-environment.ts";
import { openSandbox, type Sandbox } from "../../guards/sandbox/sandbox.ts";
import { CommandStopped, onAbort } from "../../lib/abort.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { toLabel } from "../../lib/labels.ts";
import { defineTool } from "../../runner/define-tool.ts";
import {
  type CommandAccess,
  type Tool,
  type ToolContext,
  ToolError,
  type ToolResult,
} from "../../runner/tool.ts";
import { scopeOf } from "../../storage/scope.ts";
import { createProgress, describeEnd, explainConfinement, longestTimeout } from "./command-output.ts";
import { describeHeld, waitForEnd } from "./process.ts";
import { ProcessTable } from "./process-table.ts";
import { type ProcessEnd, RunningProcess } from "./running-process.ts";

export interface ExecOptions {
  /** Default 60; 0: no limit. */
  timeoutSeconds?: number;
  allowedEnvKeys?: readonly string[];
  pathPrepend?: string;
  pathAppend?: string;
  /** Default `process.env`. */
  environment?: NodeJS.ProcessEnv;
  /** Default: none. */
  sandbox?: Pick<Sandbox, "wrap" | "isContained">;
  /** Where commands go that are left running; shared with the tool process. */
  processes?: ProcessTable;
  clock?: Clock;
}

const mostCharacters = 10_000;
const longestYieldMs = 30_000;
/** Of hosts, and of paths. */
const mostNames = 20;

const names = z.array(z.string().min(1)).refine((list) => list.length <= mostNames);

const parameters = z.object({
  command: z.string().min(1),
  working_dir: z.string().optional(),
  timeout: z.int().min(1).max(longestTimeout).optional().describe("Seconds; default 60"),
  yield_time_ms: z.int().min(0).optional().describe("Then leave it running, with an input, to process"),
  network: names.optional().describe("Hosts to ask for"),
  writable: names.optional().describe("Paths to ask for"),
  outside: z.boolean().optional().describe("Ask to leave the sandbox"),
});

type Args = z.output<typeof parameters>;

export function createExec(roots: FileRoots, options: ExecOptions = {}): Tool<Args> {
  const { timeoutSeconds = 60, environment: from = process.env, clock = systemClock } = options;
  const { sandbox = openSandbox } = options;
  const processes = options.processes ?? new ProcessTable(clock);
  const env = createChildEnvironment({ ...options, from, allowedKeys: options.allowedEnvKeys });

  async function start(args: Args, context: ToolContext): Promise<Started> {
    const { command, working_dir: workingDirectory, yield_time_ms: yieldMs } = args;
    const { origin, signal } = context;
    // Left running it has a life of its own, so that only a limit that the model asked for is taken over.
    const timeout = args.timeout ?? (yieldMs === undefined ? timeoutSeconds : 0);
    const access = toAccess(args);
    const folder = await roots.openFolder(workingDirectory ?? ".", origin);
    try {
      const launch = await sandbox.wrap({
        words: toShellWords(command, env),
        folder,
        env,
        origin,
        access,
        isLeftRunning: yieldMs !== undefined,
      });
      if (signal.aborted) await launch.release?.();
      signal.throwIfAborted();
      const process = new RunningProcess({
        launch,
        hasInput: yieldMs !== undefined,
        timeoutMs: timeout * 1000,
        clock,
        onOutput: createProgress(context, clock),
      });
      return { process, access, timeoutSeconds: timeout, startedAt: clock.elapsed() };
    } finally {
      await folder.close();
    }
  }

  /** Waited for to its end, or left running when the time to yield comes first. */
  async function follow(started: Started, args: Args, context: ToolContext): Promise<ToolResult> {
    const { process } = started;
    if (args.yield_time_ms === undefined) await process.ended;
    else await waitForEnd({ process }, Math.min(args.yield_time_ms, longestYieldMs), clock, context.signal);
    const { aborted, reason } = context.signal;
    if (aborted && reason instanceof CommandStopped) reason.output = process.takeOutput(mostCharacters);
    context.signal.throwIfAborted();
    process.onOutput = undefined;
    if (process.end !== undefined) return toResult(started, process.end, sandbox.isContained());
    const { sessionKey } = context;
    const scope = scopeOf(context.origin);
    const labels = [...context.labels, ...(started.access.network === undefined ? [] : [toLabel("command")])];
    const held = processes.add({ ...started, sessionKey, scope, command: args.command, labels });
    return { content: describeHeld(held, clock) };
  }

  return defineTool({
    name: "exec",
    description: "Runs a command in bash, in a sandbox without network. Long output loses its middle.",
    parameters,
    exclusive: true,
    effects: (args) => [
      { type: "run", command: args.command, workingDirectory: args.working_dir, ...toAccess(args) },
    ],
    async execute(args, context) {
      if (args.command.trim() === "" || args.command.includes("\0"))
        throw new ToolError("Give a command without NUL bytes.");
      if (args.yield_time_ms !== undefined) processes.checkRoom(context.sessionKey);
      const started = await start(args, context);
      const forget = onAbort(context.signal, () => void started.process.stop("stopped"));
      try {
        return await follow(started, args, context);
      } finally {
        forget();
        if (context.signal.aborted) await started.process.stop("stopped");
      }
    },
  });
}

interface Started {
  process: RunningProcess;
  access: CommandAccess;
  timeoutSeconds: number;
  startedAt: number;
}

/** Addresses are taken for their hosts; `true` is one way to say all. */
function toAccess({ network = [], writable = [], outside }: Args): CommandAccess {
  const hosts = network
    .map((host) => URL.parse(host)?.host || host.toLowerCase())
    .filter((host) => host !== "false");
  const isAny = hosts.includes("*") || hosts.includes("true");
  return {
    ...(isAny && { network: true }),
    ...(!isAny && hosts.length > 0 && { network: [...new Set(hosts)].sort() }),
    ...(writable.length > 0 && { writable }),
    ...(outside === true && { outside }),
  };
}

function toResult(
  { process, timeoutSeconds, access }: Started,
  end: ProcessEnd,
  isContained: boolean,
): ToolResult {
  const output = process.takeOutput(mostCharacters);
  const parts = [output, describeEnd(end, timeoutSeconds), ...end.notes];
  if (end.isOutputOpen && end.stopCause === undefined) {
    parts.push("(A background process still runs. To keep its output, send it to a file.)");
  }
  if (isContained && access.outside !== true) parts.push(explainConfinement(output, end, access));
  const content = parts.filter((part) => part !== "").join("\n");
  return end.stopCause === undefined ? { content } : { content, isError: true };
}

function toShellWords(command: string, { PATH = "" }: Record<string, string>): [string, ...string[]] {
  if (process.platform === "win32") {
    return ["powershell.exe", "-NoProfile", "-NonInteractive", "-Command", command];
  }
  const folders = PATH.split(delimiter);
  const bash = folders.map((folder) => join(folder, "bash")).find((path) => existsSync(path));
  // bash takes the pipe of a command that is left running for a network connection, and would read ~/.bashrc first.
  return bash === undefined ? ["/bin/sh", "-c", command] : [bash, "--norc", "-c", command];
}
