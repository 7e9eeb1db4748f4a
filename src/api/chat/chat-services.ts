// What the operations about conversations share.
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { Scope } from "../../storage/scope.ts";
import { PutFiles } from "../files/put-files.ts";
import type { ChatPorts } from "./chat-ports.ts";
import { Conversations } from "./conversations.ts";
import { SessionAccess } from "./session-access.ts";
import { SessionCards } from "./session-cards.ts";
import type { SessionCard } from "./wire.ts";

export type { ConversationServices } from "./conversation-services.ts";

export interface ChatServices extends Omit<ChatPorts, "paths" | "workspace" | "clock" | "log"> {
  access: SessionAccess;
  cards: SessionCards;
  conversations: Conversations;
  files: PutFiles;
  /** Commands of `terminal.run` that are not over, by their ids. */
  ownCommands: Map<string, AbortController>;
  /** Waits for what else is done to a conversation as a whole. */
  whenWhole<T>(sessionKey: string, work: () => Promise<T>): Promise<T>;
  /** Tells viewers what is in the list of this one now. */
  tellCard(sessionKey: string, scope: Scope): Promise<SessionCard>;
}

export function createChatServices({ paths, workspace, clock, log: _, ...ports }: ChatPorts): ChatServices {
  const { sessions, live, shown, publish, modelOf } = ports;
  const access = new SessionAccess(sessions);
  const cards = new SessionCards(sessions, live);
  const lock = new KeyedLock();
  return {
    ...ports,
    access,
    cards,
    conversations: new Conversations({ access, cards, live, shown, modelOf }),
    files: new PutFiles({ paths, workspace, now: () => clock.now() }),
    ownCommands: new Map(),
    whenWhole: (key, work) => lock.run(key, work),
    async tellCard(sessionKey, scope) {
      const session = await cards.of(sessionKey, scope);
      publish({ type: "session-changed", session }, { person: session.guest });
      return session;
    },
  };
}
