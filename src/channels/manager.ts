// ChannelManager: keeps channels running, hands them the outbox, and shows turns while they run. A channel that fails
// takes no other one down: it is started again with growing pauses, or left with its reason when that is no use.
import type { MessageBus } from "../bus/bus.ts";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  SendError,
} from "../bus/channel.ts";
import type { LiveEvent } from "../bus/live.ts";
import type { OutboundPart, SendFailure, Sent } from "../bus/types.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { sayInEnglish } from "../i18n/words.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { withoutControls } from "../lib/visible-text.ts";
import { isStorageTrouble } from "../storage/files/storage-trouble.ts";
import { phraseOfFailure } from "./channel-failure.ts";
import { LiveView, type LiveViewOptions } from "./live-view.ts";
import { toHtml, toMrkdwn, toPlain } from "./markup.ts";

export interface ManagedChannel {
  channel: Channel;
  createInbox(onAlive: () => void): ChannelInbox;
  shows: LiveViewOptions["shows"];
}

export interface ChannelManagerOptions {
  bus: MessageBus;
  channels: ManagedChannel[];
  clock: Clock;
  log: Log;
  /** Tries to send a part, the first one included, before it is set aside. */
  mostTries: number;
  /** Between 0 and 1. */
  random(): number;
  describeAsk: LiveViewOptions["describeAsk"];
  describeTool: LiveViewOptions["describeTool"];
  words: LiveViewOptions["words"];
  /** Throws when this process may no longer act for the home. */
  assertHeld(): void;
  /** The path of a recording of this part, where it is to be spoken. Must not throw. */
  speak?(part: OutboundPart): Promise<string | undefined>;
  /** A platform took a part. */
  onSent?(part: OutboundPart): void;
  /** A channel is lost, or never was there. `isOver`: no use in trying again. */
  onTrouble?(name: string, trouble: { reason: Phrase; isOver: boolean }): void;
}

export type ChannelState = "starting" | "running" | "retrying" | "failed" | "stopped";

export interface ChannelHealth {
  name: string;
  state: ChannelState;
  since: number;
  /** Of the last poll or ping that came back. */
  aliveAt?: number;
  error?: Phrase;
  received: number;
  sent: number;
}

interface Sending {
  part: OutboundPart;
  view: LiveView | undefined;
  signal: AbortSignal;
}

const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;
/** A disk of ours that is full for a while is no reason to stay away from a platform that is well. */
const longestForStorageMs = 15_000;
/** A connection that lasted so long was a good one: the next failure is a first one again. */
const goodMs = 60_000;
/** Without a poll or ping in this time a connection counts as dead. */
const silentMs = 3 * 60_000;
const watchMs = 30_000;
const againMs = 1_000;

export class ChannelManager {
  readonly #options: ChannelManagerOptions;
  readonly #health = new Map<string, ChannelHealth>();
  readonly #sending = new Set<Promise<void>>();

  constructor(options: ChannelManagerOptions) {
    this.#options = options;
    const since = options.clock.now();
    for (const { channel } of options.channels) {
      this.#health.set(channel.name, { name: channel.name, state: "stopped", since, received: 0, sent: 0 });
    }
  }

