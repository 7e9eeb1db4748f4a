// A command that the owner runs by hand beside the conversation: the tool exec with all its guards, except that nobody
// is asked for what the owner has just asked for. What is refused stays refused.

import { terminalOrigin } from "../../agent/direct.ts";
import type { Answer } from "../../bus/ask.ts";
import { fail } from "../../i18n/user-error.ts";
import type { Ids } from "../../lib/ids.ts";
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
      return toOwnResult(await exec.execute({ command }, { ...context, ...own }));
    } catch (error) {
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
