// The durability of a home that a cluster keeps: what was announced is captured in one synchronous step, sealed, and stored by
// one fenced call. What was captured and not yet stored is sent again, unchanged, before anything newer.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "../../lib/clock.ts";
import { loadSqlite } from "../database/sqlite.ts";
import { DurabilityError, type HomeDurability } from "../durability.ts";
import type { Held, Shipment, Verdict } from "./cluster-rows.ts";
import { type ClusterStore, newShipmentId } from "./cluster-store.ts";
import { database, type HomeTree, joinChanges, type TreeChange } from "./home-tree.ts";
import { places, type Seal } from "./seal.ts";

export interface PostgresDurabilityOptions {
  /** The folder on this machine. */
  home: string;
  held: Held;
  store: ClusterStore;
  seal: Seal;
  tree: HomeTree;
  clock: Clock;
  leaseMs: number;
  /** When the call was sent that gave the lease. */
  takenAt: Lease;
  /** Of the changes that are stored already. */
  lastChange: number;
}

/** A moment by both clocks: a machine that slept has lost its lease, however little its own clock moved. */
export interface Lease {
  elapsed: number;
  now: number;
}

interface Captured {
  change: TreeChange;
  /** Of state.db. */
  changes: Uint8Array[];
  /** They replace those before. */
  forgetsChanges: boolean;
}

/** Of the lease that a holder trusts: the rest is for clocks that run differently. */
const trusted = 0.8;
/** Changes that are replayed by a restore, before the database is stored again. */
const mostChangeBytes = 4 * 1024 * 1024;

export class PostgresDurability implements HomeDurability {
  readonly recordsChanges = true;
  readonly #options: PostgresDurabilityOptions;
  readonly #dirty = new Set<string>();
  readonly #Database: Awaited<ReturnType<typeof loadSqlite>>["DatabaseSync"];
  #changes: Uint8Array[] = [];
  #isSnapshotDue: boolean;
  #held: Held;
  #renewedAt: Lease;
  #lastChange: number;
  #changeBytes = 0;
  /** Captured, and sent again as it is: whether it was stored is not known. */
  #unsent: { shipment: Shipment; captured: Captured } | undefined;
  /** Captured, and not stored: joined by what comes, which may make room. */
  #refused: Captured | undefined;
  /** Of large files. */
  #pieces: TreeChange[] = [];
  #shippingLarge: Promise<void> | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #isLost = false;

  private constructor(
    options: PostgresDurabilityOptions,
    Database: Awaited<ReturnType<typeof loadSqlite>>["DatabaseSync"],
  ) {
    this.#options = options;
    this.#Database = Database;
    this.#held = options.held;
    this.#renewedAt = options.takenAt;
    this.#lastChange = options.lastChange;
    this.#isSnapshotDue = !options.tree.has(database);
  }

  static async open(options: PostgresDurabilityOptions): Promise<PostgresDurability> {
    const { DatabaseSync } = await loadSqlite();
    return new PostgresDurability(options, DatabaseSync);
  }

  get held(): Held {
    return this.#held;
  }

  changed(path: string): void {
    this.#dirty.add(path);
  }

  mayHaveChanged(): void {
    this.#dirty.add("workspace");
  }

  recordChanges(changeset: Uint8Array): void {
    this.#changes.push(changeset);
  }

  snapshot(path: string): void {
    if (path === database) this.#isSnapshotDue = true;
  }

  assertHeld(): void {
    const { clock, leaseMs } = this.#options;
    const isOver =
      clock.elapsed() - this.#renewedAt.elapsed > trusted * leaseMs ||
      clock.now() - this.#renewedAt.now > trusted * leaseMs;
    // For good: what was refused once is not stored a moment later, as if nothing had been.
    this.#isLost ||= isOver;
    if (this.#isLost) throw new DurabilityError("lost");
  }

  /** Of a call that renewed the lease: when it was sent. */
  renewed(sentAt: Lease): void {
    this.#renewedAt = sentAt;
  }

  commit(): Promise<void> {
    if (this.#isLost) return Promise.reject(new DurabilityError("lost"));
    if (this.#running === undefined) return this.#begin();
    this.#next ??= this.#running.then(
      () => this.#begin(),
      () => this.#begin(),
    );
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#next = undefined;
    const running = this.#ship().finally(() => {
      if (this.#running === running) this.#running = undefined;
    });
    this.#running = running;
    return running;
  }

  /** A commit, with all that was left for the background. */
  async settle(): Promise<void> {
    await this.commit();
    while (this.#shippingLarge !== undefined || this.#options.tree.large.size > 0) {
      this.#shippingLarge ??= this.#shipLarge();
      await this.#shippingLarge;
      await this.commit();
    }
  }

  async #ship(): Promise<void> {
    if (this.#unsent !== undefined) await this.#send(this.#unsent);
    const captured = this.#capture();
    const { change, changes } = captured;
    const isEmpty = [changes, change.files, change.removed, change.blocks, change.cuts].every(
      (some) => some.length === 0,
    );
    if (!isEmpty) {
      this.#unsent = { shipment: this.#pack(captured), captured };
      await this.#send(this.#unsent);
    }
    this.#shippingLarge ??= this.#options.tree.large.size === 0 ? undefined : this.#shipLarge();
  }

  /** In the background, one piece a commit. */
  #shipLarge(): Promise<void> {
    const { tree } = this.#options;
    const shipping = (async () => {
      for (const path of tree.large) {
        tree.large.delete(path);
        try {
          for await (const piece of tree.captureLarge(path)) {
            this.#pieces.push(piece);
            await this.commit();
          }
        } catch (error) {
          // One that there is no room for is tried again when it is looked at again, not with each commit.
          if (!(error instanceof DurabilityError) || error.fault !== "quota") tree.large.add(path);
          throw error;
        }
      }
    })().finally(() => {
      this.#shippingLarge = undefined;
    });
    shipping.catch(() => {});
    return shipping;
  }

