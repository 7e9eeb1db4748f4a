// What a turn took: tokens, share of them from the cache, money, time.
import type { TurnCost } from "../../../../src/api/chat/wire.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { formatMoney, formatShort } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { useChat } from "./chat-context.ts";

export function TurnCostLine({ cost }: { cost: TurnCost }) {
  const words = useWords().chat.cost;
  const { language } = usePreferences();
  const { usage, ms, money } = cost;
  const { currency } = useChat();
  const cached = usage.input > 0 ? Math.round((100 * usage.cached) / usage.input) : 0;
  const parts = [
    words.input(formatShort(usage.input, language)),
    ...(cached > 0 ? [words.cached(cached)] : []),
    words.output(formatShort(usage.output, language)),
    ...(money === undefined ? [] : [formatMoney(money, currency, language)]),
    formatDuration(ms),
  ];
  return (
    <span title={words.title} className="tabular-nums">
      {parts.join(" · ")}
    </span>
  );
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
