// Commands that the owner runs by hand, through the guards of the model's own.
import { terminalOrigin } from "../../agent/job.ts";
import type { Answer } from "../../bus/ask.ts";
import { namesNetworkProgram } from "../../guards/command/command-policy.ts";
import { fail } from "../../i18n/user-error.ts";
import { CommandStopped } from "../../lib/abort.ts";
import type { Ids } from "../../lib/ids.ts";
import { toLabel } from "../../lib/labels.ts";
import type { ToolRegistry } from "../../runner/registry.ts";
import { ToolError, type ToolResult } from "../../runner/tool.ts";
import { toReplyId, toResultId } from "../../storage/sessions/format/entry-id.ts";

export interface OwnCommand {
  sessionKey: string;
  command: string;
  signal: AbortSignal;
}

export interface OwnCommandResult {
  content: string;
  isError: boolean;
  /** `content` is what it had printed until then. */
  isStopped?: true;
  /** Sources of untrusted content in it. */
  labels: string[];
}

export type RunOwnCommand = (command: OwnCommand) => Promise<OwnCommandResult>;

const allowed: Answer = { choice: "once" };

export function createOwnCommands(tools: ToolRegistry, ids: Ids): RunOwnCommand {
  return async ({ sessionKey, command, signal }) => {
    const turnId = ids.next();
    const context = {
      origin: terminalOrigin,
      sessionKey,
      turnId,
      callId: toResultId(toReplyId(turnId, 1), 1),
      signal,
    };
    const own = { labels: new Set<string>(), ownWords: command, progress() {}, ask: async () => allowed };
    const exec = tools.get("exec");
    if (exec === undefined) throw fail("terminal.commands-off");
    try {
      return toOwnResult(
        await exec.execute(
          { command, ...(namesNetworkProgram(command) && { network: ["*"] }) },
          { ...context, ...own },
        ),
      );
    } catch (error) {
      // Where what it printed came from was not looked at.
      if (error instanceof CommandStopped)
        return { content: error.output, isError: false, isStopped: true, labels: [toLabel("command")] };
      if (signal.aborted || !(error instanceof ToolError)) throw error;
      return { content: error.message, isError: true, labels: [] };
    }
  };
}

function toOwnResult({ content, isError = false, labels = [] }: ToolResult): OwnCommandResult {
  const text =
    typeof content === "string"
      ? content
      : content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
  return { content: text, isError, labels };
}
