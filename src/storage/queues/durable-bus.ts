// A bus whose inbox and outbox survive the death of the process: what was published is on the disk when the call
// returns. Live events are not kept. See docs/durability.md for the protocol.
import type { MessageBus } from "../../bus/bus.ts";
import type { LiveEvent } from "../../bus/live.ts";
import { Mailbox } from "../../bus/mailbox.ts";
import { withThread } from "../../bus/session-key.ts";
import type { InboundMessage, NewInbound, Origin, OutboundPart, Receipt, Revised } from "../../bus/types.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import type { StateDatabase } from "../database/state-database.ts";
import { DurabilityError } from "../durability.ts";
import { fromStored, mapPaths, toStored } from "../stored-path.ts";
import { Outbox } from "./outbox.ts";

export interface DurableBusOptions {
  state: StateDatabase;
  clock: Clock;
  ids: Ids;
}

const dayMs = 86_400_000;
/** For how long a platform's second copy of a message is known as one. */
const keptMs = 30 * dayMs;

export class DurableBus implements MessageBus {
  readonly outbox: Outbox;
  readonly #options: DurableBusOptions;
  readonly #inbox = new Mailbox<InboundMessage>();
  readonly #listeners = new Set<(event: LiveEvent) => void>();
  readonly #inboundListeners = new Set<(message: InboundMessage) => void>();
  readonly #publishing = new KeyedLock();
  /** Not committed, and not taken back either: handed out when the platform sends them again. */
  readonly #uncommitted = new Map<string, InboundMessage>();
  /** Claimed, and not committed yet: claiming them again counts no second attempt. */
  readonly #counted = new Set<string>();

  private constructor(options: DurableBusOptions) {
    this.#options = options;
    this.outbox = new Outbox(options);
  }

  /** What was left unfinished is handed out again, oldest first. */
  static async open(options: DurableBusOptions): Promise<DurableBus> {
    const bus = new DurableBus(options);
    await markUnreadable(options.state, options.clock.now());
    await bus.#prune();
    const rows = options.state.all<InboxRow>(
      "SELECT message, attempts FROM inbox WHERE state = 'waiting' ORDER BY seq",
    );
    for (const row of rows) bus.#hand(bus.#toMessage(row));
    return bus;
  }

  /** A message whose commit fails is taken back and not answered, unless it is published again. */
  publishInbound(message: NewInbound): Promise<Receipt> {
    return this.#publishing.run(message.sourceKey, () => this.#publish(message));
  }

