// The durable outbox: parts in the order of their chat, each handed to one sender at a time, until the platform took
// it or it is given up. A part that waits to be sent again holds back what follows it in its chat.

import { withThread } from "../../bus/session-key.ts";
import type { OutboundPart, SendFailure, Sent } from "../../bus/types.ts";
import { englishPhrases } from "../../i18n/en/phrases/index.ts";
import { isPhrase, type Phrase, phrase } from "../../i18n/phrase.ts";
import type { Clock } from "../../lib/clock.ts";
import { parseJson } from "../../lib/json-tree.ts";
import type { StateDatabase } from "../database/state-database.ts";
import { DurabilityError } from "../durability.ts";
import { fromStored, mapPaths, toStored } from "../stored-path.ts";

export interface OutboxOptions {
  state: StateDatabase;
  clock: Clock;
}

export type OutboxState = "waiting" | "sending" | "sent" | "dead";

/** Of a part that is not sent. */
export interface OutboxRow {
  part: OutboundPart;
  state: Exclude<OutboxState, "sent">;
  attempts: number;
  nextAt: number;
  reason?: Phrase;
}

interface StoredRow {
  seq: number;
  id: string;
  part: string;
  state: OutboxState;
  attempts: number;
  next_at: number;
  reason: string | null;
}

const firstOfEachChat = `
  SELECT * FROM outbox AS own WHERE channel = ? AND state IN ('waiting', 'sending') AND NOT EXISTS (
    SELECT 1 FROM outbox AS earlier WHERE earlier.channel = own.channel AND earlier.chat_id = own.chat_id
      AND earlier.seq < own.seq AND earlier.state IN ('waiting', 'sending'))
  ORDER BY seq`;

/** No part waits longer to be sent again, whatever a platform says and however a clock is set meanwhile. */
const longestPauseMs = 15 * 60_000;
/** Without anything that waits. */
const idleMs = 3_600_000;

export class Outbox {
  readonly #options: OutboxOptions;
  /** Handed out in this process and not yet answered for. */
  readonly #taken = new Set<string>();
  /** Handed out and counted, but not committed yet: handing them out again counts no second attempt. */
  readonly #counted = new Set<string>();
  /** When parts that wait are due, in the time that only ever grows. */
  readonly #due = new Map<string, number>();
  #woken = Promise.withResolvers<void>();

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Inside of a `write`; a part of that id is stored once. */
  insert(parts: readonly OutboundPart[]): void {
    const { state, clock } = this.#options;
    for (const part of parts) {
      const media = mapPaths(part.media, (path) => toStored(state.home, path));
      state.run(
        "INSERT OR IGNORE INTO outbox (id, channel, chat_id, part, created_at) VALUES (?, ?, ?, ?, ?)",
        part.id,
        part.channel,
        part.chatId,
        JSON.stringify({ ...part, media }),
        clock.now(),
      );
    }
  }

  /** After a write that may have made something ready. */
  wake(): void {
    this.#woken.resolve();
    this.#woken = Promise.withResolvers<void>();
  }

