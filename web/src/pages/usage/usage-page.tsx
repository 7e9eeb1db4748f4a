// Usage: what the models have taken in a time, by day and by what it went to, and the limits.
import { ChartNoAxesColumn, Download } from "lucide-react";
import { useMemo, useState } from "react";
import type { UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { formatCount, formatMoney, formatShare, formatShort } from "../../components/number.ts";
import { saveFile } from "../../components/save-file.ts";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { Breakdown } from "./breakdown.tsx";
import { Budgets } from "./budgets.tsx";
import { DayChart } from "./day-chart.tsx";
import { DayTable } from "./day-table.tsx";
import {
  fillDays,
  type RangeName,
  startOfRange,
  sumFigures,
  toCacheShare,
  toTokens,
  type Unit,
} from "./figures.ts";

const ranges: RangeName[] = ["week", "month", "quarter", "year"];
const units: Unit[] = ["tokens", "cost"];

export function UsagePage() {
  const words = useWords().usage;
  const pages = useWords().shell.pages;
  const [range, setRange] = useState<RangeName>("month");
  const [unit, setUnit] = useState<Unit>("tokens");
  const from = useMemo(() => startOfRange(range, Date.now()), [range]);
  const { data, problem, refetch } = useQuery("usage.report", { by: "day", from }, { topic: "usage" });
  const csv = useMutation("usage.csv");
  const download = async () => {
    const outcome = await csv.run({ by: "day", from });
    if (outcome.ok) saveFile(outcome.result.name, outcome.result.text, "text/csv");
  };
  const actions = (
    <>
      <Tabs
        label={words.range}
        tabs={ranges.map((value) => ({ value, label: words.ranges[value] }))}
        value={range}
        onChange={(next) => setRange(next)}
      />
      <Button icon={Download} isBusy={csv.isRunning} onClick={download}>
        {words.download}
      </Button>
    </>
  );
  return (
    <Page title={pages.usage} about={words.about} actions={actions}>
      {problem && <ErrorState message={problem.message} onRetry={refetch} />}
      {!data && !problem && <SkeletonLines count={8} />}
      {data?.rows.length === 0 && (
        <EmptyState icon={ChartNoAxesColumn} title={words.empty}>
          {words.emptyHint}
        </EmptyState>
      )}
      {data && data.rows.length > 0 && (
        <>
          <Totals sum={sumFigures(data.rows)} currency={data.currency} />
          <Days
            days={fillDays(data.rows, from, Date.now())}
            currency={data.currency}
            unit={unit}
            onUnit={setUnit}
          />
          <Breakdown from={from} unit={unit} />
        </>
      )}
      <Budgets />
    </Page>
  );
}

function Totals({ sum, currency }: { sum: UsageFigures; currency: string }) {
  const words = useWords().usage;
  const { language } = usePreferences();
  const figures = [
    { name: words.totals.tokens, value: formatShort(toTokens(sum), language), hint: "" },
    {
      name: words.totals.cost,
      value: sum.cost === undefined ? "–" : formatMoney(sum.cost, currency, language),
      hint: sum.cost === undefined ? words.unknownCost : "",
    },
    { name: words.totals.calls, value: formatCount(sum.calls, language), hint: "" },
    { name: words.totals.cache, value: formatShare(toCacheShare(sum), language), hint: words.cacheHint },
  ];
  return (
    <div>
      <dl className="grid grid-cols-2 gap-3 md:grid-cols-4">
        {figures.map(({ name, value, hint }) => (
          <Card key={name} className="px-5 py-4">
            <dt className="text-small text-muted">{name}</dt>
            <dd className="mt-1 text-title font-semibold tracking-tight tabular-nums">
              {value}
              {hint && <span className="ml-2 text-tiny font-normal text-muted">{hint}</span>}
            </dd>
          </Card>
        ))}
      </dl>
      {sum.unpriced > 0 && (
        <p className="mt-2 text-small text-muted">{words.unpriced(formatCount(sum.unpriced, language))}</p>
      )}
    </div>
  );
}

interface DaysProps {
  days: UsageFigures[];
  currency: string;
  unit: Unit;
  onUnit(unit: Unit): void;
}

function Days({ days, currency, unit, onUnit }: DaysProps) {
  const words = useWords().usage;
  const [view, setView] = useState<"chart" | "table">("chart");
  return (
    <Card className="p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.perDay}</h2>
        <div className="flex flex-wrap gap-2">
          <Tabs
            label={words.unit}
            tabs={units.map((value) => ({ value, label: words.units[value] }))}
            value={unit}
            onChange={onUnit}
          />
          <Tabs
            label={words.view}
            tabs={[
              { value: "chart", label: words.asChart },
              { value: "table", label: words.asTable },
            ]}
            value={view}
            onChange={(next) => setView(next)}
          />
        </div>
      </div>
      {view === "chart" ? (
        <DayChart days={days} unit={unit} currency={currency} />
      ) : (
        <DayTable days={days} currency={currency} />
      )}
    </Card>
  );
}