  async #publish(message: NewInbound): Promise<Receipt> {
    const { state, ids, clock } = this.#options;
    const inbound: InboundMessage = { ...message, id: ids.next(), receivedAt: clock.now() };
    const { id, sourceKey, receivedAt } = inbound;
    const store = (): Receipt => {
      const isNew = state.run(
        "INSERT OR IGNORE INTO inbox (id, source_key, message, received_at) VALUES (?, ?, ?, ?)",
        id,
        sourceKey,
        JSON.stringify(withMedia(inbound, (path) => toStored(state.home, path))),
        receivedAt,
      );
      if (isNew > 0) {
        if (message.revises !== undefined) this.#revise(message.revises, message.text);
        this.#uncommitted.set(id, inbound);
        return { id, isDuplicate: false };
      }
      const [known] = state.all<{ id: string }>("SELECT id FROM inbox WHERE source_key = ?", sourceKey);
      return { id: known?.id ?? id, isDuplicate: true };
    };
    const receipt = await state.write(store).catch(async (error: unknown) => {
      if (error instanceof DurabilityError) await this.#takeBack(id);
      else this.#uncommitted.delete(id);
      throw error;
    });
    const fresh = this.#uncommitted.get(receipt.id);
    this.#uncommitted.delete(receipt.id);
    if (fresh !== undefined) this.#hand(fresh);
    return receipt;
  }

  /** What is handed out again after a crash reads as it does now. A deleted one that was answered is no longer kept here. */
  #revise({ id, isDeleted }: Revised, text: string): void {
    const open = isDeleted ? "AND state <> 'waiting'" : "";
    const sql = `UPDATE inbox SET message = json_set(message, '$.text', ?) WHERE id = ? ${open}`;
    this.#options.state.run(sql, text, id);
  }

  async #takeBack(id: string): Promise<void> {
    const { state } = this.#options;
    const remove = () => state.run("DELETE FROM inbox WHERE id = ?", id);
    const isRemoved = await state.write(remove, { isDurable: false }).then(
      () => true,
      () => false,
    );
    if (isRemoved) this.#uncommitted.delete(id);
  }

  takeInbound(signal: AbortSignal): Promise<InboundMessage> {
    return this.#inbox.take(signal);
  }

  /** Whether it still waits for its answer. */
  isOpen(inboundId: string): boolean {
    const sql = "SELECT 1 FROM inbox WHERE id = ? AND state = 'waiting'";
    return this.#options.state.all(sql, inboundId).length > 0;
  }

  findInbound(sourceKey: string): InboundMessage | undefined {
    const sql = "SELECT message, attempts FROM inbox WHERE source_key = ? AND state <> 'unreadable'";
    const [row] = this.#options.state.all<InboxRow>(sql, sourceKey);
    return row && this.#toMessage(row);
  }

  /** The last origin that matches. */
  findLastOrigin(isMeant: (origin: Origin) => boolean): Origin | undefined {
    const sql = "SELECT message, attempts FROM inbox WHERE state <> 'unreadable' ORDER BY seq DESC LIMIT 500";
    const origins = this.#options.state.all<InboxRow>(sql).map((row) => this.#toMessage(row).origin);
    return origins.find(isMeant);
  }

  async claim(inboundId: string): Promise<boolean> {
    const { state } = this.#options;
    const sql = "UPDATE inbox SET attempts = attempts + 1 WHERE id = ? AND state = 'waiting'";
    const count = () => state.write(() => state.run(sql, inboundId), { isDurable: false });
    const isOpen = this.#counted.has(inboundId) ? this.isOpen(inboundId) : (await count()) > 0;
    if (isOpen) this.#counted.add(inboundId);
    // So that a message that ends one machine after the other is known as such.
    await state.commit();
    this.#counted.delete(inboundId);
    return isOpen;
  }

  async finish(inboundIds: string[], answer: OutboundPart[]): Promise<void> {
    const { state } = this.#options;
    try {
      await state.write(() => {
        this.outbox.insert(answer);
        for (const id of inboundIds) this.#settle(id, "done");
      });
    } finally {
      // Also what is not committed yet may be ready: a notice that something has to wait.
      this.outbox.wake();
    }
  }

  async setAside(...[inboundIds, apologise]: Parameters<MessageBus["setAside"]>): Promise<void> {
    const { state } = this.#options;
    const sql = "SELECT message, attempts FROM inbox WHERE id = ? AND state = 'waiting'";
    await state.write(() => {
      const rows = [...new Set(inboundIds)].flatMap((id) => state.all<InboxRow>(sql, id));
      const open = rows.map((row) => this.#toMessage(row));
      if (open.length > 0) this.outbox.insert(apologise(open));
      for (const { id } of open) this.#settle(id, "failed");
    });
    this.outbox.wake();
  }

  publishOutbound(parts: OutboundPart[]): Promise<void> {
    return this.finish([], parts);
  }

  takeOutbound(channel: string, signal: AbortSignal): Promise<OutboundPart> {
    return this.outbox.take(channel, signal);
  }

  markSent(...sent: Parameters<Outbox["markSent"]>): Promise<void> {
    return this.outbox.markSent(...sent);
  }

  markUnsent(...failure: Parameters<Outbox["markUnsent"]>): Promise<void> {
    return this.outbox.markUnsent(...failure);
  }

  async keepDraft(turnId: string, platformId: string): Promise<void> {
    const { state } = this.#options;
    const sql = "INSERT OR REPLACE INTO draft (turn_id, platform_id) VALUES (?, ?)";
    await state.write(() => state.run(sql, turnId, platformId), { isDurable: false });
  }

  findDraft(turnId: string): string | undefined {
    const sql = "SELECT platform_id AS id FROM draft WHERE turn_id = ?";
    return this.#options.state.all<{ id: string }>(sql, turnId)[0]?.id;
  }

  publishLive(event: LiveEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  onLive(listener: (event: LiveEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Called with each stored message, and at once with those that wait for the loop. */
  onInbound(listener: (message: InboundMessage) => void): void {
    this.#inboundListeners.add(listener);
    this.#inbox.waiting.forEach(listener);
  }

  #hand(message: InboundMessage): void {
    for (const listener of this.#inboundListeners) listener(message);
    this.#inbox.put(message);
  }

  async #prune(): Promise<void> {
    const { state, clock } = this.#options;
    await state.write(() => {
      // By a clock that was set back since.
      for (const table of ["inbox", "outbox"])
        state.run(`UPDATE ${table} SET finished_at = ? WHERE finished_at > ?`, clock.now(), clock.now());
      // By what was done last: a clock that is set far on at a start makes nothing old.
      const [newest] = state.all<{ at: number | null }>("SELECT max(finished_at) AS at FROM inbox");
      const before = (newest?.at ?? clock.now()) - keptMs;
      state.run("DELETE FROM inbox WHERE state <> 'waiting' AND finished_at < ?", before);
      state.run("DELETE FROM outbox WHERE state = 'sent' AND finished_at < ?", before);
      state.run(
        `DELETE FROM draft WHERE turn_id NOT IN (SELECT id FROM inbox WHERE state = 'waiting')
           AND turn_id NOT IN (SELECT part ->> '$.turnId' FROM outbox WHERE state NOT IN ('sent', 'unreadable'))`,
      );
    });
  }

  #toMessage({ message, attempts }: InboxRow): InboundMessage {
    const { home } = this.#options.state;
    const inbound = withMedia(JSON.parse(message) as InboundMessage, (path) => fromStored(home, path));
    return { ...inbound, origin: withThread(inbound.origin, inbound.sessionKey), attempts };
  }

  #settle(id: string, to: "done" | "failed"): void {
    const { state, clock } = this.#options;
    const sql = "UPDATE inbox SET state = ?, finished_at = ? WHERE id = ? AND state = 'waiting'";
    state.run(sql, to, clock.now(), id);
  }
}

