// Operations on the conversation that they are asked in: its state, and a copy of it in the caller's files.
import { join } from "node:path";
import * as z from "zod";
import { type ModelRuntime, windowOf } from "../../agent/model-runtime.ts";
import { labelsInPrompt } from "../../agent/turn-labels.ts";
import { fail } from "../../i18n/user-error.ts";
import { speakTo } from "../../i18n/words.ts";
import { readVersion } from "../../lib/package-root.ts";
import { writeFileAtomic } from "../../storage/files/atomic-file.ts";
import { makeFolder } from "../../storage/files/change-files.ts";
import { operation } from "../operation.ts";
import { chatOf, openChat } from "./conversation-services.ts";
import { toExportName, toMarkdown } from "./export-session.ts";
import { subagentOperations } from "./subagents.ts";
import { readTrust, trustOperations } from "./trust.ts";
import { undoTurn } from "./undo.ts";

export interface ChatStatus {
  version: string;
  model: { name: string; host: string; why: ModelRuntime["why"]; contextWindow: number };
  /** Of the last request. */
  usage: { input: number; output: number; cached: number; context: number };
  messages: number;
  uptimeMs: number;
  activeTurns: number;
  trustedUntil?: number;
  /** Sources of what came into the conversation from outside. */
  labels: string[];
}

const showStatus = operation({
  name: "chat.status",
  about: "The model of this conversation, what it used, and what the owner has allowed in it.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ conversation, clock }, _, caller): Promise<ChatStatus> {
    const { loop, sessions, models } = conversation;
    const session = await openChat(sessions, caller);
    const model = await models.of(session);
    const trustedUntil = readTrust(session.metadata, clock.now());
    const { _last_usage: last = {} } = session.metadata;
    return {
      version: readVersion(),
      model: {
        name: model.settings.model,
        host: model.host,
        why: model.why,
        contextWindow: windowOf(model).contextWindow,
      },
      usage: {
        input: last.prompt_tokens ?? 0,
        output: last.completion_tokens ?? 0,
        cached: last.cached_tokens ?? 0,
        context: last.context_tokens ?? 0,
      },
      messages: session.count,
      uptimeMs: loop.uptimeMs,
      activeTurns: loop.activeTurns,
      ...(trustedUntil !== undefined && { trustedUntil }),
      labels: labelsInPrompt(session),
    };
  },
});

const saveChat = operation({
  name: "chat.save",
  about: "Writes this conversation as a Markdown file into the caller's folder.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({}),
  async run({ conversation, clock }, _, caller): Promise<{ path: string; messages: number }> {
    const { origin } = chatOf(caller);
    const session = await openChat(conversation.sessions, caller);
    const words = speakTo(caller, conversation.words);
    const { text, count } = toMarkdown(session.key, await session.read(), words);
    if (count === 0) throw fail("chat.nothing-to-export");
    const folder = join(conversation.roots.rootFor(origin), "exports");
    await makeFolder(folder);
    const name = toExportName(session.key, clock.now(), "md");
    await writeFileAtomic(join(folder, name), text);
    return { path: `exports/${name}`, messages: count };
  },
});

export const conversationOperations = [
  showStatus,
  saveChat,
  undoTurn,
  ...trustOperations,
  ...subagentOperations,
] as const;
