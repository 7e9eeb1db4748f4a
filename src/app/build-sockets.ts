// The channels of those who talk over the gateway's own socket, and what is known of the conversations of all channels
// while they go on.
import { join } from "node:path";
import type { SubagentStatus } from "../agent/subagents.ts";
import { toAttachments } from "../api/chat/entry-view.ts";
import type { ChatChannel } from "../api/chat/live.ts";
import { ShownLog } from "../api/chat/shown-log.ts";
import type { SubagentCard } from "../api/chat/wire.ts";
import type { MessageBus } from "../bus/bus.ts";
import type { OutboundPart } from "../bus/types.ts";
import type { ManagedChannel } from "../channels/manager.ts";
import type { HomePaths } from "../config/home.ts";
import type { Background } from "../lib/background.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import type { EventHub } from "../server/event-hub.ts";
import { LiveSessions } from "../server/live-sessions.ts";
import { createSocketChannel, type SocketChannel } from "../server/socket-channel.ts";
import type { BuiltChannels } from "./build-channels.ts";
import type { OpenedState } from "./open-state.ts";

export interface SocketParts {
  paths: HomePaths;
  clock: Clock;
  log: Log;
  background: Background;
  hub: EventHub;
  /** There by the time that anything is said. */
  state(): OpenedState | undefined;
}

export interface Sockets {
  live: LiveSessions;
  shown: ShownLog;
  channels: Record<ChatChannel, SocketChannel>;
  /** A part that any channel has sent. */
  keepSent(part: OutboundPart): void;
  /** Hears of sessions whose card may have changed. */
  cards: { onChange?(sessionKey: string): void };
}

export function buildSockets({ paths, clock, log, background, hub, state }: SocketParts): Sockets {
  const cards: Sockets["cards"] = {};
  const shown = new ShownLog(join(paths.run, "channels", "web"));
  const live = new LiveSessions({
    hub,
    clock,
    signal: background.signal,
    shown,
    isOpen: (id) => state()?.bus.isOpen(id) ?? true,
    moneyOf: (turnId) => state()?.ledger.turnTotal(turnId).money || undefined,
    toAttachments,
    onCard: (sessionKey) => cards.onChange?.(sessionKey),
    onError: (error) => log.warn("not-kept-for-viewers", { error }),
  });
  const create = (name: ChatChannel) =>
    createSocketChannel({ name, clock, keep: (sessionKey, part) => live.keep(sessionKey, part) });
  const channels: Sockets["channels"] = { web: create("web"), cli: create("cli") };
  return {
    live,
    shown,
    cards,
    channels,
    // Those of the socket have shown it themselves.
    keepSent: (part) => (Object.hasOwn(channels, part.channel) ? undefined : live.keepSent(part)),
  };
}

export function toSubagentCard(subagent: SubagentStatus): SubagentCard {
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
    createInbox: (onAlive) => ({
      publish: (message) => bus.publishInbound(message),
      receive: async () => false,
      keep: async () => undefined,
      reportAlive: onAlive,
    }),
  };
}
