// What can be done in a conversation, and the context that hands it to every row.
import { createContext, useContext, useMemo } from "react";
import type { SubagentCard } from "../../../../src/api/chat/wire.ts";
import { toBrowserKey } from "../../../../src/bus/session-key.ts";
import type { ParamsOf } from "../../../../src/server/protocol.ts";
import { useWords } from "../../app/preferences.tsx";
import { navigate, toPath } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import type { Conversation, Outgoing } from "../../store/conversation.ts";
import { newId } from "../../wire/connection.ts";
import { useWire, type Wire } from "../../wire/hooks.tsx";
import type { Words } from "../../words/index.ts";
import { uploadAgain } from "./composer/attachments.tsx";

interface Message {
  text: string;
  files?: Outgoing["files"];
}

export interface ChatActions {
  /** Starts a new conversation where there is none yet. */
  send(message: Message): void;
  resend(outgoing: Outgoing): void;
  discard(outgoing: Outgoing): void;
  stop(): void;
  /** Removes everything from that message on and sends this instead, with the files that it had. */
  replace(entryId: string, message: Message): Promise<void>;
  branch(before: string | undefined): Promise<void>;
  /** Shows another version of what that message began. */
  switchVersion(entryId: string, version: string): Promise<void>;
  answer(answer: Pick<ParamsOf<"chat.answer">, "askId" | "choice">): Promise<void>;
}

export function useChatActions(sessionKey: string | undefined): ChatActions {
  const wire = useWire();
  const words = useWords().chat;
  return useMemo(() => createChatActions(sessionKey, wire, words), [sessionKey, wire, words]);
}

const owner = { person: "owner", role: "owner" } as const;
const complain = (text: string) => showToast({ text, tone: "bad" });

function createChatActions(sessionKey: string | undefined, wire: Wire, words: Words["chat"]): ChatActions {
  const { connection, store } = wire;
  const key = sessionKey ?? "";
  const discard = ({ requestId }: Outgoing) =>
    store.dispatch({ type: "send-dropped", sessionKey: key, requestId });
  return {
    discard,
    send: (message) => send(wire, sessionKey, message),
    resend(outgoing) {
      discard(outgoing);
      send(wire, sessionKey, outgoing);
    },
    stop: () => void connection.ask("chat.stop", { sessionKey: key }),
    async replace(entryId, message) {
      const parts = store.get().conversations.get(key)?.parts;
      const replaced = parts?.find(({ id }) => id === entryId);
      const kept = await uploadAgain(connection, replaced?.kind === "user" ? replaced.attachments : []);
      if (!Array.isArray(kept)) return complain(words.uploadFailed(kept.name, kept.problem));
      const outcome = await connection.ask("chat.rewind", { sessionKey: key, entryId });
      const files = [...kept, ...(message.files ?? [])];
      if (outcome.ok) send(wire, sessionKey, { ...message, files });
      else complain(outcome.problem.message);
    },
    async branch(before) {
      const params = { sessionKey: key, ...(before !== undefined && { before }) };
      const outcome = await connection.ask("chat.branch", params);
      if (!outcome.ok) return complain(outcome.problem.message);
      keepDraft(outcome.result.sessionKey, outcome.result.text);
      navigate(toPath("chat", outcome.result.sessionKey));
      showToast({ text: words.branched });
    },
    async switchVersion(entryId, version) {
      const outcome = await connection.ask("chat.switch", { sessionKey: key, entryId, version });
      if (!outcome.ok) complain(outcome.problem.message);
    },
    async answer(answer) {
      const outcome = await connection.ask("chat.answer", { sessionKey: key, ...answer });
      if (!outcome.ok) complain(outcome.problem.message);
      else if (!outcome.result.isTaken) showToast({ text: words.ask.late });
    },
  };
}

function send({ connection, store }: Wire, sessionKey: string | undefined, message: Message): void {
  const key = sessionKey ?? toBrowserKey(newId().slice(0, 16), store.get().viewer ?? owner);
  const { text, files = [] } = message;
  const requestId = newId();
  store.dispatch({
    type: "sending",
    sessionKey: key,
    message: { requestId, at: Date.now(), text, files },
  });
  if (sessionKey === undefined) navigate(toPath("chat", key));
  const params = { sessionKey: key, text, files: files.map(({ fileId }) => fileId) };
  void connection
    .ask("chat.send", params, requestId)
    .then((outcome) =>
      store.dispatch(
        outcome.ok
          ? { type: "sent", sessionKey: key, requestId, turnId: outcome.result.turnId }
          : { type: "send-failed", sessionKey: key, requestId, problem: outcome.problem },
      ),
    );
}

interface Chat {
  sessionKey: string;
  actions: ChatActions;
  isOwner: boolean;
  /** Nothing is running and it can be written in: messages may be edited. */
  canRewind: boolean;
  /** Of the costs of turns. */
  currency: string;
  subagents: ReadonlyMap<string, SubagentCard>;
  versions: Conversation["versions"];
  /** Puts a message into the text field to edit it. */
  edit(entryId: string, text: string): void;
  /** Puts a text into the field as a quotation. */
  quote(text: string): void;
}

const ChatContext = createContext<Chat | undefined>(undefined);

export const ChatProvider = ChatContext.Provider;

export function useChat(): Chat {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error("there is no ChatProvider above");
  return chat;
}

const longestDraft = 200_000;
const draftName = (sessionKey: string | undefined) => `nanobot.draft.${sessionKey ?? ""}`;

/** Text that was typed and not sent, kept for each conversation until the tab is closed. */
export function readDraft(sessionKey: string | undefined): string {
  return sessionStorage.getItem(draftName(sessionKey)) ?? "";
}

export function keepDraft(sessionKey: string | undefined, text: string): void {
  if (text === "" || text.length > longestDraft) sessionStorage.removeItem(draftName(sessionKey));
  else sessionStorage.setItem(draftName(sessionKey), text);
}
