// The channels of pages and terminals, and the live state of the conversations of all channels, with or without a gateway.
import type { SubagentStatus } from "../../agent/subagents.ts";
import type { BuiltChannels } from "../../api/channels/build-channels.ts";
import { toAttachments } from "../../api/chat/entry-view.ts";
import { keepNothing, type ShownNotes } from "../../api/chat/shown-log.ts";
import type { Attachment, ChatChannel, SpokenMessage, SubagentCard } from "../../api/chat/wire.ts";
import type { MessageBus } from "../../bus/bus.ts";
import type { Channel, ChannelInbox } from "../../bus/channel.ts";
import type { TrackedBus } from "../../bus/memory-bus.ts";
import { findChatId, toSessionKey } from "../../bus/session-key.ts";
import type { AnswerAddress, Format, Origin, OutboundPart, Receipt, Sent } from "../../bus/types.ts";
import type { ManagedChannel } from "../../channels/manager.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { Background } from "../../lib/process/background.ts";
import { EventHub } from "./event-hub.ts";
import { LiveSessions } from "./live-sessions.ts";

export interface SocketParts {
  bus: TrackedBus;
  clock: Clock;
  ids: Ids;
  log: Log;
  background: Background;
  /** What a turn cost; undefined: unknown. */
  moneyOf(turnId: string): number | undefined;
  /** Absent without a gateway: nothing is kept, and the viewer is on this machine, so that files are shown by their paths. */
  shown?: ShownNotes;
  /** Without a gateway: what one has kept. */
  past?: ShownNotes;
}

export interface Sockets {
  hub: EventHub;
  live: LiveSessions;
  shown: ShownNotes;
  showSubagent(subagent: SubagentStatus): void;
  channels: Record<ChatChannel, SocketChannel>;
  /** A part that any channel has sent. */
  keepSent(part: OutboundPart): void;
}

export function createSockets(parts: SocketParts): Sockets {
  const { bus, clock, ids, log, background, moneyOf, shown, past = keepNothing } = parts;
  const hub = new EventHub({ life: ids.next(), now: () => clock.now() });
  const live = new LiveSessions({
    hub,
    clock,
    signal: background.signal,
    shown: shown ?? keepNothing,
    isOpen: (id) => bus.isOpen(id),
    moneyOf,
    toAttachments: shown === undefined ? toNamedPaths : toAttachments,
    onError: (error) => log.warn("not-kept-for-viewers", { error }),
  });
  bus.onInbound((message) => live.hear(message));
  bus.onLive((event) => live.show(event));
  const create = (name: ChatChannel) =>
    createSocketChannel({ name, clock, keep: (sessionKey, part) => live.keep(sessionKey, part) });
  const channels: Sockets["channels"] = { web: create("web"), cli: create("cli") };
  return {
    hub,
    live,
    shown: shown ?? past,
    showSubagent: (subagent) => live.showSubagent(subagent.parent, toSubagentCard(subagent)),
    channels,
    // Those of the socket have shown it themselves.
    keepSent: (part) => (Object.hasOwn(channels, part.channel) ? undefined : live.keepSent(part)),
  };
}

function toNamedPaths(_key: string, _id: string, media: readonly string[]): Attachment[] | undefined {
  return media.length === 0 ? undefined : media.map((path) => ({ name: path, url: path, isImage: false }));
}

function toSubagentCard(subagent: SubagentStatus): SubagentCard {
  const { id, label, task, state, step, toolCalls, lastCalls, startedAt } = subagent;
  return { id, label, task, state, step, toolCalls, lastCalls, startedAt };
}

/** They need no config and no pairing, and are always there. */
export function withSockets(built: BuiltChannels, { channels }: Sockets): BuiltChannels {
  const find = (name: string) => Object.values(channels).find((channel) => channel.name === name);
  return {
    ...built,
    capabilitiesOf: (name) => find(name)?.capabilities ?? built.capabilitiesOf(name),
    async findOrigin(chat) {
      const channel = find(chat.channel);
      if (channel === undefined) return built.findOrigin(chat);
      const { format } = channel.capabilities;
      return { ...chat, senderId: "owner", person: "owner", role: "owner", cause: "user", format };
    },
    connect: (bus) => [...built.connect(bus), ...Object.values(channels).map((each) => toManaged(each, bus))],
  };
}

function toManaged(channel: SocketChannel, bus: MessageBus): ManagedChannel {
  return {
    channel,
    shows: { progress: false, toolHints: false, streaming: true },
    createInbox: (onAlive) => toInbox(bus, onAlive),
  };
}

/** Nobody is paired here, and files come before their message. */
export function toInbox(bus: MessageBus, reportAlive: () => void): ChannelInbox {
  return {
    publish: (message) => bus.publishInbound(message),
    receive: async () => false,
    revise: async () => false,
    choose: async () => false,
    keep: async () => undefined,
    reportAlive,
  };
}

export interface SocketChannelOptions {
  name: ChatChannel;
  clock: Clock;
  /** Shows and keeps what is not part of a session's history. */
  keep(sessionKey: string, part: OutboundPart): Promise<void>;
}

export interface SocketChannel extends Channel {
  /** Resolves when it is safe. */
  say(message: SpokenMessage): Promise<Receipt>;
}

const formats: Record<ChatChannel, Format> = { web: "markdown", cli: "terminal" };
const aliveEveryMs = 60_000;
/** No id of a chat begins with it. */
const foreignMark = "=";

export function createSocketChannel({ name, clock, keep }: SocketChannelOptions): SocketChannel {
  const started = Promise.withResolvers<ChannelInbox>();
  return {
    name,
    capabilities: {
      format: formats[name],
      markup: "markdown",
      streaming: "live",
      media: true,
      typing: false,
      canAsk: true,
    },
    async start(inbox, signal) {
      started.resolve(inbox);
      while (!signal.aborted) {
        inbox.reportAlive();
        await clock.sleep(aliveEveryMs, signal).catch(() => {});
      }
    },
    async send(part): Promise<Sent> {
      const isShown = part.kind === "answer" && isInHistory(name, part);
      if (!isShown) await keep(toKeyOf(name, part.chatId), part);
      return { platformId: part.id };
    },
    async say({ requestId, viewer, group, language, ...message }) {
      const inbox = await started.promise;
      const origin: Origin = {
        channel: name,
        chatId: toChatId(name, message.sessionKey),
        senderId: viewer.person,
        ...viewer,
        ...(group !== undefined && { group }),
        cause: "user",
        format: formats[name],
        ...(language !== undefined && { language }),
      };
      const sourceKey = `${name}:${viewer.person}:${requestId}`;
      const speaker = group === undefined ? {} : { speaker: viewer.person };
      return inbox.publish({ ...message, ...speaker, sourceKey, origin });
    },
  };
}

/** Whether who opens the chat reads an answer in the stored conversation, whatever is sent of it. */
export function isInHistory(channel: string, { chatId, sessionKey }: AnswerAddress): boolean {
  return Object.hasOwn(formats, channel) && toKeyOf(channel as ChatChannel, chatId) === sessionKey;
}

/** `web:one` is the chat `one`; the session of another channel is a chat, too, marked as such. */
function toChatId(name: ChatChannel, sessionKey: string): string {
  return findChatId(sessionKey, name) ?? foreignMark + sessionKey;
}

function toKeyOf(name: ChatChannel, chatId: string): string {
  return chatId.startsWith(foreignMark)
    ? chatId.slice(foreignMark.length)
    : toSessionKey({ channel: name, chatId });
}
