// Figures as a table, with a bar where one is asked for. On narrow screens only what matters most.
import { useState } from "react";
import type { UsageBy, UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Link, toPath } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { formatCount, formatMoney, formatShare, formatShort } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { toCacheShare, toTokens } from "./figures.ts";

export interface FigureTableProps {
  by: UsageBy;
  rows: UsageFigures[];
  currency: string;
  /** How long the bar of a row is, of 1; absent: no bars. */
  toShare?(row: UsageFigures): number;
}

const mostShown = 10;

export function FigureTable({ by, rows, currency, toShare }: FigureTableProps) {
  const words = useWords().usage;
  const { language } = usePreferences();
  const [isWhole, setWhole] = useState(false);
  const short = (count: number) => formatShort(count, language);
  const columns: Array<{ name: string; room: string; value(row: UsageFigures): string }> = [
    {
      name: words.columns.calls,
      room: "hidden sm:table-cell",
      value: ({ calls }) => formatCount(calls, language),
    },
    { name: words.series.fresh, room: "hidden lg:table-cell", value: ({ fresh }) => short(fresh) },
    { name: words.series.cached, room: "hidden lg:table-cell", value: ({ cached }) => short(cached) },
    { name: words.series.output, room: "hidden lg:table-cell", value: ({ output }) => short(output) },
    { name: words.columns.tokens, room: "", value: (row) => short(toTokens(row)) },
    {
      name: words.columns.cache,
      room: "hidden sm:table-cell",
      value: (row) => formatShare(toCacheShare(row), language),
    },
    {
      name: words.columns.cost,
      room: "whitespace-nowrap",
      value: ({ cost }) => (cost === undefined ? "–" : formatMoney(cost, currency, language)),
    },
  ];
  const shown = isWhole ? rows : rows.slice(0, mostShown);
  return (
    <>
      <table className="w-full text-right text-small tabular-nums">
        <thead className="text-muted">
          <tr>
            <th scope="col" className="w-1/3 pb-1 text-left font-medium">
              {words.by[by]}
            </th>
            {columns.map(({ name, room }) => (
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
                {toShare && <Share share={toShare(row)} />}
              </th>
              {columns.map(({ name, room, value }) => (
                <td key={name} className={`pl-4 ${room}`}>
                  {value(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > shown.length && (
        <Button tone="quiet" size="small" className="mt-2" onClick={() => setWhole(true)}>
          {words.showAll(rows.length)}
        </Button>
      )}
    </>
  );
}

function Name({ by, group }: { by: UsageBy; group: string }) {
  const words = useWords().usage;
  const name = by === "cause" ? (words.causes[group] ?? group) : group;
  if (by !== "session") return <span className="block truncate">{name}</span>;
  return (
    <Link to={toPath("chat", group)} className="block truncate text-accent hover:underline">
      {name}
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
