// Operations on the conversation that they are asked in: its state, and a copy of it in the caller's files.
import { dirname, join } from "node:path";
import * as z from "zod";
import { type ModelRuntime, windowOf } from "../../agent/dependencies.ts";
import type { SubagentStatus } from "../../agent/subagents.ts";
import { labelsInPrompt } from "../../agent/turn-labels.ts";
import type { Origin } from "../../bus/types.ts";
import { FileError } from "../../guards/files/file-error.ts";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { fail, UserError } from "../../i18n/user-error.ts";
import { speakTo } from "../../i18n/words.ts";
import { readVersion } from "../../lib/package-root.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Consolidation } from "../../memory/consolidator.ts";
import type { Restore } from "../../storage/changes/undo-log.ts";
import {
  changeMode,
  makeFolder,
  moveFile,
  removeEmptyFolder,
  removeFile,
  writeFileAtomic,
} from "../../storage/files/change-files.ts";
import { scopeOf } from "../../storage/scope.ts";
import { operation } from "../operation.ts";
import { chatNamed, chatOf, openChat } from "./chat-services.ts";
import { toExportName, toMarkdown } from "./export-chat.ts";
import { readTrust, trustOperations } from "./trust.ts";

const id = z.string().min(1).max(200);

const newChat = operation({
  name: "chat.new",
  about: "Closes this conversation, which is archived in the background; the next message begins a new one.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({}),
  async run({ conversation }, _, caller): Promise<Record<string, never>> {
    await conversation.loop.closeSession(chatOf(caller));
    return {};
  },
});

const compactChat = operation({
  name: "chat.compact",
  about: "Archives what was said in this conversation so far; the summary looks after `focus`.",
  access: "person",
  needs: "assistant",
  changes: [],
  params: z.strictObject({ focus: z.string().optional() }),
  run: ({ conversation }, { focus = "" }, caller): Promise<Consolidation> =>
    conversation.loop.compact(chatOf(caller), { focus, ...(caller.signal && { signal: caller.signal }) }),
});

export const archiveOperations = [newChat, compactChat] as const;

export interface Undone {
  turnId: string;
  /** The turn changed the schedule, too: `jobs.undo` takes that back. */
  hasJobs: boolean;
  restored: string[];
  /** Changed since then by another hand. */
  left: string[];
  /** Changed by commands, and too large or too many to have been kept: the first of them, and how many there are. */
  lost: string[];
  lostCount: number;
  /** Commands ran where there are more files than are looked at. */
  isPartial: boolean;
  /** Of the turn: what they did elsewhere is not undone. */
  commands: string[];
}

const undoTurn = operation({
  name: "chat.undo",
  about:
    "Puts back the files that the last turn of this conversation changed, or that turn of the conversation with that key.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ sessionKey: z.string().min(1).max(1_000).optional(), turnId: id.optional() }),
  async run(services, { sessionKey: key, turnId }, caller): Promise<{ undone: Undone | null }> {
    const { undo, roots } = services.conversation;
    const { sessionKey, origin } = await chatNamed(services, key, caller);
    const show = (paths: string[]) => paths.map((path) => roots.display(path, origin));
    try {
      const place = { scope: scopeOf(origin), sessionKey, ...(turnId !== undefined && { turnId }) };
      const undone = await undo.undo(place, createRestore(roots, origin));
      if (undone === undefined) return { undone: null };
      const { restored, left, lost } = undone;
      return { undone: { ...undone, restored: show(restored), left: show(left), lost: show(lost) } };
    } catch (error) {
      if (error instanceof FileError) throw new UserError(error.phrase);
      throw error;
    }
  },
});

function createRestore(roots: FileRoots, origin: Origin): Restore {
  return {
    async write(path, bytes, mode) {
      const real = await roots.writeInside(path, bytes, origin);
      if (mode !== undefined) await changeMode(real, mode);
    },
    remove: async (path) => removeFile(await roots.resolveWrite(path, origin)),
    removeFolder: async (path) => removeEmptyFolder(await roots.resolveWrite(path, origin)),
    async move(path, to) {
      const target = await roots.resolveWrite(to, origin);
      await makeFolder(dirname(target));
      await moveFile(await roots.resolveWrite(path, origin), target);
    },
  };
}

const listSubagents = operation({
  name: "subagents.list",
  about: "The subagents of this conversation.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  run: ({ conversation: { loop } }, _, caller): { subagents: SubagentStatus[] } => ({
    subagents: loop.subagents.list(chatOf(caller).sessionKey),
  }),
});

const stopSubagent = operation({
  name: "subagents.stop",
  about: "Ends a subagent of this conversation.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ id: z.string().min(1).max(200) }),
  run({ conversation: { loop } }, { id: wanted }, caller): SubagentStatus {
    const { sessionKey } = chatOf(caller);
    const subagent = loop.subagents.list(sessionKey).find(({ id }) => id === wanted);
    if (subagent === undefined) throw fail("subagents.unknown", { id: toOneLine(wanted, 40) });
    loop.subagents.stop(sessionKey, subagent.id);
    return subagent;
  },
});

const subagentOperations = [listSubagents, stopSubagent] as const;

export interface NamedModel {
  name: string;
  host: string;
}

export interface ChatModels {
  current: NamedModel;
  /** Answers where no other was chosen. */
  usual: NamedModel;
  presets: string[];
  /** No other can be chosen: it was given by the program that runs the assistant. */
  isGiven: boolean;
}

const listModels = operation({
  name: "chat.models",
  about: "The model of this conversation, or the usual one, and the presets that can be chosen in its place.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({}),
  async run({ conversation: { models, sessions } }, _, caller): Promise<ChatModels> {
    const session = caller.chat === undefined ? { metadata: {} } : await openChat(sessions, caller);
    return {
      current: toNamed(await models.of(session)),
      usual: toNamed(models.usual),
      presets: models.list(),
      isGiven: models.isGiven,
    };
  },
});

const chooseModel = operation({
  name: "chat.choose-model",
  about:
    "Another model for this conversation, from the next message on: a preset, or `host/model`. Without `model` the usual one again.",
  access: "owner",
  needs: "assistant",
  changes: [],
  params: z.strictObject({
    model: z.string().min(1).max(1_000).optional(),
    /** Absent: the conversation that it is asked in. */
    sessionKey: z.string().min(1).max(1_000).optional(),
  }),
  async run(services, { model, sessionKey }, caller): Promise<NamedModel> {
    const { models, sessions } = services.conversation;
    const chat = await chatNamed(services, sessionKey, caller);
    const chosen = toNamed(await models.choose(await openChat(sessions, { ...caller, chat }), model));
    // Pages that show it read its model again.
    if (sessionKey !== undefined) services.chat.live.rewrite(sessionKey);
    return chosen;
  },
});

export const chatModelOperations = [listModels, chooseModel] as const;

function toNamed({ settings, host }: ModelRuntime): NamedModel {
  return { name: settings.model, host };
}

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
  async run(services, _, caller): Promise<{ path: string; messages: number }> {
    const { conversation, clock } = services;
    const { origin } = chatOf(caller);
    const session = await openChat(conversation.sessions, caller);
    const words = speakTo(caller, conversation.words);
    const scope = scopeOf(origin);
    const { title } = await services.chat.cards.of(session.key, scope);
    const { text, count } = toMarkdown(title, await session.read(), words);
    if (count === 0) throw fail("chat.nothing-to-export");
    const folder = join(conversation.roots.rootFor(origin), "exports");
    await makeFolder(folder);
    // The owner sees the names of files of others, and a title is what they said.
    const name = toExportName(scope === "owner" ? title : "", clock.now(), "md");
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
