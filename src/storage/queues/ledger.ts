// The ledger: every model call with its cause, its tokens and what it cost. Totals of the running day and month are
// kept in memory, so that a budget is checked without asking the database.
import * as z from "zod";
import { type Clock, toLocalIso } from "../../lib/clock.ts";
import type { Usage } from "../../lib/usage.ts";
import { findKnownPrice } from "../../llm/hosts/known-models.ts";
import type { CallEnd, CallLedger, LedgerEntry, Total } from "../../llm/wrappers/with-ledger.ts";
import type { StateDatabase } from "../database/state-database.ts";
import { readJsonFile } from "../files/json-file.ts";
import type { HomePaths } from "../home.ts";

export interface UsageRow {
  /** A day, cause, model or person. */
  group: string;
  calls: number;
  /** New input, read from the cache, written. */
  fresh: number;
  cached: number;
  output: number;
  /** Undefined where no price is known for any of the calls. */
  cost?: number;
  /** Calls whose price is not known. */
  unpriced: number;
  ms: number;
}

export type UsageGroup = "day" | "cause" | "model" | "person" | "session";

const columns: Record<UsageGroup, string> = {
  day: "strftime('%Y-%m-%d', at / 1000, 'unixepoch', 'localtime')",
  cause: "cause",
  model: "model",
  person: "person",
  session: "session_key",
};

type TotalRow = Total & { at: number; cause: string; person: string };

const mostTurns = 1_000;

export class Ledger implements CallLedger {
  readonly #state: StateDatabase;
  readonly #clock: Clock;
  readonly #prices: () => Prices;
  #totals = new Map<string, Total>();
  #turns = new Map<string, Total>();
  #loaded = "";

  constructor({ state, clock, prices }: { state: StateDatabase; clock: Clock; prices: () => Prices }) {
    this.#state = state;
    this.#clock = clock;
    this.#prices = prices;
  }

  async open(entry: LedgerEntry, estimate: number): Promise<number | undefined> {
    const { sessionKey, turnId, cause, person, model } = entry;
    const sql = `INSERT INTO ledger (at, session_key, turn_id, cause, person, model, fresh)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`;
    const values = [this.#clock.now(), sessionKey, turnId, cause, person, model, estimate] as const;
    const rows = await this.#state.write(() => this.#state.all<{ seq: number }>(sql, ...values), {
      isDurable: false,
    });
    return rows[0]?.seq;
  }

  async settle(seq: number | undefined, entry: LedgerEntry, end: CallEnd): Promise<void> {
    const { usage, ms, stop } = end;
    const price = findPrice(this.#prices(), entry.model);
    const cost = price === undefined ? null : toCost(price, usage);
    this.#add(entry, { tokens: usage.input + usage.output, money: cost ?? 0 });
    if (seq === undefined) return;
    const sql = `UPDATE ledger SET state = 'settled', fresh = ?, cached = ?, output = ?, cost = ?, ms = ?, stop = ?
      WHERE seq = ?`;
    const { input, cached, output } = usage;
    const settle = () =>
      this.#state.run(sql, input - cached, cached, output, cost, Math.round(ms), stop, seq);
    await this.#state.write(settle, { isDurable: false });
  }

  total(period: "day" | "month", of: { cause?: string; person?: string } = {}): Total {
    this.#load();
    const time = toLocalIso(this.#clock.now()).slice(0, period === "day" ? 10 : 7);
    return this.#totals.get(keyOf(time, of)) ?? { tokens: 0, money: 0 };
  }

  turnTotal(turnId: string): Total {
    return this.#turns.get(turnId) ?? { tokens: 0, money: 0 };
  }

  report(group: UsageGroup, { from = 0, to = Number.MAX_SAFE_INTEGER } = {}): UsageRow[] {
    const rows = this.#state.all<Omit<UsageRow, "cost"> & { cost: number | null }>(
      `SELECT ${columns[group]} AS "group", count(*) AS calls, sum(fresh) AS fresh, sum(cached) AS cached,
         sum(output) AS output, sum(cost) AS cost, sum(cost IS NULL) AS unpriced, coalesce(sum(ms), 0) AS ms
       FROM ledger WHERE at >= ? AND at < ? GROUP BY 1 ORDER BY 1`,
      from,
      to,
    );
    return rows.map(({ cost, ...row }) => ({ ...row, ...(cost !== null && { cost }) }));
  }

  /** From the rows, when the program or a month begins, and when another process has spent. Who died counts by the estimate. */
  #load(): void {
    const now = this.#clock.now();
    const [row] = this.#state.all<{ data_version: number }>("PRAGMA data_version");
    const loaded = `${toLocalIso(now).slice(0, 7)} ${row?.data_version}`;
    if (this.#loaded === loaded) return;
    this.#loaded = loaded;
    this.#totals = new Map();
    const start = new Date(now);
    start.setDate(1);
    start.setHours(0, 0, 0, 0);
    const rows = this.#state.all<TotalRow>(
      `SELECT at, cause, person, fresh + cached + output AS tokens, coalesce(cost, 0) AS money FROM ledger WHERE at >= ?`,
      start.getTime(),
    );
    for (const row of rows) this.#count(row.at, row, row);
  }

  #add({ cause, person, turnId }: LedgerEntry, added: Total): void {
    this.#load();
    this.#count(this.#clock.now(), { cause, person }, added);
    increase(this.#turns, turnId, added);
    const [oldest] = this.#turns.keys();
    if (this.#turns.size > mostTurns && oldest !== undefined) this.#turns.delete(oldest);
  }

  #count(at: number, { cause, person }: { cause: string; person: string }, added: Total): void {
    const day = toLocalIso(at).slice(0, 10);
    for (const time of [day, day.slice(0, 7)]) {
      for (const whose of [{}, { cause }, { person }]) increase(this.#totals, keyOf(time, whose), added);
    }
  }
}

