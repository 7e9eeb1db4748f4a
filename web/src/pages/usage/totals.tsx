// What a time has taken as a whole, in four figures.
import type { UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { Card } from "../../components/card.tsx";
import { useNumbers } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { toCacheShare, toTokens } from "./figures.ts";

export function Totals({ sum, currency }: { sum: UsageFigures; currency: string }) {
  const words = useWords().usage;
  const { count, short, share, money } = useNumbers();
  const { totals } = words;
  const figures = [
    [totals.tokens, short(toTokens(sum))],
    [totals.cost, money(sum.cost, currency)],
    [totals.calls, count(sum.calls)],
    [totals.cache, share(toCacheShare(sum))],
  ];
  return (
    <div>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {figures.map(([name, value]) => (
          <Card key={name} className="px-5 py-4">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="mt-1 text-title font-semibold tracking-tight tabular-nums">{value}</dd>
          </Card>
        ))}
      </dl>
      {sum.unpriced > 0 && (
        <p className="mt-2 text-small text-muted">{words.unpriced(count(sum.unpriced))}</p>
      )}
    </div>
  );
}
