// The figures of the plot as a table, newest day first.
import type { UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { formatCount, formatMoney, formatShare } from "../../components/number.ts";
import { ScrollBox } from "../../components/scroll-box.tsx";
import { useWords } from "../../words/use-words.ts";
import { toCacheShare } from "./figures.ts";

export function DayTable({ days, currency }: { days: UsageFigures[]; currency: string }) {
  const { columns, series, perDay } = useWords().usage;
  const { language } = usePreferences();
  const count = (figure: number) => formatCount(figure, language);
  const head = [columns.calls, series.fresh, series.cached, series.output, columns.cache, columns.cost];
  return (
    <ScrollBox label={perDay} className="max-h-80">
      <table className="w-full text-right text-small tabular-nums">
        <thead className="sticky top-0 bg-surface text-muted">
          <tr>
            <th scope="col" className="py-1 pr-3 text-left font-medium">
              {columns.day}
            </th>
            {head.map((name) => (
              <th key={name} scope="col" className="px-2 py-1 font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {days.toReversed().map((day) => (
            <tr key={day.group} className="border-t border-line">
              <th scope="row" className="py-1 pr-3 text-left font-normal whitespace-nowrap">
                {day.group}
              </th>
              {[day.calls, day.fresh, day.cached, day.output].map((figure, index) => (
                <td key={head[index]} className="px-2 py-1">
                  {count(figure)}
                </td>
              ))}
              <td className="px-2 py-1">{formatShare(toCacheShare(day), language)}</td>
              <td className="px-2 py-1 whitespace-nowrap">
                {day.cost === undefined ? "–" : formatMoney(day.cost, currency, language)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
