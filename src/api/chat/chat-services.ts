// What the operations about conversations share.
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { PutFiles } from "../files/put-files.ts";
import type { ChatPorts } from "./chat-ports.ts";
import { Conversations } from "./conversations.ts";
import { SessionAccess } from "./session-access.ts";
import { SessionCards } from "./session-cards.ts";
import { SessionTrash } from "./session-trash.ts";
import type { SessionCard } from "./wire.ts";

export type { ConversationServices } from "./conversation-services.ts";

export interface ChatServices extends Omit<ChatPorts, "paths" | "workspace" | "clock" | "log"> {
  access: SessionAccess;
  cards: SessionCards;
  conversations: Conversations;
  trash: SessionTrash;
  files: PutFiles;
  /** Commands of `terminal.run` that are not over, by their ids. */
  ownCommands: Map<string, AbortController>;
  /** Waits for what else is done to a conversation as a whole. */
  whenWhole<T>(sessionKey: string, work: () => Promise<T>): Promise<T>;
  /** Tells viewers what is in the list of this one now. */
  tellCard(sessionKey: string): Promise<SessionCard>;
}

export function createChatServices({ paths, workspace, clock, log, ...ports }: ChatPorts): ChatServices {
  const { sessions, live, shown, publish, modelOf } = ports;
  const access = new SessionAccess({ sessions, clock, log });
  const cards = new SessionCards(sessions.folder, live);
  const lock = new KeyedLock();
  return {
    ...ports,
    access,
    cards,
    conversations: new Conversations({ access, cards, live, shown, modelOf }),
    trash: new SessionTrash({ sessions, clock, log }),
    files: new PutFiles({ paths, workspace, now: () => clock.now() }),
    ownCommands: new Map(),
    whenWhole: (key, work) => lock.run(key, work),
    async tellCard(sessionKey) {
      const session = await cards.of(sessionKey);
      publish({ type: "session-changed", session }, { person: session.guest });
      return session;
    },
  };
}
