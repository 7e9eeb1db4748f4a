// What a turn took: tokens, share of them from the cache, money, time.
import type { TurnCost } from "../../../../src/server/protocol/chat.ts";
import { usePreferences } from "../../app/preferences.tsx";
import type { Language } from "../../words/index.ts";
import { useWords } from "../../words/use-words.ts";

export function TurnCostLine({ cost }: { cost: TurnCost }) {
  const words = useWords().chat.cost;
  const { language } = usePreferences();
  const { usage, ms, money } = cost;
  const count = (value: number) => formatCount(value, language);
  const cached = usage.input > 0 ? Math.round((100 * usage.cached) / usage.input) : 0;
  const parts = [
    words.input(count(usage.input)),
    ...(cached > 0 ? [words.cached(cached)] : []),
    words.output(count(usage.output)),
    ...(money === undefined ? [] : [formatMoney(money)]),
    formatDuration(ms),
  ];
  return (
    <span title={words.title} className="tabular-nums">
      {parts.join(" · ")}
    </span>
  );
}

function formatCount(value: number, language: Language): string {
  return new Intl.NumberFormat(language, { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

function formatMoney(money: number): string {
  if (money === 0) return "$0";
  return money < 0.01 ? `$${money.toPrecision(2)}` : `$${money.toFixed(2)}`;
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
