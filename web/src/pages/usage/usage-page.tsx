// Usage: what the models have taken in a time, by day and by what it went to, and the limits.
import { ChartNoAxesColumn } from "lucide-react";
import { useMemo, useState } from "react";
import type { UsageRow } from "../../../../src/api/usage/usage.ts";
import { Card, Page } from "../../components/card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useNumbers } from "../../components/number.ts";
import { Section } from "../../components/section.tsx";
import { EmptyState } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { Breakdown } from "./breakdown.tsx";
import { Budgets } from "./budgets.tsx";
import { DayChart } from "./day-chart.tsx";
import {
  fillDays,
  type RangeName,
  startOfRange,
  sumFigures,
  toCacheShare,
  toTokens,
  type Unit,
} from "./figures.ts";

export function UsagePage() {
  const words = useWords().usage;
  const { pages } = useWords().shell;
  const [range, setRange] = useState<RangeName>("month");
  const [unit, setUnit] = useState<Unit>("tokens");
  const from = useMemo(() => startOfRange(range, Date.now()), [range]);
  const query = useQuery("usage.report", { by: "day", from }, { topic: "usage" });
  const rangeChoice = <Tabs label={words.range} tabs={words.ranges} value={range} onChange={setRange} />;
  const unitChoice = <Tabs label={words.unit} tabs={words.units} value={unit} onChange={setUnit} />;
  return (
    <Page title={pages.usage} about={words.about} actions={rangeChoice}>
      <Loaded query={query} lines={8}>
        {({ rows, currency }) =>
          rows.length === 0 ? (
            <EmptyState icon={ChartNoAxesColumn} title={words.empty}>
              {words.emptyHint}
            </EmptyState>
          ) : (
            <>
              <Totals sum={sumFigures(rows)} currency={currency} />
              <Section title={words.perDay} aside={unitChoice}>
                <DayChart days={fillDays(rows, from, Date.now())} unit={unit} currency={currency} />
              </Section>
              <Breakdown from={from} unit={unit} />
            </>
          )
        }
      </Loaded>
      <Budgets />
    </Page>
  );
}

/** What the time has taken as a whole, in four figures. */
function Totals({ sum, currency }: { sum: UsageRow; currency: string }) {
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
