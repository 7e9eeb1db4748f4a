// Usage: what the models have taken in a time, by day and by what it went to, and the limits.
import { ChartNoAxesColumn } from "lucide-react";
import { useMemo, useState } from "react";
import type { BudgetState, UsageRow } from "../../../../src/api/usage/usage.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Badge, Card, Page, Section } from "../../components/card.tsx";
import { Tabs } from "../../components/field.tsx";
import { useNumbers } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as usageTexts from "../../words/usage.ts";
import { Breakdown } from "./breakdown.tsx";
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
  const words = useTopic(usageTexts);
  const [range, setRange] = useState<RangeName>("month");
  const [unit, setUnit] = useState<Unit>("tokens");
  const from = useMemo(() => startOfRange(range, Date.now()), [range]);
  const query = useQuery("usage.report", { by: "day", from }, { topic: "usage" });
  const rangeChoice = <Tabs label={words.range} tabs={words.ranges} value={range} onChange={setRange} />;
  const unitChoice = <Tabs label={words.unit} tabs={words.units} value={unit} onChange={setUnit} />;
  return (
    <Page name="usage" about={words.about} actions={rangeChoice}>
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
  const words = useTopic(usageTexts);
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

const fills = { free: "bg-series-1", near: "bg-warn", over: "bg-bad" };
const tones = { free: "plain", near: "warn", over: "bad" } as const;

function Budgets() {
  const words = useTopic(usageTexts);
  const { short, share } = useNumbers();
  const query = useQuery("usage.budgets", {}, { topic: "usage" });
  const change = (
    <Link to={toPath("settings", "budget")} className="text-small text-accent hover:underline">
      {words.changeLimits}
    </Link>
  );
  return (
    <Section title={words.budgets} aside={change}>
      <Loaded query={query}>
        {({ turn, warnAt, budgets, currency }) => {
          const most = turn.tokens ? words.tokens(short(Math.max(0, turn.tokens))) : words.noLimit;
          return (
            <>
              <p className="mb-4 text-small text-muted">{words.budgetsAbout(most, share(warnAt))}</p>
              <ul className="grid gap-x-8 gap-y-4 md:grid-cols-2">
                {budgets.map((budget) => (
                  <Limit key={toKey(budget)} budget={budget} currency={currency} />
                ))}
              </ul>
            </>
          );
        }}
      </Loaded>
    </Section>
  );
}

function toKey({ period, cause, person, unit }: BudgetState): string {
  return [period, cause, person, unit].join("|");
}

function Limit({ budget, currency }: { budget: BudgetState; currency: string }) {
  const words = useTopic(usageTexts);
  const numbers = useNumbers();
  const { period, cause, person, unit, used, most, state } = budget;
  const name = cause === undefined ? (person ?? words.everything) : (words.causes[cause] ?? cause);
  const format = (amount: number) =>
    unit === "money" ? numbers.money(amount, currency) : words.tokens(numbers.short(amount));
  const label = `${name} · ${words.periods[period]}`;
  const share = most === 0 ? 1 : used / most;
  return (
    <li>
      <div className="mb-1 flex items-baseline justify-between gap-2 text-small">
        <span className="truncate font-medium">{label}</span>
        <span className="flex items-center gap-2 text-muted tabular-nums">
          {state !== "free" && <Badge tone={tones[state]}>{words.states[state]}</Badge>}
          {numbers.share(share)}
        </span>
      </div>
      <div aria-hidden className="h-2 overflow-hidden rounded-full bg-raised">
        <div
          className={`h-2 rounded-full ${fills[state]}`}
          style={{ width: `${Math.min(1, share) * 100}%` }}
        />
      </div>
      <p className="mt-1 text-tiny text-muted tabular-nums">{words.used(format(used), format(most))}</p>
    </li>
  );
}
