// Everything about conversations that the browser may ask and read, made of the parts of the gateway.
import { parseSessionKey } from "../../bus/session-key.ts";
import { createIds } from "../../lib/ids.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { MethodTable } from "../../server/methods.ts";
import type { ChatMethods } from "../../server/protocol/chat.ts";
import type { TerminalMethods } from "../../server/protocol/terminal.ts";
import type { AddReadRoutes } from "../../server/web-routes.ts";
import type { WebParts } from "./build-web-methods.ts";
import { createChatMethods } from "./chat-methods.ts";
import { Conversations } from "./conversations.ts";
import { createFileMethods } from "./file-methods.ts";
import { createMediaRoute } from "./media-route.ts";
import { PutFiles } from "./put-files.ts";
import { SessionAccess } from "./session-access.ts";
import { SessionCards } from "./session-cards.ts";
import { createSessionMethods } from "./session-methods.ts";
import { SessionTrash } from "./session-trash.ts";
import { createTerminalMethods } from "./terminal-methods.ts";

export interface Chat {
  methods: MethodTable<ChatMethods & TerminalMethods>;
  addReadRoutes: AddReadRoutes;
}

const momentMs = 50;

export function buildChat({ app, sockets, hub, paths, clock, words }: WebParts): Chat {
  const { sessions, log } = app;
  const { live, shown, channels } = sockets;
  const access = new SessionAccess({ sessions, clock, log });
  const cards = new SessionCards(sessions.folder, live);
  const conversations = new Conversations({ access, cards, live, shown, modelOf: app.modelOf });
  const trash = new SessionTrash({ sessions, clock, log });
  app.background.run("trash-not-pruned", () => trash.prune());
  const files = new PutFiles(paths, () => clock.now());
  const lock = new KeyedLock();
  const ids = createIds(clock);
  const whenWhole = <T>(key: string, work: () => Promise<T>) => lock.run(key, work);
  const common = { app, access, cards, conversations, whenWhole };
  sockets.cards.onChange = createCardTeller(cards, { app, hub, clock });
  return {
    methods: {
      ...createChatMethods({ ...common, recall: app.recall, channels, files, words }),
      ...createSessionMethods({
        ...common,
        trash,
        live,
        shown,
        hub,
        words,
        now: () => clock.now(),
        newId: () => ids.next(),
      }),
      ...createFileMethods(files, app.transcribe),
      ...createTerminalMethods({ app, files, live, now: () => clock.now() }),
    },
    addReadRoutes: createMediaRoute({ paths, workspace: app.workspace, conversations }),
  };
}

/** Several changes within a moment are told once: a card is read from the disk. */
function createCardTeller(
  cards: SessionCards,
  { app, hub, clock }: Pick<WebParts, "app" | "hub" | "clock">,
): (sessionKey: string) => void {
  const waiting = new Set<string>();
  const tell = async (sessionKey: string, signal: AbortSignal): Promise<void> => {
    await clock.sleep(momentMs, signal);
    waiting.delete(sessionKey);
    const session = await cards.of(sessionKey);
    hub.publish({ type: "session-changed", session }, { person: session.guest });
  };
  return (sessionKey) => {
    if (waiting.has(sessionKey) || parseSessionKey(sessionKey).kind === "subagent") return;
    waiting.add(sessionKey);
    app.background.run("card-not-told", (signal) => tell(sessionKey, signal));
  };
}
