// What the rows of a conversation need and is the same for all of them.
import { createContext, useContext } from "react";
import type { SubagentCard } from "../../../../src/api/chat/wire.ts";
import type { ChatActions } from "./use-chat-actions.ts";

export interface ChatContextValue {
  sessionKey: string;
  actions: ChatActions;
  isOwner: boolean;
  /** Nothing runs and it can be written in: messages may be taken back. */
  canRewind: boolean;
  /** Of what turns cost. */
  currency: string;
  subagents: ReadonlyMap<string, SubagentCard>;
  /** Puts a message into the field to be edited. */
  edit(entryId: string, text: string): void;
}

const ChatContext = createContext<ChatContextValue | undefined>(undefined);

export const ChatProvider = ChatContext.Provider;

export function useChat(): ChatContextValue {
  const chat = useContext(ChatContext);
  if (chat === undefined) throw new Error("there is no ChatProvider above");
  return chat;
}
