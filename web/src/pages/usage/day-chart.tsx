// A bar for each day, drawn by hand. The figures of the day under the pointer stand above it; the same as a table is one
// click away, so that nothing here is only for the eye.
import { useEffect, useId, useRef, useState } from "react";
import type { UsageFigures } from "../../../../src/server/protocol/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { formatMoney, formatShort } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { toAmount, toTicks, type Unit } from "./figures.ts";

export interface DayChartProps {
  days: UsageFigures[];
  unit: Unit;
  currency: string;
}

type Series = "fresh" | "cached" | "output" | "cost";

const fills: Record<Series, string> = {
  cached: "fill-series-1",
  fresh: "fill-series-2",
  output: "fill-series-4",
  cost: "fill-series-1",
};
const dots: Record<Series, string> = {
  cached: "bg-series-1",
  fresh: "bg-series-2",
  output: "bg-series-4",
  cost: "bg-series-1",
};
const height = 220;
const edge = { top: 10, right: 4, bottom: 24, left: 52 };
const inner = height - edge.top - edge.bottom;

export function seriesOf(unit: Unit): Series[] {
  return unit === "cost" ? ["cost"] : ["cached", "fresh", "output"];
}

export function DayChart({ days, unit, currency }: DayChartProps) {
  const words = useWords().usage;
  const { language } = usePreferences();
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const id = useId();
  const format = (amount: number) =>
    unit === "cost" ? formatMoney(amount, currency, language) : formatShort(amount, language);
  const amounts = days.map((day) => toAmount(day, unit));
  const ticks = toTicks(Math.max(...amounts, 0));
  const top = ticks.at(-1) ?? 1;
  const toY = (amount: number) => edge.top + inner * (1 - amount / top);
  const room = (width - edge.left - edge.right) / Math.max(1, days.length);
  const highest = amounts.indexOf(Math.max(...amounts));
  const [first, last] = [days[0]?.group ?? "", days.at(-1)?.group ?? ""];
  return (
    <div ref={frame}>
      <Legend day={chosen === undefined ? undefined : days[chosen]} unit={unit} format={format} />
      <svg
        width={width}
        height={height}
        role="img"
        aria-labelledby={`${id}-title ${id}-about`}
        className="block"
        onPointerLeave={() => setChosen(undefined)}
        onPointerMove={({ nativeEvent }) => {
          const index = Math.floor((nativeEvent.offsetX - edge.left) / room);
          setChosen(index >= 0 && index < days.length ? index : undefined);
        }}
      >
        <title id={`${id}-title`}>{`${words.perDay}: ${words.units[unit]}`}</title>
        <desc id={`${id}-about`}>
          {words.perDayAbout(first, last, format(amounts[highest] ?? 0), days[highest]?.group ?? "")}
        </desc>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={edge.left} x2={width} y1={toY(tick)} y2={toY(tick)} className="stroke-line" />
            <text x={edge.left - 8} y={toY(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
              {unit === "cost" ? formatShort(tick, language) : format(tick)}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <Bar
            key={day.group}
            day={day}
            unit={unit}
            x={edge.left + index * room}
            room={room}
            toY={toY}
            isFaint={chosen !== undefined && chosen !== index}
          />
        ))}
        <DayNames days={days} room={room} language={language} />
      </svg>
    </div>
  );
}

interface BarProps {
  day: UsageFigures;
  unit: Unit;
  x: number;
  room: number;
  toY(amount: number): number;
  isFaint: boolean;
}

function Bar({ day, unit, x, room, toY, isFaint }: BarProps) {
  const gap = Math.min(6, room * 0.22);
  const width = Math.max(1, Math.min(44, room - gap));
  let below = 0;
  return (
    <g className={isFaint ? "opacity-45" : ""}>
      {seriesOf(unit).map((series) => {
        const amount = day[series] ?? 0;
        const [from, to] = [toY(below), toY(below + amount)];
        below += amount;
        return (
          <rect
            key={series}
            x={x + (room - width) / 2}
            y={to}
            width={width}
            height={Math.max(0, from - to)}
            rx={Math.min(2, width / 4)}
            className={fills[series]}
          />
        );
      })}
    </g>
  );
}

interface DayNamesProps {
  days: UsageFigures[];
  room: number;
  language: string;
}

/** As many as there is room for. */
function DayNames({ days, room, language }: DayNamesProps) {
  const every = Math.max(1, Math.ceil(74 / room));
  const format = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
  return days.map(({ group }, index) => {
    const isShown = (days.length - 1 - index) % every === 0 && index * room > 16;
    if (!isShown && !(index === 0 && days.length <= 8)) return null;
    const x = edge.left + (index + 0.5) * room;
    const isLast = index === days.length - 1 && room < 50;
    return (
      <text
        key={group}
        x={isLast ? x + room / 2 : x}
        y={height - 6}
        textAnchor={isLast ? "end" : "middle"}
        className="fill-muted text-[11px]"
      >
        {format.format(Date.parse(group))}
      </text>
    );
  });
}

interface LegendProps {
  day: UsageFigures | undefined;
  unit: Unit;
  format(amount: number): string;
}

function Legend({ day, unit, format }: LegendProps) {
  const words = useWords().usage;
  return (
    <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
      {seriesOf(unit).map((series) => (
        <span key={series} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 rounded-[3px] ${dots[series]}`} />
          {words.series[series]}
          {day && <span className="font-medium text-ink tabular-nums">{format(day[series] ?? 0)}</span>}
        </span>
      ))}
      {day && <span className="ml-auto font-medium text-ink tabular-nums">{day.group}</span>}
    </div>
  );
}

/** Of the element that the ref is given to, as it is now. */
function useWidth() {
  const element = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(Math.floor(entry.contentRect.width)));
    observer.observe(element.current);
    return () => observer.disconnect();
  }, []);
  return [element, width] as const;
}
