// The queues and the ledger of a home, opened when first needed. All users in a process share one database: only the
// ledger for a chat in the terminal, all of it in a gateway.
import type { Config } from "../../config/schema.ts";
import { phrase } from "../../i18n/phrase.ts";
import { fail, type UserError } from "../../i18n/user-error.ts";
import type { Words } from "../../i18n/words.ts";
import type { Clock } from "../../lib/clock.ts";
import type { Ids } from "../../lib/ids.ts";
import type { Log } from "../../lib/log.ts";
import type { ProviderWrapper } from "../../llm/types.ts";
import { withLedger } from "../../llm/wrappers/with-ledger.ts";
import { StateDatabase } from "../../storage/database/state-database.ts";
import { NewerStateError } from "../../storage/database/state-schema.ts";
import type { HomePaths } from "../../storage/home.ts";
import { Ledger, readPrices } from "../../storage/queues/ledger.ts";
import type { OpenedState } from "./open-state.ts";

export interface HomeStateParts {
  paths: HomePaths;
  workspace: string;
  clock: Clock;
  ids: Ids;
  log: Log;
  words: Words;
  timeZone: string;
}

export interface OpenedLedger {
  database: StateDatabase;
  ledger: Ledger;
  /** Of prices and of what was spent. */
  currency: string;
}

export class HomeState {
  readonly #parts: HomeStateParts;
  #counting: Promise<OpenedLedger> | undefined;
  #opening: Promise<OpenedState> | undefined;
  #spare: Promise<OpenedLedger> | undefined;
  #ledger: Ledger | undefined;

  constructor(parts: HomeStateParts) {
    this.#parts = parts;
  }

  /**
   * An error says why there is none. On a disk that is full it is kept in memory until there is room:
   * budgets hold meanwhile.
   */
  async ledger(): Promise<Ledger | UserError> {
    const { log } = this.#parts;
    try {
      return (await this.#count()).ledger;
    } catch (error) {
      this.#counting = undefined;
      if (error instanceof NewerStateError) {
        const { path, version } = error;
        return fail("budget.not-counted", { reason: phrase("storage.newer", { path, version }) });
      }
      const { errcode, code } = error as { errcode?: number; code?: string };
      if (errcode === undefined && code === undefined) throw error;
      log.warn("ledger-not-opened", { error });
      this.#spare ??= openLedger(this.#parts, ":memory:");
      return (await this.#spare).ledger;
    }
  }

  /** What a turn cost, as far as it was counted here; undefined where no price is known. */
  moneyOf(turnId: string): number | undefined {
    return this.#ledger?.turnTotal(turnId).money || undefined;
  }

  open(): Promise<OpenedState> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Commits pending writes. */
  async close(): Promise<void> {
    // Opening finishes before closing begins.
    await this.#opening?.catch(() => {});
    const opened = [this.#counting, this.#spare];
    this.#counting = undefined;
    this.#opening = undefined;
    this.#spare = undefined;
    this.#ledger = undefined;
    for (const each of opened) (await each)?.database.close();
  }

  async #count(): Promise<OpenedLedger> {
    this.#counting ??= openLedger(this.#parts);
    const opened = await this.#counting;
    this.#ledger = opened.ledger;
    return opened;
  }

  async #open(): Promise<OpenedState> {
    const { openState } = await import("./open-state.ts");
    return openState(this.#parts, await this.#count());
  }
}

export interface CountingParts {
  state: HomeState;
  budget: Config["budget"];
  clock: Clock;
  log: Log;
}

/** Puts each call of a model into the ledger, and holds it to the budget. */
export function createCounting(parts: CountingParts): (name: string) => ProviderWrapper {
  const { state, budget, clock, log } = parts;
  return (name) =>
    withLedger({
      ledger: () => state.ledger(),
      budget,
      clock,
      name,
      onProblem: (error) => void log.warn("ledger-not-written", { error }),
    });
}

async function openLedger(
  { paths, clock, log }: HomeStateParts,
  path = paths.stateDatabase,
): Promise<OpenedLedger> {
  const database = await StateDatabase.open({
    path,
    onDamaged: ({ aside, carried }) => log.error("state-set-aside", { aside, ...carried }),
  });
  const prices = await readPrices(paths, (error) => log.warn("prices-not-read", { error }));
  const ledger = new Ledger({ state: database, clock, prices: () => prices });
  return { database, ledger, currency: prices.currency };
}
