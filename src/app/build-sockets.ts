// The channels of pages and terminals, and what is known of the conversations of all channels while they go on: of a
// gateway, or of an assistant without one.
import type { SubagentStatus } from "../agent/subagents.ts";
import { toAttachments } from "../api/chat/entry-view.ts";
import type { ChatChannel } from "../api/chat/live.ts";
import { keepNothing, type ShownNotes } from "../api/chat/shown-log.ts";
import type { Attachment, SubagentCard } from "../api/chat/wire.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { ChannelInbox } from "../bus/channel.ts";
import { createMemoryBus, type MemoryBus } from "../bus/memory-bus.ts";
import type { OutboundPart } from "../bus/types.ts";
import type { ManagedChannel } from "../channels/manager.ts";
import type { Background } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import type { Ids } from "../lib/ids.ts";
import type { Log } from "../lib/log.ts";
import { EventHub } from "../server/event-hub.ts";
import { LiveSessions } from "../server/live-sessions.ts";
import { createSocketChannel, type SocketChannel } from "../server/socket-channel.ts";
import type { BuiltChannels } from "./build-channels.ts";
import type { HomeState } from "./home-state.ts";

export interface SocketParts {
  clock: Clock;
  ids: Ids;
  log: Log;
  background: Background;
  state: HomeState;
  /** Absent without a gateway: nothing is kept, and who looks sits at this machine, so that files are named by their paths. */
  shown?: ShownNotes;
}

export type TrackedBus = MessageBus & Pick<MemoryBus, "isOpen">;

export interface Sockets {
  hub: EventHub;
  live: LiveSessions;
  shown: ShownNotes;
  /** Shows what happens on the bus. Until then every message counts as open. */
  connect(bus: TrackedBus): TrackedBus;
  showSubagent(subagent: SubagentStatus): void;
  channels: Record<ChatChannel, SocketChannel>;
  /** A part that any channel has sent. */
  keepSent(part: OutboundPart): void;
  /** Hears of sessions whose card may have changed. */
  cards: { onChange?(sessionKey: string): void };
}

export function buildSockets({ clock, ids, log, background, state, shown }: SocketParts): Sockets {
  const cards: Sockets["cards"] = {};
  const connected: { bus?: TrackedBus } = {};
  const hub = new EventHub({ life: ids.next(), now: () => clock.now() });
  const live = new LiveSessions({
    hub,
    clock,
    signal: background.signal,
    shown: shown ?? keepNothing,
    isOpen: (id) => connected.bus?.isOpen(id) ?? true,
    moneyOf: (turnId) => state.moneyOf(turnId),
    toAttachments: shown === undefined ? toNamedPaths : toAttachments,
    onCard: (sessionKey) => cards.onChange?.(sessionKey),
    onError: (error) => log.warn("not-kept-for-viewers", { error }),
  });
  const create = (name: ChatChannel) =>
    createSocketChannel({ name, clock, keep: (sessionKey, part) => live.keep(sessionKey, part) });
  const channels: Sockets["channels"] = { web: create("web"), cli: create("cli") };
  return {
    hub,
    live,
    shown: shown ?? keepNothing,
    cards,
    connect(bus) {
      connected.bus = bus;
      bus.onLive((event) => live.show(event));
      return bus;
    },
    showSubagent: (subagent) => live.showSubagent(subagent.parent, toSubagentCard(subagent)),
    channels,
    // Those of the socket have shown it themselves.
    keepSent: (part) => (Object.hasOwn(channels, part.channel) ? undefined : live.keepSent(part)),
  };
}

/** For an assistant without a gateway. */
export function createOwnBus(
  parts: Pick<SocketParts, "clock" | "ids" | "background"> & { sockets: Sockets },
) {
  const { clock, ids, background, sockets } = parts;
  const { signal } = background;
  return createMemoryBus({ clock, ids, signal, onInbound: (message) => sockets.live.hear(message) });
}

function toNamedPaths(_key: string, _id: string, media: readonly string[]): Attachment[] | undefined {
  return media.length === 0 ? undefined : media.map((path) => ({ name: path, url: path, isImage: false }));
}

function toSubagentCard(subagent: SubagentStatus): SubagentCard {
  const { id, label, task, state, step, toolCalls, lastCalls, startedAt } = subagent;
  return { id, label, task, state, step, toolCalls, lastCalls, startedAt };
}

/** They need no config and are always there; nobody is paired for them. */
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
    keep: async () => undefined,
    reportAlive,
  };
}