interface InboxRow {
  message: string;
  attempts: number;
}

function withMedia(message: InboundMessage, change: (path: string) => string): InboundMessage {
  return message.media === undefined ? message : { ...message, media: mapPaths(message.media, change) };
}

/** Older ones that are over are read by nobody. */
const recent = 600;

const texts = (column: string, names: readonly string[]) =>
  names.map((name) => `json_type(${column}, '$.${name}') = 'text'`).join(" AND ");

/** CASE, because the functions fail on text that is no JSON. */
const isMessage = `CASE WHEN json_valid(message) THEN message ->> '$.id' = id AND ${texts("message", [
  "sessionKey",
  "text",
  "origin.channel",
  "origin.chatId",
  "origin.senderId",
  "origin.person",
])} AND message ->> '$.origin.role' IN ('owner', 'guest') ELSE 0 END`;

const isPart = `CASE WHEN json_valid(part) THEN part ->> '$.id' = id AND ${texts("part", [
  "channel",
  "chatId",
  "sessionKey",
  "turnId",
  "text",
])} AND json_type(part, '$.media') = 'array' ELSE 0 END`;

/** Returns how many there were. */
async function markUnreadable(state: StateDatabase, now: number): Promise<number> {
  const mark = (table: string, condition: string, open: string) =>
    state.run(
      `UPDATE ${table} SET state = 'unreadable', finished_at = ? WHERE state <> 'unreadable' AND ${condition} IS NOT TRUE
         AND (state IN (${open}) OR seq > (SELECT max(seq) FROM ${table}) - ${recent})`,
      now,
    );
  return state.write(
    () => mark("inbox", isMessage, "'waiting'") + mark("outbox", isPart, "'waiting', 'sending', 'dead'"),
  );
}
