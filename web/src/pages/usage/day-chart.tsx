// A bar for each day. The numbers of the hovered day are in the legend; the table below the chart has all of them.
import { useState } from "react";
import type { UsageRow } from "../../../../src/api/usage/usage.ts";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import { useNumbers } from "../../components/format.tsx";
import * as usageTexts from "../../words/usage.ts";
import { toAmount, toTicks, type Unit } from "./figures.ts";

interface DayChartProps {
  days: UsageRow[];
  unit: Unit;
  currency: string;
}

/** From the bottom of a bar to its top. */
const series = {
  tokens: [
    { key: "cached", tone: "bg-series-1" },
    { key: "fresh", tone: "bg-series-2" },
    { key: "output", tone: "bg-series-4" },
  ],
  cost: [{ key: "cost", tone: "bg-series-1" }],
} as const;

export function DayChart({ days, unit, currency }: DayChartProps) {
  const words = useTopic(usageTexts);
  const { money, short } = useNumbers();
  const nameDay = useDayName();
  const [hovered, setHovered] = useState<UsageRow>();
  const format = (amount: number) => (unit === "cost" ? money(amount, currency) : short(amount));
  const highest = days.reduce((most, day) => (toAmount(day, unit) > toAmount(most, unit) ? day : most));
  const ticks = toTicks(toAmount(highest, unit));
  const toPercent = (amount: number) => `${(100 * amount) / (ticks.at(-1) ?? 1)}%`;
  const about = words.perDayAbout(days.length, format(toAmount(highest, unit)), nameDay(highest));
  const labelled = [days[0], days[Math.floor(days.length / 2)], days.at(-1)];
  return (
    <>
      <Legend day={hovered} unit={unit} format={format} />
      <div
        role="img"
        aria-label={`${words.perDay}: ${words.units[unit]}. ${about}`}
        onPointerLeave={() => setHovered(undefined)}
        className="pl-13"
      >
        <div className="relative mt-3 flex h-48 items-end">
          {ticks.map((tick) => (
            <div
              key={tick}
              className="absolute inset-x-0 border-t border-line"
              style={{ bottom: toPercent(tick) }}
            >
              <span className="absolute right-full -translate-y-1/2 pr-2 text-[11px] whitespace-nowrap text-muted">
                {short(tick)}
              </span>
            </div>
          ))}
          {days.map((day) => (
            <div
              key={day.group}
              onPointerEnter={() => setHovered(day)}
              className={`relative flex h-full flex-1 flex-col-reverse items-center ${hovered && hovered !== day ? "opacity-45" : ""}`}
            >
              {series[unit].map(({ key, tone }) => (
                <div
                  key={key}
                  className={`w-4/5 max-w-11 rounded-[2px] ${tone}`}
                  style={{ height: toPercent(day[key] ?? 0) }}
                />
              ))}
            </div>
          ))}
        </div>
        <div className="mt-1 flex justify-between text-[11px] text-muted">
          {labelled.map((day) => day && <span key={day.group}>{nameDay(day)}</span>)}
        </div>
      </div>
    </>
  );
}

interface LegendProps {
  day: UsageRow | undefined;
  unit: Unit;
  format(amount: number): string;
}

function Legend({ day, unit, format }: LegendProps) {
  const words = useTopic(usageTexts);
  const nameDay = useDayName();
  return (
    <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
      {series[unit].map(({ key, tone }) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 rounded-[3px] ${tone}`} />
          {words.series[key]}
          {day && <span className="font-medium text-ink tabular-nums">{format(day[key] ?? 0)}</span>}
        </span>
      ))}
      {day && <span className="ml-auto font-medium text-ink tabular-nums">{nameDay(day)}</span>}
    </div>
  );
}

function useDayName(): (day: UsageRow) => string {
  const { language } = usePreferences();
  const format = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
  return ({ group }) => format.format(Date.parse(group));
}