  async take(channel: string, signal: AbortSignal): Promise<OutboundPart> {
    const { state } = this.#options;
    for (;;) {
      signal.throwIfAborted();
      const rows = state.all<StoredRow>(firstOfEachChat, channel).filter(({ id }) => !this.#taken.has(id));
      const [next] = rows
        .map((row) => ({ row, wait: this.#waitOf(row) }))
        .sort((one, other) => one.wait - other.wait || one.row.seq - other.row.seq);
      if (next !== undefined && next.wait === 0) return this.#handOut(next.row);
      await this.#sleep(next?.wait ?? idleMs, signal);
    }
  }

  async #handOut({ id, part, attempts }: StoredRow): Promise<OutboundPart> {
    const { state } = this.#options;
    const sql = "UPDATE outbox SET state = 'sending', attempts = attempts + 1 WHERE id = ?";
    const content = readPart(part, state.home);
    const isCounted = this.#counted.has(id);
    this.#taken.add(id);
    try {
      if (!isCounted) await state.write(() => state.run(sql, id), { isDurable: false });
      this.#counted.add(id);
      await state.commit().catch((error: unknown) => {
        if (!mayPrecedeCommit(content) || !canWait(error)) throw error;
      });
    } catch (error) {
      this.#taken.delete(id);
      throw error;
    }
    this.#counted.delete(id);
    return { ...content, attempts: isCounted ? attempts - 1 : attempts };
  }

  /** A stored time that we would not have chosen means nothing: the clock was set since, and the part is due. */
  #waitOf({ id, next_at: nextAt }: StoredRow): number {
    const { clock } = this.#options;
    if (nextAt === 0) return 0;
    const wait = nextAt - clock.now();
    const due = this.#due.get(id) ?? clock.elapsed() + (wait > longestPauseMs ? 0 : wait);
    this.#due.set(id, due);
    return Math.max(0, due - clock.elapsed());
  }

  async markSent(id: string, { platformId }: Sent): Promise<void> {
    const { state, clock } = this.#options;
    const sql = "UPDATE outbox SET state = 'sent', platform_id = ?, finished_at = ? WHERE id = ?";
    await state.write(
      () => {
        state.run(sql, platformId ?? null, clock.now(), id);
        // A draft becomes one part; the others of its turn are separate messages. Platforms count by chat: the same id
        // may be that of another turn's draft in another chat.
        const settled =
          "DELETE FROM draft WHERE platform_id = ? AND turn_id = (SELECT part ->> '$.turnId' FROM outbox WHERE id = ?)";
        state.run(settled, platformId ?? null, id);
      },
      { isDurable: false },
    );
    this.#release(id);
  }

  async markUnsent(id: string, { reason, retryInMs }: SendFailure): Promise<void> {
    const { state, clock } = this.#options;
    const sql = "UPDATE outbox SET state = ?, next_at = ?, reason = ?, finished_at = ? WHERE id = ?";
    const isOver = retryInMs === undefined;
    const wait = Math.min(longestPauseMs, Math.max(0, retryInMs ?? 0));
    const [to, nextAt] = isOver ? ["dead", 0] : ["waiting", clock.now() + wait];
    const finishedAt = isOver ? clock.now() : null;
    await state.write(() => state.run(sql, to, nextAt, JSON.stringify(reason), finishedAt, id), {
      isDurable: false,
    });
    this.#release(id);
    if (!isOver) this.#due.set(id, clock.elapsed() + wait);
  }

  /** What was not sent yet, and what was given up; oldest first. */
  list(): OutboxRow[] {
    const { state, clock } = this.#options;
    const rows = state.all<StoredRow & Pick<OutboxRow, "state">>(
      "SELECT * FROM outbox WHERE state NOT IN ('sent', 'unreadable') ORDER BY seq LIMIT 1000",
    );
    return rows.map((row) => ({
      part: readPart(row.part, state.home),
      state: row.state,
      attempts: row.attempts,
      nextAt: row.next_at === 0 ? 0 : clock.now() + this.#waitOf(row),
      ...(row.reason !== null && { reason: readReason(row.reason) }),
    }));
  }

  /** False when there is no part of that id that could be sent again. */
  async retry(id: string): Promise<boolean> {
    const { state } = this.#options;
    const sql =
      "UPDATE outbox SET state = 'waiting', next_at = 0 WHERE id = ? AND state IN ('dead', 'waiting')";
    const changed = await state.write(() => state.run(sql, id));
    this.#due.delete(id);
    this.wake();
    return changed > 0;
  }

  /** False when there is no part of that id that waits or was given up. */
  async drop(id: string): Promise<boolean> {
    const { state } = this.#options;
    if (this.#taken.has(id)) return false;
    const changed = await state.write(() =>
      state.run("DELETE FROM outbox WHERE id = ? AND state <> 'sent'", id),
    );
    this.wake();
    return changed > 0;
  }

  #release(id: string): void {
    this.#taken.delete(id);
    this.#due.delete(id);
    this.wake();
  }

  async #sleep(ms: number, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    const over = new AbortController();
    const both = AbortSignal.any([signal, over.signal]);
    try {
      await Promise.race([this.#woken.promise, clock.sleep(ms, both)]);
    } finally {
      over.abort();
    }
  }
}

/** That something has to wait is said at once: such a notice does no harm when it is sent twice. The end of a turn would. */
function mayPrecedeCommit({ kind, id }: OutboundPart): boolean {
  return kind === "notice" && !id.includes(":final#");
}

/** Not stored for now, but this process may still act for the home. */
function canWait(error: unknown): boolean {
  return error instanceof DurabilityError && error.fault !== "lost";
}

/** 0.1.0 stored a sentence. */
function readReason(text: string): Phrase {
  const stored = parseJson(text);
  return isPhrase(stored, englishPhrases) ? stored : phrase("channels.quoted", { quote: text });
}

function readPart(text: string, home: string): OutboundPart {
  const part = JSON.parse(text) as OutboundPart;
  const media = mapPaths(part.media, (path) => fromStored(home, path));
  return withThread({ ...part, media }, part.sessionKey);
}