  async #send({ shipment, captured }: { shipment: Shipment; captured: Captured }): Promise<void> {
    const { clock, leaseMs } = this.#options;
    const sentAt = { elapsed: clock.elapsed(), now: clock.now() };
    const verdict = await this.#storeOrTakeAgain(shipment, leaseMs).catch((error: unknown) => {
      throw new DurabilityError("unavailable", error);
    });
    if (verdict === "stored") {
      this.#held = { ...this.#held, version: shipment.expected + 1 };
      this.#unsent = undefined;
      this.#renewedAt = sentAt;
      return;
    }
    if (verdict === "quota") {
      this.#refused = captured;
      this.#unsent = undefined;
      throw new DurabilityError("quota");
    }
    this.#isLost = true;
    throw new DurabilityError("lost");
  }

  async #storeOrTakeAgain(shipment: Shipment, leaseMs: number): Promise<Verdict> {
    const { store } = this.#options;
    const verdict = await store.store(this.#held, shipment, leaseMs);
    if (verdict !== "over") return verdict;
    const again = await store.takeAgain(this.#held, leaseMs);
    if (again === undefined) return "lost";
    this.#held = again;
    return store.store(this.#held, shipment, leaseMs);
  }

  /** One synchronous step: changesets first, then bytes. What it takes is what a loss of power now would leave. */
  #capture(): Captured {
    const { tree } = this.#options;
    const changes = this.#changes.splice(0);
    const isDue = this.#isSnapshotDue || this.#changeBytes > mostChangeBytes;
    const snapshot = isDue ? this.#captureDatabase() : undefined;
    const kept = snapshot === undefined ? changes : [];
    const files = tree.capture(this.#dirty);
    this.#dirty.clear();
    const pieces = [...this.#pieces.splice(0), files, ...(snapshot ? [snapshot] : [])];
    const refused = this.#refused;
    this.#refused = undefined;
    const forgetsChanges = snapshot !== undefined;
    return {
      change: [...(refused ? [refused.change] : []), ...pieces].reduce(joinChanges),
      changes: [...((!forgetsChanges && refused?.changes) || []), ...kept],
      forgetsChanges: forgetsChanges || refused?.forgetsChanges === true,
    };
  }

  #captureDatabase(): TreeChange | undefined {
    const { home, tree } = this.#options;
    const [path, copy] = [join(home, database), join(home, "state-copy.tmp")];
    if (!existsSync(path)) return undefined;
    rmSync(copy, { force: true });
    // A second connection of SQLite's own: reading the file would end the locks of the first.
    const connection = new this.#Database(path);
    try {
      connection.prepare("VACUUM INTO ?").run(copy);
    } finally {
      connection.close();
    }
    this.#isSnapshotDue = false;
    this.#changeBytes = 0;
    try {
      return tree.captureBytes(database, readFileSync(copy));
    } finally {
      rmSync(copy, { force: true });
    }
  }

  #pack({ change, changes, forgetsChanges }: Captured): Shipment {
    const { seal } = this.#options;
    const expected = this.#held.version;
    const version = expected + 1;
    const files = change.files.map(({ path, ...row }) => ({
      ...row,
      name: seal.close(Buffer.from(path), places.name(row.file, version)),
    }));
    const blocks = change.blocks.map(({ file, no, bytes }) => ({
      file,
      no,
      bytes: seal.close(bytes, places.block(file, no, version)),
    }));
    const packed = changes.map((bytes) => {
      const seq = ++this.#lastChange;
      this.#changeBytes += bytes.length;
      return { seq, bytes: seal.close(bytes, places.change(seq, version)) };
    });
    const { removed, cuts } = change;
    return { id: newShipmentId(), expected, files, removed, cuts, blocks, changes: packed, forgetsChanges };
  }
}