function increase(totals: Map<string, Total>, key: string, { tokens, money }: Total): void {
  const total = totals.get(key) ?? { tokens: 0, money: 0 };
  totals.set(key, { tokens: total.tokens + tokens, money: total.money + money });
}

function keyOf(time: string, of: { cause?: string; person?: string }): string {
  return [time, of.cause ?? "", of.person ?? ""].join("|");
}

const amount = z.number().min(0);

/** For a million tokens each; `cached` is what a token from the host's cache costs. */
const priceSchema = z.object({ input: amount, output: amount, cached: amount.optional() });

export const pricesSchema = z.object({
  currency: z.string().min(1).max(8).default("USD"),
  models: z.record(z.string(), priceSchema).default({}),
});

export type Price = z.infer<typeof priceSchema>;
export type Prices = z.infer<typeof pricesSchema>;

/** By the whole name, by the name without its host, by the longest name that it begins with; else as it was shipped. */
export function findPrice({ models, currency }: Prices, model: string): Price | undefined {
  const bare = model.slice(model.lastIndexOf("/") + 1);
  // Those that came with the program are in USD.
  const shipped = () => (currency === "USD" ? findKnownPrice(model) : undefined);
  const exact = models[model] ?? models[bare];
  if (exact !== undefined) return exact;
  const names = Object.keys(models).filter((name) => model.startsWith(name) || bare.startsWith(name));
  const longest = names.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? shipped() : models[longest];
}

function toCost({ input, output, cached = input }: Price, usage: Usage): number {
  const fresh = usage.input - usage.cached;
  return (fresh * input + usage.cached * cached + usage.output * output) / 1_000_000;
}

const free = { input: 0, output: 0 };
/** Models that run in this program. */
const builtIn: Prices = { currency: "USD", models: { "offline/": free, "scripted/": free } };

/** prices.json: what models cost, as a person wrote it. With a file that cannot be used nothing has a price. */
export async function readPrices(
  { prices }: HomePaths,
  onProblem: (problem: unknown) => void,
): Promise<Prices> {
  const file = await readJsonFile(prices);
  if (file.state === "absent") return builtIn;
  const parsed = file.state === "read" ? pricesSchema.safeParse(file.value) : file;
  if ("data" in parsed && parsed.data !== undefined)
    return { currency: parsed.data.currency, models: { ...builtIn.models, ...parsed.data.models } };
  onProblem("fault" in parsed ? parsed.fault : parsed.error);
  return builtIn;
}
