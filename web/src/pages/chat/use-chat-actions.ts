// What can be done in a conversation: say something, stop, take back, say again, branch, answer a question.
import { useMemo } from "react";
import { toBrowserKey } from "../../../../src/bus/session-key.ts";
import type { ParamsOf } from "../../../../src/server/protocol.ts";
import { navigate, toPath } from "../../app/router.tsx";
import { type Toasts, useToasts } from "../../app/toasts.tsx";
import type { Outgoing } from "../../store/conversation.ts";
import { newId } from "../../wire/new-id.ts";
import { useWire, type Wire } from "../../wire/wire-context.tsx";
import type { Words } from "../../words/index.ts";
import { useWords } from "../../words/use-words.ts";
import { keepDraft } from "./drafts.ts";
import { putAgain } from "./use-uploads.ts";

export interface Message {
  text: string;
  files?: Outgoing["files"];
}

export interface ChatActions {
  /** Begins a new conversation where there is none yet. */
  send(message: Message): void;
  resend(outgoing: Outgoing): void;
  discard(outgoing: Outgoing): void;
  stop(): void;
  /** Takes back everything from that message on and says this instead, with the files that it had. */
  replace(entryId: string, message: Message): Promise<void>;
  branch(before: string | undefined): Promise<void>;
  answer(answer: Pick<ParamsOf<"chat.answer">, "askId" | "choice">): Promise<void>;
}

export function useChatActions(sessionKey: string | undefined): ChatActions {
  const wire = useWire();
  const { showToast } = useToasts();
  const words = useWords();
  return useMemo(
    () => createChatActions(sessionKey, { ...wire, showToast, words: words.chat }),
    [sessionKey, wire, showToast, words],
  );
}

const owner = { person: "owner", role: "owner" } as const;

type Tools = Wire & Toasts & { words: Words["chat"] };

function createChatActions(sessionKey: string | undefined, tools: Tools): ChatActions {
  const { connection, store, showToast, words } = tools;
  const key = sessionKey ?? "";
  const complain = (text: string) => showToast({ text, tone: "bad" });
  return {
    send: (message) => send(tools, sessionKey, toOutgoing(message)),
    resend(outgoing) {
      store.dispatch({ type: "send-dropped", sessionKey: key, requestId: outgoing.requestId });
      send(tools, sessionKey, toOutgoing(outgoing));
    },
    discard: ({ requestId }) => store.dispatch({ type: "send-dropped", sessionKey: key, requestId }),
    stop: () => void connection.ask("chat.stop", { sessionKey: key }),
    async replace(entryId, message) {
      const said = store
        .get()
        .conversations.get(key)
        ?.parts.find(({ id }) => id === entryId);
      const kept = await putAgain(connection, said?.kind === "user" ? said.attachments : []);
      if (!Array.isArray(kept)) return complain(words.uploadFailed(kept.name, kept.problem));
      const outcome = await connection.ask("chat.rewind", { sessionKey: key, entryId });
      const files = [...kept, ...(message.files ?? [])];
      if (outcome.ok) send(tools, sessionKey, toOutgoing({ ...message, files }));
      else complain(outcome.problem.message);
    },
    async branch(before) {
      const wish = { sessionKey: key, ...(before !== undefined && { before }) };
      const outcome = await connection.ask("chat.branch", wish);
      if (!outcome.ok) return complain(outcome.problem.message);
      keepDraft(outcome.result.sessionKey, outcome.result.text);
      navigate(toPath("chat", outcome.result.sessionKey));
      showToast({ text: words.branched });
    },
    async answer(answer) {
      const outcome = await connection.ask("chat.answer", { sessionKey: key, ...answer });
      if (!outcome.ok) complain(outcome.problem.message);
      else if (!outcome.result.isTaken) showToast({ text: words.ask.late });
    },
  };
}

function toOutgoing({ text, files = [] }: Message): Outgoing {
  return { requestId: newId(), at: Date.now(), text, files };
}

function send({ connection, store }: Wire, sessionKey: string | undefined, message: Outgoing): void {
  const key = sessionKey ?? toBrowserKey(newId().slice(0, 16), store.get().viewer ?? owner);
  const { requestId, text, files } = message;
  store.dispatch({ type: "sending", sessionKey: key, message });
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
