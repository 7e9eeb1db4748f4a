// The tool process: looks after commands that exec left running. Input counts as running the command with that input,
// and is judged like it.
import * as z from "zod";
import type { Clock } from "../../lib/clock.ts";
import { takeHead, toOneLine } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError, type ToolResult } from "../../runner/tool.ts";
import { scopeOf } from "../../storage/scope.ts";
import { createProgress, describeEnd } from "./command-output.ts";
import type { HeldProcess, ProcessTable } from "./process-table.ts";

const mostCharacters = 10_000;
const usualWaitMs = 1000;
const longestWaitMs = 30_000;
/** More is too long to be judged, and asked about for that. */
const longestInput = 50_000;

const parameters = z.object({
  action: z.enum(["read", "write", "close", "kill", "list"]).describe("close: end its input"),
  id: z.string().optional().describe("From exec"),
  text: z.string().optional(),
  wait_ms: z.int().min(0).optional().describe("For its end; default 1000"),
});

type Args = z.output<typeof parameters>;

export function createProcess(table: ProcessTable, clock: Clock): Tool<Args> {
  async function look(held: HeldProcess, waitMs: number, context: ToolContext): Promise<ToolResult> {
    held.process.onOutput = createProgress(context, clock);
    try {
      await waitForEnd(held, waitMs, clock, context.signal);
    } finally {
      held.process.onOutput = undefined;
    }
    return { content: describeHeld(held, clock), labels: held.labels };
  }

  return defineTool({
    name: "process",
    description: "Commands that exec left running.",
    parameters,
    exclusive: true,
    effects({ action, id = "", text = "" }) {
      const held = table.peek(id);
      if (action !== "write" || held === undefined) return [];
      return [{ type: "run", command: toFedCommand(held.command, held.input + text), ...held.access }];
    },
    async execute({ action, id, text = "", wait_ms: waitMs = usualWaitMs }, context) {
      const { sessionKey } = context;
      const scope = scopeOf(context.origin);
      if (action === "list") return { content: describeAll(table.list(sessionKey, scope), clock) };
      if (id === undefined) throw new ToolError(`${action} needs the id of a process. Use list to see them.`);
      const held = table.find(sessionKey, scope, id);
      if (action === "kill") await held.process.stop("stopped");
      if (action === "close") held.process.closeInput();
      if (action === "write") feed(held, text);
      return look(held, Math.min(waitMs, longestWaitMs), context);
    },
  });
}

function feed(held: HeldProcess, text: string): void {
  if (text === "") throw new ToolError("write needs text; end a line with a newline.");
  if (!held.process.write(text)) {
    throw new ToolError(
      `Process ${held.id} takes no more input: it has ended, its input is closed or it reads none.`,
    );
  }
  held.input = takeHead(held.input + text, longestInput);
}

/** Until it is over or the time is, whichever comes first. An abort passes through. */
export async function waitForEnd(
  { process }: Pick<HeldProcess, "process">,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  const stopSleeping = new AbortController();
  const either = AbortSignal.any([signal, stopSleeping.signal]);
  const time = clock.sleep(ms, either).catch(() => {});
  try {
    await Promise.race([process.ended, time]);
  } finally {
    stopSleeping.abort();
  }
  signal.throwIfAborted();
}

export function describeHeld(held: HeldProcess, clock: Clock): string {
  const output = held.process.takeOutput(mostCharacters);
  return [output, describeState(held, clock)].filter((part) => part !== "").join("\n");
}

/** The seconds tell one look from the next: looking again is not going in circles. */
function describeState({ id, process, startedAt, timeoutSeconds }: HeldProcess, clock: Clock): string {
  if (process.end !== undefined)
    return [describeEnd(process.end, timeoutSeconds), ...process.end.notes].join("\n");
  const seconds = ((clock.elapsed() - startedAt) / 1000).toFixed(1);
  return `(Process ${id} still runs, for ${seconds} s.)`;
}

function describeAll(all: readonly HeldProcess[], clock: Clock): string {
  if (all.length === 0) return "No processes.";
  return all
    .map((held) => `${held.id} ${describeState(held, clock)} ${toOneLine(held.command, 200)}`)
    .join("\n");
}

/** The command line that would do the same in one go: what was written before may give the next words their meaning. */
function toFedCommand(command: string, text: string): string {
  const mark = text.includes("INPUT") ? `INPUT${text.length}` : "INPUT";
  return `{ ${command}\n} <<'${mark}'\n${text.replace(/\n$/, "")}\n${mark}`;
}
