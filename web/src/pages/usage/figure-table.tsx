// Figures as a table with bars. On narrow screens only what matters most.
import { useState } from "react";
import type { UsageGroup, UsageRow } from "../../../../src/api/usage/usage.ts";
import { Link, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { useNumbers } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { useSessionNames } from "../chat/use-session-names.ts";
import { toAmount, toCacheShare, toTokens, type Unit } from "./figures.ts";

export interface FigureTableProps {
  by: UsageGroup;
  rows: UsageRow[];
  currency: string;
  unit: Unit;
}

const mostShown = 10;
const [medium, wide] = ["hidden sm:table-cell", "hidden lg:table-cell"];

export function FigureTable({ by, rows, currency, unit }: FigureTableProps) {
  const { usage: words, shell } = useWords();
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

/** Name, on which screens, and what stands in it. */
function useColumns(currency: string): Array<[string, string, (row: UsageRow) => string]> {
  const { columns, series } = useWords().usage;
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
  const { causes } = useWords().usage;
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
