// The services of operations about conversations, with or without a gateway.
import type { AgentLoop } from "../../agent/loop.ts";
import type { Transcription } from "../../agent/models/transcription.ts";
import { type ChatPorts, type ChatServices, createChatServices } from "../../api/chat/chat-services.ts";
import type { Say } from "../../api/chat/wire.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { LiveEvent } from "../../bus/live.ts";
import type { TrackedBus } from "../../bus/memory-bus.ts";
import { parseSessionKey } from "../../bus/session-key.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Background } from "../../lib/process/background.ts";
import type { HomeLock } from "../../storage/home-lock.ts";
import { ownerScope } from "../../storage/scope.ts";
import { type SocketChannel, type Sockets, toInbox } from "./socket-channels.ts";

type OfSockets = "live" | "shown" | "say" | "publish" | "publishLive";

export interface ChatParts extends Omit<ChatPorts, OfSockets | "transcribe" | "canTranscribe"> {
  sockets: Sockets;
  bus: TrackedBus;
  transcription: Transcription;
  background: Background;
  /** A gateway runs the loop and the channels. */
  isServed: boolean;
  lock: HomeLock;
  /** Whether conversations get a title without being asked for. */
  hasTitles(): boolean;
}

const momentMs = 50;

export function createChat(parts: ChatParts): ChatServices {
  const { loop, sessions, recall, skills, modelOf, runOwnCommand, words, paths, workspace, log } = parts;
  const { clock, sockets, bus, transcription, background, isServed } = parts;
  const assistant = { loop, sessions, recall, skills, modelOf, runOwnCommand };
  const { hub, live, shown, channels } = sockets;
  const serve = isServed ? undefined : createServing({ bus, loop, channels, background });
  const say: Say = (channel, message) => {
    serve?.();
    return channels[channel].say(message);
  };
  const chat = createChatServices({
    ...assistant,
    words,
    paths,
    workspace,
    clock,
    log,
    live,
    shown,
    say,
    transcribe: transcription.transcribe,
    canTranscribe: transcription.isReady,
    publish: (event, audience) => hub.publish(event, audience),
    publishLive: (event) => bus.publishLive(event),
  });
  live.onCardChange(createCardTeller(chat, background, clock));
  if (isServed) bus.onLive(createTitleGiver(chat, parts));
  return chat;
}

interface Serving {
  bus: MessageBus;
  loop: AgentLoop;
  channels: Sockets["channels"];
  background: Background;
}

/** Without a gateway the first message starts the loop, and the delivery of what it says. */
function createServing({ bus, loop, channels, background }: Serving): () => void {
  let isServing = false;
  return () => {
    if (isServing) return;
    isServing = true;
    background.run("chat-broken", (signal) => loop.run(signal));
    for (const channel of Object.values(channels)) {
      background.run("channel-broken", (signal) =>
        channel.start(
          toInbox(bus, () => {}),
          signal,
        ),
      );
      background.run("not-delivered", (signal) => deliver(bus, channel, signal));
    }
  };
}

async function deliver(bus: MessageBus, channel: SocketChannel, signal: AbortSignal): Promise<void> {
  for (;;) {
    const part = await bus.takeOutbound(channel.name, signal);
    await bus.markSent(part.id, await channel.send(part));
  }
}

/** After an answer in the browser a conversation without a title gets one. */
function createTitleGiver(
  chat: ChatServices,
  { background, lock, hasTitles }: Pick<ChatParts, "background" | "lock" | "hasTitles">,
): (event: LiveEvent) => void {
  const waiting = new Set<string>();
  const give = async (sessionKey: string, signal: AbortSignal): Promise<void> => {
    const release = await lock.acquire("title", signal);
    await chat.makeTitle(sessionKey, { isUnasked: true, signal }).finally(release);
  };
  return ({ sessionKey, body }) => {
    const { channel, kind } = parseSessionKey(sessionKey);
    const isAnswer = body.type === "turn-end" && body.stop === "completed";
    const isMeant = isAnswer && channel === "web" && kind === "chat" && hasTitles();
    if (!isMeant || waiting.has(sessionKey)) return;
    waiting.add(sessionKey);
    background.run("title-not-given", (signal) =>
      give(sessionKey, signal).finally(() => waiting.delete(sessionKey)),
    );
  };
}

/** Several changes within a moment are one event: a card is read from the disk. */
function createCardTeller(
  { sessions, tellCard }: ChatServices,
  background: Background,
  clock: Clock,
): (sessionKey: string) => void {
  const waiting = new Set<string>();
  const tell = async (sessionKey: string, signal: AbortSignal): Promise<void> => {
    await clock.sleep(momentMs, signal);
    waiting.delete(sessionKey);
    await tellCard(sessionKey, (await sessions.scopeOf(sessionKey)) ?? ownerScope);
  };
  return (sessionKey) => {
    if (waiting.has(sessionKey) || parseSessionKey(sessionKey).kind === "subagent") return;
    waiting.add(sessionKey);
    background.run("card-not-told", (signal) => tell(sessionKey, signal));
  };
}
