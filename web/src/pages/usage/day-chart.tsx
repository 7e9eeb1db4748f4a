// A bar for each day, drawn by hand. The figures of the day under the pointer stand above it; all of them stand in the
// table below, so that nothing here is only for the eye.
import { useEffect, useId, useRef, useState } from "react";
import type { UsageRow } from "../../../../src/api/usage/usage.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { useNumbers } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { toAmount, toTicks, type Unit } from "./figures.ts";

export interface DayChartProps {
  days: UsageRow[];
  unit: Unit;
  currency: string;
}

/** From the bottom of a bar to its top. */
const series = {
  tokens: [
    { key: "cached", tone: "text-series-1" },
    { key: "fresh", tone: "text-series-2" },
    { key: "output", tone: "text-series-4" },
  ],
  cost: [{ key: "cost", tone: "text-series-1" }],
} as const;
const height = 220;
const edge = { top: 10, bottom: 24, left: 52 };

export function DayChart({ days, unit, currency }: DayChartProps) {
  const words = useWords().usage;
  const { money, short } = useNumbers();
  const [frame, width] = useWidth();
  const [chosen, setChosen] = useState<number>();
  const id = useId();
  const format = (amount: number) => (unit === "cost" ? money(amount, currency) : short(amount));
  const amounts = days.map((day) => toAmount(day, unit));
  const ticks = toTicks(Math.max(...amounts, 0));
  const inner = height - edge.top - edge.bottom;
  const toY = (amount: number) => edge.top + inner * (1 - amount / (ticks.at(-1) ?? 1));
  const room = (width - edge.left) / Math.max(1, days.length);
  const highest = amounts.indexOf(Math.max(...amounts));
  return (
    <div ref={frame}>
      <Legend day={chosen === undefined ? undefined : days[chosen]} unit={unit} format={format} />
      <svg
        width={width}
        height={height}
        role="img"
        aria-labelledby={`${id}-title ${id}-about`}
        onPointerLeave={() => setChosen(undefined)}
        onPointerMove={({ nativeEvent: { offsetX } }) =>
          setChosen(offsetX < edge.left ? undefined : Math.floor((offsetX - edge.left) / room))
        }
      >
        <title id={`${id}-title`}>{`${words.perDay}: ${words.units[unit]}`}</title>
        <desc id={`${id}-about`}>
          {words.perDayAbout(days.length, format(amounts[highest] ?? 0), days[highest]?.group ?? "")}
        </desc>
        {ticks.map((tick) => (
          <g key={tick}>
            <line x1={edge.left} x2={width} y1={toY(tick)} y2={toY(tick)} className="stroke-line" />
            <text x={edge.left - 8} y={toY(tick) + 4} textAnchor="end" className="fill-muted text-[11px]">
              {short(tick)}
            </text>
          </g>
        ))}
        {days.map((day, index) => (
          <g key={day.group} className={(chosen ?? index) === index ? "" : "opacity-45"}>
            <Bar day={day} unit={unit} x={edge.left + index * room} room={room} toY={toY} />
          </g>
        ))}
        <DayNames days={days} room={room} />
      </svg>
    </div>
  );
}

interface BarProps {
  day: UsageRow;
  unit: Unit;
  x: number;
  room: number;
  toY(amount: number): number;
}

function Bar({ day, unit, x, room, toY }: BarProps) {
  const width = Math.max(1, Math.min(44, room * 0.78));
  let below = 0;
  return series[unit].map(({ key, tone }) => {
    const bottom = toY(below);
    below += day[key] ?? 0;
    const place = { x: x + (room - width) / 2, y: toY(below), width, height: bottom - toY(below) };
    return <rect key={key} {...place} rx={Math.min(2, width / 4)} className={`fill-current ${tone}`} />;
  });
}

/** As many as there is room for, counted from the last. */
function DayNames({ days, room }: { days: UsageRow[]; room: number }) {
  const { language } = usePreferences();
  const every = Math.max(1, Math.ceil(74 / room));
  const format = new Intl.DateTimeFormat(language, { month: "short", day: "numeric", timeZone: "UTC" });
  return days.map(({ group }, index) => {
    const isLast = index === days.length - 1;
    if ((days.length - 1 - index) % every !== 0 || (!isLast && index * room < 8)) return null;
    const x = edge.left + (isLast ? days.length : index + 0.5) * room;
    return (
      <text
        key={group}
        x={x}
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
  day: UsageRow | undefined;
  unit: Unit;
  format(amount: number): string;
}

function Legend({ day, unit, format }: LegendProps) {
  const words = useWords().usage;
  return (
    <div className="mb-2 flex min-h-6 flex-wrap items-center gap-x-4 gap-y-1 text-small text-muted">
      {series[unit].map(({ key, tone }) => (
        <span key={key} className="inline-flex items-center gap-1.5">
          <span aria-hidden className={`size-2.5 rounded-[3px] bg-current ${tone}`} />
          {words.series[key]}
          {day && <span className="font-medium text-ink tabular-nums">{format(day[key] ?? 0)}</span>}
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
