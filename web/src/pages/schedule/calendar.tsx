// A month with dots for the jobs of each day, and the list of the chosen day. Past days show what ran.
import { ChevronLeft, ChevronRight } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import type { DayRuns } from "../../../../src/api/jobs/schedule-draft.ts";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import { IconButton } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { ScrollBox } from "../../components/text.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as scheduleTexts from "../../words/schedule.ts";
import { nameWeekday } from "./describe-schedule.ts";
import type { ScheduleData } from "./schedule-page.tsx";

const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

export function Calendar({ data }: { data: ScheduleData }) {
  const words = useTopic(scheduleTexts);
  const { language } = usePreferences();
  const today = new Date().setHours(0, 0, 0, 0);
  const [month, setMonth] = useState(() => toMonth(today, 0));
  const [chosen, setChosen] = useState(today);
  const bounds = useMemo(() => toDays(month), [month]);
  const plan = useQuery("jobs.calendar", { days: bounds }, { topic: "jobs" });
  const days = useMemo(() => findDayJobs(bounds, plan.data?.days ?? [], data), [bounds, plan.data, data]);
  const grid = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = steps[event.key];
    const next = bounds.indexOf(chosen) + (step ?? 0);
    const start = bounds[next];
    if (step === undefined || start === undefined || next >= bounds.length - 1) return;
    event.preventDefault();
    setChosen(start);
    grid.current?.querySelectorAll("button")[next]?.focus();
  };
  const title = new Intl.DateTimeFormat(language, { year: "numeric", month: "long" }).format(month);
  return (
    <Card className="self-start p-4 lg:sticky lg:top-6">
      <div className="mb-2 flex items-center justify-between">
        <h2 className="font-semibold" aria-live="polite">
          {title}
        </h2>
        <div className="flex">
          <IconButton label={words.earlier} icon={ChevronLeft} onClick={() => setMonth(toMonth(month, -1))} />
          <IconButton label={words.later} icon={ChevronRight} onClick={() => setMonth(toMonth(month, 1))} />
        </div>
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the days are buttons; arrow keys lead from one to the next. */}
      <div ref={grid} className="grid grid-cols-7 gap-0.5 text-center" onKeyDown={move}>
        {[1, 2, 3, 4, 5, 6, 0].map((day) => (
          <abbr
            key={day}
            title={nameWeekday(day, language)}
            className="py-1 text-tiny text-muted no-underline"
          >
            {nameWeekday(day, language)
              .replace(/^星期/, "")
              .slice(0, language === "en" ? 2 : 1)}
          </abbr>
        ))}
        {bounds.slice(0, -1).map((start, index) => (
          <Day
            key={start}
            start={start}
            isOutside={new Date(start).getMonth() !== new Date(month).getMonth()}
            isToday={start === today}
            isChosen={start === chosen}
            isReached={start === (bounds.includes(chosen) ? chosen : month)}
            count={days[index]?.length ?? 0}
            onChoose={() => setChosen(start)}
          />
        ))}
      </div>
      <DayList start={chosen} jobs={days[bounds.indexOf(chosen)] ?? []} />
    </Card>
  );
}

interface DayProps {
  start: number;
  isOutside: boolean;
  isToday: boolean;
  isChosen: boolean;
  /** By the Tab key; arrow keys move from there. */
  isReached: boolean;
  count: number;
  onChoose(): void;
}

function Day({ start, isOutside, isToday, isChosen, isReached, count, onChoose }: DayProps) {
  const words = useTopic(scheduleTexts);
  const { language } = usePreferences();
  const name = new Intl.DateTimeFormat(language, { month: "long", day: "numeric" }).format(start);
  const look = isChosen
    ? "bg-accent text-on-accent"
    : isToday
      ? "bg-accent-soft text-accent"
      : "hover:bg-raised";
  return (
    <button
      type="button"
      aria-label={words.dayLabel(name, count)}
      aria-pressed={isChosen}
      tabIndex={isReached ? 0 : -1}
      onClick={onChoose}
      className={`flex h-10 flex-col items-center justify-center rounded-control text-small tabular-nums ${look} ${isOutside && !isChosen ? "text-muted" : ""} ${isToday ? "font-semibold" : ""}`}
    >
      {new Date(start).getDate()}
      <span aria-hidden className="flex h-1.5 gap-0.5">
        {["a", "b", "c"].slice(0, count).map((dot) => (
          <span key={dot} className={`size-1 rounded-full ${isChosen ? "bg-on-accent" : "bg-accent"}`} />
        ))}
      </span>
    </button>
  );
}

function DayList({ start, jobs }: { start: number; jobs: DayJob[] }) {
  const words = useTopic(scheduleTexts);
  const { language } = usePreferences();
  const format = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(language, options);
  const day = format({ weekday: "long", month: "long", day: "numeric" }).format(start);
  const clock = format({ hour: "numeric", minute: "2-digit", hourCycle: "h23" });
  return (
    <section className="mt-3 border-t border-line pt-3" aria-live="polite">
      <h3 className="text-small font-medium">{day}</h3>
      {jobs.length === 0 && <p className="mt-1 text-small text-muted">{words.nothingOn}</p>}
      <ScrollBox label={day} className="max-h-72">
        <ul className="mt-1 flex flex-col gap-1">
          {jobs.map(({ key, name, times, isMore, isPast }) => (
            <li key={key} className={`text-small ${isPast ? "text-muted" : ""}`}>
              <span className="font-medium">{name}</span>{" "}
              <span className="text-muted tabular-nums">
                {times.map((time) => clock.format(time)).join(", ")}
                {isMore && ` ${words.andMore}`}
              </span>
            </li>
          ))}
        </ul>
      </ScrollBox>
    </section>
  );
}

/** A job on a day. */
interface DayJob {
  key: string;
  name: string;
  times: number[];
  isMore: boolean;
  isPast: boolean;
}

/** The start of the month that is `distance` months from a time. */
function toMonth(at: number, distance: number): number {
  const day = new Date(at);
  return new Date(day.getFullYear(), day.getMonth() + distance, 1).getTime();
}

/** Starts of the days of whole weeks from Monday, and the end of the last. Days are not always 24 hours long. */
export function toDays(month: number): number[] {
  const first = new Date(month);
  const lead = (first.getDay() + 6) % 7;
  const length = new Date(first.getFullYear(), first.getMonth() + 1, 0).getDate();
  const count = Math.ceil((lead + length) / 7) * 7;
  return Array.from({ length: count + 1 }, (_, index) =>
    new Date(first.getFullYear(), first.getMonth(), 1 - lead + index).getTime(),
  );
}

/** Past and planned runs of each day, by time. */
function findDayJobs(
  days: number[],
  plan: DayRuns[][],
  { all: known }: Pick<ScheduleData, "all">,
): DayJob[][] {
  const all = new Map(known.filter(({ kind }) => kind === "turn").map((job) => [job.id, job]));
  const found = days.slice(1).map((_, index): DayJob[] =>
    (plan[index] ?? []).flatMap(({ jobId, ...coming }) => {
      const job = all.get(jobId);
      return job ? [{ key: jobId, name: job.name, ...coming, isPast: false }] : [];
    }),
  );
  for (const { id, name, runs } of all.values()) {
    const past = Map.groupBy(runs, ({ runAtMs }) => days.findLastIndex((start) => start <= runAtMs));
    for (const [day, those] of past) {
      const times = those.map(({ runAtMs }) => runAtMs);
      found[day]?.push({ key: `${id} past`, name, times, isMore: false, isPast: true });
    }
  }
  return found.map((jobs) => jobs.sort((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0)));
}
