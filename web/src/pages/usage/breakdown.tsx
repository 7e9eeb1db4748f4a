// Where it went: by day, cause, model, conversation or person, as a table and as a file for spreadsheets.
import { Download } from "lucide-react";
import { useState } from "react";
import type { UsageGroup, UsageRow } from "../../../../src/api/usage/usage.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Section } from "../../components/card.tsx";
import { saveFile } from "../../components/export-text.ts";
import { Tabs } from "../../components/field.tsx";
import { useNumbers } from "../../components/format.tsx";
import { Loaded } from "../../components/states.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as usageTexts from "../../words/usage.ts";
import { useSessionNames } from "../chat/sessions/sessions.ts";
import { toAmount, toCacheShare, toTokens, type Unit } from "./figures.ts";

export function Breakdown({ from, unit }: { from: number; unit: Unit }) {
  const words = useTopic(usageTexts);
  const [by, setBy] = useState<UsageGroup>("cause");
  const query = useQuery("usage.report", { by, from }, { topic: "usage" });
  const csv = useMutation("usage.csv");
  const download = async () => {
    const outcome = await csv.run({ by, from });
    if (outcome.ok) saveFile(outcome.result.name, outcome.result.text, "text/csv");
  };
  const choice = (
    <div className="flex max-w-full flex-wrap gap-2">
      <Tabs label={words.breakdown} tabs={words.by} value={by} onChange={setBy} />
      <Button icon={Download} title={words.download} isBusy={csv.isRunning} onClick={download}>
        CSV
      </Button>
    </div>
  );
  return (
    <Section title={words.breakdown} aside={choice}>
      <Loaded query={query}>
        {({ rows, currency }) => {
          const sorted = rows.toSorted((a, b) => toAmount(b, unit) - toAmount(a, unit));
          const shown = by === "day" ? rows.toReversed() : sorted;
          return <FigureTable key={by} by={by} rows={shown} currency={currency} unit={unit} />;
        }}
      </Loaded>
    </Section>
  );
}

interface FigureTableProps {
  by: UsageGroup;
  rows: UsageRow[];
  currency: string;
  unit: Unit;
}

const mostShown = 10;
const [medium, wide] = ["hidden sm:table-cell", "hidden lg:table-cell"];

function FigureTable({ by, rows, currency, unit }: FigureTableProps) {
  const words = useTopic(usageTexts);
  const { shell } = useWords();
  const [isWhole, setWhole] = useState(false);
  const columns = useColumns(currency);
  const shown = isWhole ? rows : rows.slice(0, mostShown);
  const most = Math.max(...rows.map((row) => toAmount(row, unit))) || 1;
  return (
    <>
      <table className="w-full text-right text-small tabular-nums">
        <thead className="text-muted">
          <tr>
            <th scope="col" className="w-1/3 pb-1 text-left font-medium">
              {words.by[by]}
            </th>
            {columns.map(([name, room]) => (
              <th key={name} scope="col" className={`pb-1 pl-4 font-medium ${room}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.group} className="border-t border-line">
              <th scope="row" className="max-w-0 py-2 text-left font-normal" title={row.group}>
                <Name by={by} group={row.group} />
                <Share share={toAmount(row, unit) / most} />
              </th>
              {columns.map(([name, room, format]) => (
                <td key={name} className={`pl-4 whitespace-nowrap ${room}`}>
                  {format(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Button tone="quiet" size="small" className="mt-2" onClick={() => setWhole(true)}>
          {shell.showAll(rows.length)}
        </Button>
      )}
    </>
  );
}

/** Name, on which screens it is shown, and its text. */
function useColumns(currency: string): Array<[string, string, (row: UsageRow) => string]> {
  const { columns, series } = useTopic(usageTexts);
  const { count, short, share, money } = useNumbers();
  return [
    [columns.calls, medium, ({ calls }) => count(calls)],
    [series.fresh, wide, ({ fresh }) => short(fresh)],
    [series.cached, wide, ({ cached }) => short(cached)],
    [series.output, wide, ({ output }) => short(output)],
    [columns.tokens, "", (row) => short(toTokens(row))],
    [columns.cache, medium, (row) => share(toCacheShare(row))],
    [columns.cost, "", ({ cost }) => money(cost, currency)],
  ];
}

function Name({ by, group }: { by: UsageGroup; group: string }) {
  const { causes } = useTopic(usageTexts);
  const nameOf = useSessionNames();
  if (by !== "session")
    return <span className="block truncate">{by === "cause" ? (causes[group] ?? group) : group}</span>;
  return (
    <Link to={toPath("chat", group)} className="block truncate text-accent hover:underline">
      {nameOf(group)}
    </Link>
  );
}

function Share({ share }: { share: number }) {
  return (
    <div aria-hidden className="mt-1 h-1.5 rounded-full bg-raised">
      <div className="h-1.5 rounded-full bg-series-1" style={{ width: `${Math.max(1, share * 100)}%` }} />
    </div>
  );
}
