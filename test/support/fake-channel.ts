// A chat platform in memory: what was said to it, what it was sent, and the live events in between.
import { terminalOrigin } from "../../src/agent/job.ts";
import type { MessageBus } from "../../src/bus/bus.ts";
import type { Channel, ChannelInbox } from "../../src/bus/channel.ts";
import type { LiveEvent } from "../../src/bus/live.ts";
import { Mailbox } from "../../src/bus/mailbox.ts";
import type { Origin, OutboundPart, Receipt } from "../../src/bus/types.ts";

export interface FakeChannel extends Channel {
  start(inbox: Pick<ChannelInbox, "publish">, signal: AbortSignal): Promise<void>;
  seen: LiveEvent[];
  say(
    text: string,
    options?: { chatId?: string; sourceKey?: string; origin?: Partial<Origin>; media?: string[] },
  ): Promise<Receipt>;
  nextPart(): Promise<OutboundPart>;
  onLive(listener: (event: LiveEvent) => void): void;
  /** Does the manager's work: takes parts from the outbox and sends them. */
  serve(bus: MessageBus, signal: AbortSignal): Promise<void>;
}

export function createFakeChannel(name: string): FakeChannel {
  const sent = new Mailbox<OutboundPart>();
  const seen: LiveEvent[] = [];
  const listeners: Array<(event: LiveEvent) => void> = [];
  const started = Promise.withResolvers<Pick<ChannelInbox, "publish">>();
  let count = 0;

  const channel: FakeChannel = {
    name,
    capabilities: {
      format: "messaging",
      markup: "markdown",
      streaming: "live",
      media: false,
      typing: false,
      canAsk: true,
    },
    seen,
    start: async (inbox) => started.resolve(inbox),
    send: async (part) => {
      sent.put(part);
      return { platformId: part.id };
    },
    showLive: (event) => {
      seen.push(event);
      for (const listener of listeners) listener(event);
    },
    async say(text, { chatId = "room", sourceKey = `update-${++count}`, origin = {}, media = [] } = {}) {
      const inbox = await started.promise;
      return inbox.publish({
        sourceKey: `${name}:${sourceKey}`,
        sessionKey: `${name}:${chatId}`,
        origin: { ...terminalOrigin, channel: name, chatId, format: "messaging", ...origin },
        text,
        media,
      });
    },
    nextPart: () => sent.take(new AbortController().signal),
    onLive: (listener) => listeners.push(listener),
    async serve(bus, signal) {
      bus.onLive((event) => channel.showLive?.(event));
      await channel.start({ publish: (message) => bus.publishInbound(message) }, signal);
      while (!signal.aborted) {
        const part = await bus.takeOutbound(name, signal).catch(() => undefined);
        if (part === undefined) return;
        await bus.markSent(part.id, await channel.send(part));
      }
    },
  };
  return channel;
}
