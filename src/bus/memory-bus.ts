// A bus for the life of one process: the terminal and tests use it. Nothing here survives a crash.
import { type Clock, systemClock } from "../lib/clock.ts";
import { createIds, type Ids } from "../lib/ids.ts";
import type { MessageBus } from "./bus.ts";
import type { LiveEvent } from "./live.ts";
import { Mailbox } from "./mailbox.ts";
import type { InboundMessage, NewInbound, OutboundPart, Receipt } from "./types.ts";

export interface MemoryBusOptions {
  clock?: Clock;
  ids?: Ids;
  /** Aborts when nothing is sent any more. */
  signal?: AbortSignal;
}

/** A bus whose messages can be followed. */
export interface TrackedBus extends MessageBus {
  /** Whether a message still waits for its answer. */
  isOpen(inboundId: string): boolean;
  /** Called with each published message. */
  onInbound(listener: (message: InboundMessage) => void): void;
}

const rememberedSources = 1000;

export function createMemoryBus({
  clock = systemClock,
  ids = createIds(clock),
  signal,
}: MemoryBusOptions = {}): TrackedBus {
  const inbox = new Mailbox<InboundMessage>();
  const outboxes = new Map<string, Mailbox<OutboundPart>>();
  const taken = new Map<string, OutboundPart>();
  const seen = new Map<string, string>();
  const open = new Set<string>();
  const listeners = new Set<(event: LiveEvent) => void>();
  const inboundListeners = new Set<(message: InboundMessage) => void>();

  function outboxOf(channel: string): Mailbox<OutboundPart> {
    const outbox = outboxes.get(channel) ?? new Mailbox<OutboundPart>();
    outboxes.set(channel, outbox);
    return outbox;
  }

  function remember(sourceKey: string, id: string): void {
    seen.set(sourceKey, id);
    const oldest = seen.keys().next();
    if (seen.size > rememberedSources && !oldest.done) seen.delete(oldest.value);
  }

  async function publishInbound(message: NewInbound): Promise<Receipt> {
    const known = seen.get(message.sourceKey);
    if (known !== undefined) return { id: known, isDuplicate: true };
    const id = ids.next();
    remember(message.sourceKey, id);
    open.add(id);
    const inbound = { ...message, id, receivedAt: clock.now() };
    for (const listener of inboundListeners) listener(inbound);
    inbox.put(inbound);
    return { id, isDuplicate: false };
  }

  async function publishOutbound(parts: OutboundPart[]): Promise<void> {
    for (const part of parts) outboxOf(part.channel).put(part);
  }

  const close = (ids: string[]) => {
    for (const id of ids) open.delete(id);
  };

  return {
    isOpen: (id) => open.has(id),
    onInbound: (listener) => void inboundListeners.add(listener),
    publishInbound,
    findInbound: () => undefined,
    publishOutbound,
    takeInbound: (signal) => inbox.take(signal),
    claim: async () => true,
    // Nothing here is handed out a second time.
    setAside: async (ids) => close(ids),
    async takeOutbound(channel, signal) {
      const part = await outboxOf(channel).take(signal);
      taken.set(part.id, part);
      return part;
    },
    finish(ids, answer) {
      close(ids);
      return publishOutbound(answer);
    },
    async markSent(id) {
      taken.delete(id);
    },
    async markUnsent(id, { retryInMs }) {
      const part = taken.get(id);
      taken.delete(id);
      if (part === undefined || retryInMs === undefined) return;
      const again = { ...part, attempts: (part.attempts ?? 0) + 1 };
      clock.sleep(retryInMs, signal).then(
        () => outboxOf(part.channel).put(again),
        () => {},
      );
    },
    keepDraft: async () => {},
    findDraft: () => undefined,
    publishLive: (event) => {
      for (const listener of listeners) listener(event);
    },
    onLive: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
