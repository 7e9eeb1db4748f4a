// Tokens and money as a person reads them.

import type { Words } from "../../i18n/words.ts";
import { type BudgetLimit, shareUsed } from "../../llm/config.ts";
import type { UsageRow } from "../../storage/queues/ledger.ts";
import type { UsageSummary } from "./usage.ts";

/** In a few lines, for a chat. */
export function describeUsage({ today, month, currency, budget }: UsageSummary, words: Words): string {
  const { money } = words;
  const [ofDay, ofMonth] = [sumUsage(today, money.today), sumUsage(month, money.month)];
  const byCause = month.length > 1 ? month.map((row) => `- ${describeRow(row, currency, words)}`) : [];
  const limits = [
    ...describeLimit(ofDay, budget?.day, currency, words),
    ...describeLimit(ofMonth, budget?.month, currency, words),
  ];
  return [
    describeRow(ofDay, currency, words),
    describeRow(ofMonth, currency, words),
    ...(byCause.length > 0 ? ["", money.byCause, ...byCause] : []),
    ...(limits.length > 0 ? ["", money.limits, ...limits] : []),
    ...(ofMonth.unpriced > 0 ? ["", money.unpriced(ofMonth.unpriced)] : []),
  ].join("\n");
}

function describeRow(row: UsageRow, currency: string, { money }: Words): string {
  const line = money.line(row.group, toCount(toTokens(row)), row.calls);
  return row.cost === undefined ? line : money.lineWithCost(line, toMoney(row.cost, currency));
}

function describeLimit(
  row: UsageRow,
  limit: BudgetLimit | undefined,
  currency: string,
  { money }: Words,
): string[] {
  const percent = (used: number, most: number) => Math.round(shareUsed(used, most) * 100);
  const atMost = (most: number) => Math.max(0, most);
  const { tokens, money: most } = limit ?? {};
  return [
    ...(tokens
      ? [`- ${money.limit(row.group, percent(toTokens(row), tokens), money.tokens(toCount(atMost(tokens))))}`]
      : []),
    ...(most
      ? [`- ${money.limit(row.group, percent(row.cost ?? 0, most), toMoney(atMost(most), currency))}`]
      : []),
  ];
}

function toTokens({ fresh, cached, output }: UsageRow): number {
  return fresh + cached + output;
}

export function sumUsage(rows: readonly UsageRow[], name: string): UsageRow {
  const add = (key: "calls" | "fresh" | "cached" | "output" | "unpriced" | "ms") =>
    rows.reduce((sum, row) => sum + row[key], 0);
  const priced = rows.flatMap(({ cost }) => cost ?? []);
  return {
    group: name,
    calls: add("calls"),
    fresh: add("fresh"),
    cached: add("cached"),
    output: add("output"),
    ...(priced.length > 0 && { cost: priced.reduce((sum, cost) => sum + cost, 0) }),
    unpriced: add("unpriced"),
    ms: add("ms"),
  };
}

export function toCount(count: number): string {
  return count.toLocaleString("en-US");
}

/** `0.12 USD`; nothing where no price is known. */
export function toMoney(cost: number | undefined, currency: string): string {
  if (cost === undefined) return "";
  return `${cost === 0 || cost >= 0.01 ? cost.toFixed(2) : cost.toPrecision(2)} ${currency}`;
}