  health(): ChannelHealth[] {
    return [...this.#health.values()].map((health) => ({ ...health }));
  }

  has(name: string): boolean {
    return this.#health.has(name);
  }

  capabilitiesOf(name: string): Channel["capabilities"] | undefined {
    return this.#options.channels.find(({ channel }) => channel.name === name)?.channel.capabilities;
  }

  /** Serves all channels until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { bus, channels } = this.#options;
    const views = new Map(channels.map((managed) => [managed.channel.name, this.#createView(managed)]));
    const unsubscribe = bus.onLive((event: LiveEvent) => views.get(event.channel)?.show(event));
    try {
      await Promise.all(
        channels.flatMap((managed) => [
          this.#supervise(managed, signal),
          this.#deliver(managed.channel, views.get(managed.channel.name), signal),
        ]),
      );
    } finally {
      unsubscribe();
      await Promise.all(this.#sending);
      for (const view of views.values()) await view.close();
    }
  }

  #createView({ channel, shows }: ManagedChannel): LiveView {
    const { bus, clock, log, describeAsk, describeTool, words } = this.#options;
    const convert = (text: string) => convertText(text, channel);
    const send = (part: OutboundPart) => this.#sendNow(channel, part);
    return new LiveView({ channel, send, shows, bus, clock, log, convert, describeAsk, describeTool, words });
  }

  async #supervise({ channel, createInbox }: ManagedChannel, signal: AbortSignal): Promise<void> {
    const { clock, log, random, onTrouble } = this.#options;
    let failures = 0;
    while (!signal.aborted) {
      const startedAt = clock.elapsed();
      this.#set(channel.name, { state: "starting" });
      const error = await this.#runOnce(channel, createInbox, signal);
      if (signal.aborted) break;
      const reason = phraseOfFailure(error);
      const details = { channel: channel.name, reason: sayInEnglish(reason) };
      this.#set(channel.name, { error: reason });
      if (error instanceof ChannelSetupError) {
        log.error("channel-failed", details);
        onTrouble?.(channel.name, { reason, isOver: true });
        return this.#set(channel.name, { state: "failed" });
      }
      failures = clock.elapsed() - startedAt > goodMs ? 1 : failures + 1;
      const longest = isStorageTrouble(error) ? longestForStorageMs : longestPauseMs;
      const pause = Math.min(longest, firstPauseMs * 2 ** (failures - 1)) * (0.5 + random() / 2);
      log.warn("channel-lost", { ...details, pause });
      if (failures === 1) onTrouble?.(channel.name, { reason, isOver: false });
      this.#set(channel.name, { state: "retrying" });
      await clock.sleep(pause, signal).catch(() => {});
    }
    this.#set(channel.name, { state: "stopped" });
  }

  /** Resolves with the reason why the channel is no longer connected. Channel start is a boundary: it may throw anything. */
  async #runOnce(
    channel: Channel,
    createInbox: ManagedChannel["createInbox"],
    signal: AbortSignal,
  ): Promise<unknown> {
    const { clock } = this.#options;
    const lost = new AbortController();
    const both = AbortSignal.any([signal, lost.signal]);
    let aliveAt = clock.elapsed();
    let isAlive = false;
    const inbox = createInbox(() => {
      aliveAt = clock.elapsed();
      isAlive = true;
      this.#set(channel.name, { state: "running", aliveAt: clock.now() });
    });
    const watch = async () => {
      for (;;) {
        await clock.sleep(watchMs, both);
        if (isAlive && clock.elapsed() - aliveAt > silentMs)
          throw new ChannelError(phrase("channels.silent"));
      }
    };
    const running = (async () => channel.start(this.#count(channel.name, inbox), both))();
    try {
      await Promise.race([running, watch()]);
      return new ChannelError(phrase("channels.ended"));
    } catch (error) {
      return error;
    } finally {
      lost.abort(new Error("the connection is given up"));
      // What it was storing is stored, and nothing of it runs next to its successor.
      await running.catch(() => {});
    }
  }

  #count(name: string, inbox: ChannelInbox): ChannelInbox {
    const receive: ChannelInbox["receive"] = async (update) => {
      const isTaken = await inbox.receive(update);
      this.#set(name, { received: (this.#health.get(name)?.received ?? 0) + 1 });
      return isTaken;
    };
    return { ...inbox, receive };
  }

  /** Part by part; a part that is not taken comes back from the outbox later. */
  async #deliver(channel: Channel, view: LiveView | undefined, signal: AbortSignal): Promise<void> {
    const { bus, clock, log } = this.#options;
    while (!signal.aborted) {
      try {
        const part = await bus.takeOutbound(channel.name, signal);
        const sending = this.#send(channel, { part, view, signal })
          .catch((error: unknown) => log.error("part-not-sent", { part: part.id, error }))
          .finally(() => this.#sending.delete(sending));
        this.#sending.add(sending);
      } catch (error) {
        if (signal.aborted) return;
        // The store may be full for a while, and the part is still there.
        log.error("part-not-taken", { channel: channel.name, error });
        await clock.sleep(againMs, signal).catch(() => {});
      }
    }
  }

  async #settle(part: OutboundPart, view: LiveView | undefined): Promise<OutboundPart> {
    await view?.settle(part);
    if (!part.wasStreamed) return part;
    const draft = this.#options.bus.findDraft(part.turnId) ?? view?.takeUnkept(part.turnId);
    return { ...part, ...(draft !== undefined && { draft }) };
  }

