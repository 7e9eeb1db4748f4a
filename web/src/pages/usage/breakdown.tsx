// Where it went: a bar for each cause, model, conversation or person, as a table.
import { useState } from "react";
import type { UsageBy, UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { formatCount, formatMoney, formatShare, formatShort } from "../../components/number.ts";
import { ErrorState, SkeletonLines } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { toAmount, toCacheShare, toTokens, type Unit } from "./figures.ts";

type By = Exclude<UsageBy, "day">;

const choices: By[] = ["cause", "model", "session", "person"];
const mostShown = 8;

export function Breakdown({ from, unit }: { from: number; unit: Unit }) {
  const words = useWords().usage;
  const [by, setBy] = useState<By>("cause");
  const { data, problem, refetch } = useQuery("usage.report", { by, from }, { topic: "usage" });
  const tabs = choices.map((value) => ({ value, label: words.by[value] }));
  return (
    <Card className="p-5">
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="font-semibold">{words.breakdown}</h2>
        <Tabs label={words.breakdown} tabs={tabs} value={by} onChange={(next) => setBy(next)} />
      </div>
      {problem && <ErrorState message={problem.message} onRetry={refetch} />}
      {!data && !problem && <SkeletonLines />}
      {data && <Rows key={by} by={by} rows={data.rows} currency={data.currency} unit={unit} />}
    </Card>
  );
}

interface RowsProps {
  by: By;
  rows: UsageFigures[];
  currency: string;
  unit: Unit;
}

function Rows({ by, rows, currency, unit }: RowsProps) {
  const words = useWords().usage;
  const [isWhole, setWhole] = useState(false);
  const sorted = rows.toSorted((a, b) => toAmount(b, unit) - toAmount(a, unit));
  const shown = isWhole ? sorted : sorted.slice(0, mostShown);
  const most = sorted[0] === undefined ? 1 : toAmount(sorted[0], unit) || 1;
  return (
    <>
      <table className="w-full text-small">
        <thead className="text-muted">
          <tr className="text-right">
            <th scope="col" className="w-1/2 pb-1 text-left font-medium md:w-1/4">
              {words.by[by]}
            </th>
            <th scope="col" className="hidden w-1/3 pb-1 md:table-cell">
              <span className="sr-only">{words.units[unit]}</span>
            </th>
            <th scope="col" className="hidden pb-1 pl-4 font-medium md:table-cell">
              {words.columns.calls}
            </th>
            <th scope="col" className="pb-1 pl-4 font-medium">
              {words.columns.tokens}
            </th>
            <th scope="col" className="hidden pb-1 pl-4 font-medium sm:table-cell">
              {words.columns.cache}
            </th>
            <th scope="col" className="pb-1 pl-4 font-medium">
              {words.columns.cost}
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <Row key={row.group} by={by} row={row} currency={currency} share={toAmount(row, unit) / most} />
          ))}
        </tbody>
      </table>
      {sorted.length > shown.length && (
        <Button tone="quiet" size="small" className="mt-2" onClick={() => setWhole(true)}>
          {words.showAll(sorted.length)}
        </Button>
      )}
    </>
  );
}

interface RowProps {
  by: By;
  row: UsageFigures;
  currency: string;
  /** Of the largest. */
  share: number;
}

function Row({ by, row, currency, share }: RowProps) {
  const words = useWords().usage;
  const { language } = usePreferences();
  const { group, calls, cost } = row;
  const name = by === "cause" ? (words.causes[group] ?? group) : group;
  return (
    <tr className="border-t border-line text-right tabular-nums">
      <th scope="row" className="max-w-0 truncate py-2 text-left font-normal" title={group}>
        {by === "session" ? (
          <Link to={toPath("chat", group)} className="text-accent hover:underline">
            {name}
          </Link>
        ) : (
          name
        )}
      </th>
      <td aria-hidden className="hidden pl-4 md:table-cell">
        <div className="h-2 rounded-full bg-raised">
          <div className="h-2 rounded-full bg-series-1" style={{ width: `${Math.max(1, share * 100)}%` }} />
        </div>
      </td>
      <td className="hidden pl-4 md:table-cell">{formatCount(calls, language)}</td>
      <td className="pl-4" title={formatCount(toTokens(row), language)}>
        {formatShort(toTokens(row), language)}
      </td>
      <td className="hidden pl-4 sm:table-cell">{formatShare(toCacheShare(row), language)}</td>
      <td className="pl-4 whitespace-nowrap">
        {cost === undefined ? "–" : formatMoney(cost, currency, language)}
      </td>
    </tr>
  );
}
