// One prompt of an editor: what happens in the turn as updates of the Agent Client Protocol, approvals as its permission
// requests, and changed files as diffs.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Answer, noChoice, type Question } from "../../bus/ask.ts";
import type { LiveBody } from "../../bus/live.ts";
import { describeNotes, describeTitle } from "../../i18n/describe-ask.ts";
import { say, type Words } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import { toolHint } from "../../lib/language/tool-hint.ts";
import { takeHead } from "../../lib/text.ts";
import type { RpcLines } from "./rpc-lines.ts";

interface TurnOptions {
  sessionId: string;
  cwd: string;
  rpc: Pick<RpcLines, "notify" | "request">;
  words: Words;
}

/** Kinds of the protocol, by the names of our tools. */
const kinds: Record<string, string> = {
  read_file: "read",
  list_dir: "read",
  write_file: "edit",
  edit_file: "edit",
  find_files: "search",
  grep: "search",
  memory_search: "search",
  web_search: "fetch",
  web_fetch: "fetch",
  exec: "execute",
};
const permissions: Record<string, string> = {
  once: "allow_once",
  yes: "allow_once",
  session: "allow_always",
  always: "allow_always",
  [noChoice]: "reject_once",
};
const longestContent = 10_000;
const longestFile = 1_000_000;

export interface AcpTurn {
  show(body: LiveBody): void;
  ask(question: Question, signal: AbortSignal): Promise<Answer>;
  /** When everything was sent. */
  done(): Promise<void>;
}

export function createAcpTurn({ sessionId, cwd, rpc, words }: TurnOptions): AcpTurn {
  const update = (sessionUpdate: string, more: object) =>
    rpc.notify("session/update", { sessionId, update: { sessionUpdate, ...more } });
  /** Files as they were before the call that changes them. */
  const before = new Map<string, Promise<{ path: string; text: string | undefined }>>();
  let telling: Promise<void> = Promise.resolve();
  let current = "";

  async function endTool({ callId, isError, content }: Extract<LiveBody, { type: "tool-end" }>) {
    const old = await before.get(callId);
    before.delete(callId);
    const text = old && (await readText(old.path));
    const isChanged = old !== undefined && text !== undefined && text !== old.text;
    const diff = { type: "diff", path: old?.path, oldText: old?.text ?? null, newText: text };
    const said = { type: "content", content: { type: "text", text: takeHead(content, longestContent) } };
    const status = isError ? "failed" : "completed";
    update("tool_call_update", { toolCallId: callId, status, content: [isChanged ? diff : said] });
  }

  return {
    show(body) {
      const chunk = (text: string) => ({ content: { type: "text", text } });
      if (body.type === "text-delta") update("agent_message_chunk", chunk(body.text));
      if (body.type === "reasoning-delta") update("agent_thought_chunk", chunk(body.text));
      if (body.type === "text-end" && !body.isLast) update("agent_message_chunk", chunk("\n\n"));
      if (body.type === "tool-start") {
        const { callId, name, arguments: args } = body;
        current = callId;
        const kind = kinds[name] ?? "other";
        const path = typeof args.path === "string" ? resolve(cwd, args.path) : undefined;
        if (kind === "edit" && path !== undefined)
          before.set(
            callId,
            readText(path).then((text) => ({ path, text })),
          );
        update("tool_call", {
          toolCallId: callId,
          title: toolHint(name, args, 120),
          kind,
          status: "in_progress",
          rawInput: args,
          ...(path !== undefined && { locations: [{ path }] }),
        });
      }
      if (body.type === "tool-end") telling = telling.then(() => endTool(body));
    },
    async ask(question, signal) {
      const title = describeTitle(question, words);
      const text = [title, ...describeNotes(question, words), question.detail].filter(Boolean).join("\n");
      const asking = rpc.request("session/request_permission", {
        sessionId,
        toolCall: {
          toolCallId: current || "question",
          title,
          content: [{ type: "content", content: { type: "text", text: takeHead(text, longestContent) } }],
        },
        options: question.choices.map(({ id, phrase }) => ({
          optionId: id,
          name: say(phrase, words),
          kind: permissions[id] ?? "allow_once",
        })),
      });
      const answered = await Promise.race([asking, untilAborted(signal)]).catch(() => undefined);
      signal.throwIfAborted();
      const outcome = isRecord(answered) && isRecord(answered.outcome) ? answered.outcome : {};
      const choice = question.choices.find(({ id }) => id === outcome.optionId)?.id;
      return { choice: outcome.outcome === "selected" && choice !== undefined ? choice : noChoice };
    },
    done: () => telling,
  };
}

function untilAborted(signal: AbortSignal): Promise<undefined> {
  return new Promise((settle) => signal.addEventListener("abort", () => settle(undefined), { once: true }));
}

/** Undefined for what is not there, or no text to be shown. */
async function readText(path: string): Promise<string | undefined> {
  try {
    const text = await readFile(path, "utf8");
    return text.length > longestFile ? undefined : text;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