  /** Sending is a boundary: whatever it throws is a failure of the world. */
  async #send(channel: Channel, { part, view, signal }: Sending): Promise<void> {
    const { bus, onSent, speak } = this.#options;
    const voice = channel.capabilities.voice ? await speak?.(part) : undefined;
    const media = voice === undefined ? part.media : [...part.media, voice];
    const outcome = await this.#settle(part, view)
      .then((settled) => this.#sendNow(channel, { ...settled, media, text: convertText(part.text, channel) }))
      .then(
        (sent) => ({ sent }),
        (error: unknown) => ({ failure: this.#toFailure(channel, part, error) }),
      );
    if ("failure" in outcome) return this.#note(part, signal, () => bus.markUnsent(part.id, outcome.failure));
    this.#set(channel.name, { sent: (this.#health.get(channel.name)?.sent ?? 0) + 1 });
    onSent?.(part);
    await this.#note(part, signal, () => bus.markSent(part.id, outcome.sent));
  }

  /** The one way of a part to a platform. */
  async #sendNow(channel: Channel, part: OutboundPart): Promise<Sent> {
    this.#options.assertHeld();
    return channel.send(part);
  }

  #toFailure(channel: Channel, part: OutboundPart, error: unknown): SendFailure {
    const { mostTries, log } = this.#options;
    const tries = (part.attempts ?? 0) + 1;
    const reason = phraseOfFailure(error);
    const isPermanent = error instanceof SendError && error.isPermanent;
    const wait = (error instanceof SendError && error.retryAfterMs) || 1_000 * 2 ** Math.min(tries - 1, 8);
    const isOver = isPermanent || (tries >= Math.max(1, mostTries) && !isOutage(error));
    const partDetails = { channel: channel.name, part: part.id, tries, reason: sayInEnglish(reason), isOver };
    log.warn("part-not-sent", partDetails);
    this.#set(channel.name, { error: reason });
    return { reason, ...(!isOver && { retryInMs: wait }) };
  }

  /** A full disk must not make a part that was sent look as if it was not: it is noted as soon as there is room. */
  async #note(part: OutboundPart, signal: AbortSignal, mark: () => Promise<void>): Promise<void> {
    const { clock, log } = this.#options;
    for (;;) {
      try {
        return await mark();
      } catch (error) {
        log.error("part-not-marked", { part: part.id, error });
        if (signal.aborted) return;
        await clock.sleep(againMs, signal).catch(() => {});
      }
    }
  }

  #set(name: string, change: Partial<ChannelHealth>): void {
    const health = this.#health.get(name);
    if (health === undefined) return;
    if (change.state !== undefined && change.state !== health.state) health.since = this.#options.clock.now();
    Object.assign(health, change);
    if (change.state === "running") delete health.error;
  }
}

/** Nobody there at all is no fault of the part: it waits as long as it takes. */
function isOutage(error: unknown): boolean {
  return !(error instanceof SendError) || error.retryAfterMs !== undefined;
}

const converters: Record<Channel["capabilities"]["markup"], (markdown: string) => string> = {
  markdown: (text) => text,
  html: toHtml,
  mrkdwn: toMrkdwn,
  plain: toPlain,
};

/** The one way of a text to a platform. */
function convertText(given: string, { capabilities }: Channel): string {
  const text = withoutControls(given);
  return converters[capabilities.markup](text);
}
