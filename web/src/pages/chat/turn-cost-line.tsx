// What a turn took: tokens, share of them from the cache, money, time.
import type { Entry, TurnCost } from "../../../../src/api/chat/wire.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { formatMoney, formatShort } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { useChat } from "./chat-context.ts";

type ReplyUsage = NonNullable<Entry["usage"]>;
type TurnUsage = TurnCost["usage"] & { cost: number | undefined };

/** `isOfMany`: the turn has more replies than the one that it stands at. */
export function TurnCostLine({ cost, isOfMany }: { cost: TurnCost; isOfMany: boolean }) {
  const words = useWords().chat.cost;
  const parts = useUsageParts({ ...cost.usage, cost: cost.money });
  return (
    <span title={words.title} className="tabular-nums">
      {isOfMany && `${words.turn} `}
      {[...parts, formatDuration(cost.ms)].join(" · ")}
    </span>
  );
}

/** What one reply took. */
export function UsageLine({ usage }: { usage: ReplyUsage }) {
  const words = useWords().chat.cost;
  const parts = useUsageParts(usage);
  return (
    <span title={words.messageTitle} className="tabular-nums">
      {parts.join(" · ")}
    </span>
  );
}

function useUsageParts({ input, cached, output, cost }: ReplyUsage | TurnUsage): string[] {
  const words = useWords().chat.cost;
  const { language } = usePreferences();
  const { currency } = useChat();
  const share = input > 0 ? Math.round((100 * cached) / input) : 0;
  return [
    words.input(formatShort(input, language)),
    ...(share > 0 ? [words.cached(share)] : []),
    words.output(formatShort(output, language)),
    ...(cost === undefined || cost === 0 ? [] : [formatMoney(cost, currency, language)]),
  ];
}

export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}
