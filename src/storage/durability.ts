// What makes the writes of a home durable, and says whether this process may still act for it. On the local disk both are
// given by the system; an engine that keeps homes elsewhere implements the same contract. Knows no file format.
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { PhrasedError } from "../i18n/user-error.ts";

/**
 * Paths are relative to the home. An engine captures in one synchronous step, changesets first, then the bytes of changed
 * files: what it takes is what a loss of power at that moment would leave. It must not wait between two reads.
 */
export interface HomeDurability {
  /** Whether it needs the changesets of state.db; they cost something. */
  readonly recordsChanges: boolean;
  /** A file was written, renamed or removed, or a folder with all that is in it; called in the step that made it visible. */
  changed(path: string): void;
  /** Something ran that may have changed any file of the workspace. */
  mayHaveChanged(): void;
  /** What a committed transaction of state.db changed. */
  recordChanges(changeset: Uint8Array): void;
  /** A database was made, migrated or replaced: changesets do not hold that. */
  snapshot(path: string): void;
  /** Resolves when everything so far survives; rejects with a DurabilityError. One at a time; others join the next one. */
  commit(): Promise<void>;
  /** Throws a DurabilityError when another process may act for the home. The second check before an effect. */
  assertHeld(): void;
}

/**
 * lost: another process may act for this home; its work ends here. unavailable: to be tried again. quota: as well, once
 * there is room.
 */
export type DurabilityFault = "lost" | "unavailable" | "quota";

export class DurabilityError extends PhrasedError {
  override readonly name = "DurabilityError";
  override readonly phrase: Phrase;
  readonly fault: DurabilityFault;

  constructor(fault: DurabilityFault, cause?: unknown) {
    super(`not committed: ${fault}`, { cause });
    this.fault = fault;
    this.phrase = phrase(`durability.${fault}`);
  }
}

const done = Promise.resolve();

/** The disk itself: what was synced is durable, and the home's lock keeps others out. */
export const localDurability: HomeDurability = {
  recordsChanges: false,
  changed() {},
  mayHaveChanged() {},
  recordChanges() {},
  snapshot() {},
  commit: () => done,
  assertHeld() {},
};
