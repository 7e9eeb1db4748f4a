// What the operations about conversations get of a gateway: its sockets, its events and its background.
import { type ChatServices, createChatServices } from "../api/chat/chat-services.ts";
import { parseSessionKey } from "../bus/session-key.ts";
import type { HomePaths } from "../config/home.ts";
import type { Words } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { EventHub } from "../server/event-hub.ts";
import type { App } from "./build-app.ts";
import type { Sockets } from "./build-sockets.ts";

export interface ChatParts {
  app: App;
  sockets: Sockets;
  hub: EventHub;
  paths: HomePaths;
  words: Words;
  clock: Clock;
}

const momentMs = 50;

export function buildChat({ app, sockets, hub, paths, words, clock }: ChatParts): ChatServices {
  const { live, shown, channels } = sockets;
  const { log, loop, sessions, recall, skills, modelOf, transcribe, canTranscribe, runOwnCommand } = app;
  const assistant = { loop, sessions, recall, skills, modelOf, transcribe, canTranscribe, runOwnCommand };
  const chat = createChatServices({
    ...assistant,
    words,
    log,
    paths,
    clock,
    live,
    shown,
    say: (channel, message) => channels[channel].say(message),
    publish: (event, audience) => hub.publish(event, audience),
  });
  app.background.run("trash-not-pruned", () => chat.trash.prune());
  sockets.cards.onChange = createCardTeller(chat, app, clock);
  return chat;
}

/** Several changes within a moment are told once: a card is read from the disk. */
function createCardTeller(
  { tellCard }: ChatServices,
  { background }: App,
  clock: Clock,
): (sessionKey: string) => void {
  const waiting = new Set<string>();
  const tell = async (sessionKey: string, signal: AbortSignal): Promise<void> => {
    await clock.sleep(momentMs, signal);
    waiting.delete(sessionKey);
    await tellCard(sessionKey);
  };
  return (sessionKey) => {
    if (waiting.has(sessionKey) || parseSessionKey(sessionKey).kind === "subagent") return;
    waiting.add(sessionKey);
    background.run("card-not-told", (signal) => tell(sessionKey, signal));
  };
}
