// What has run, the newest first, with how it ended and how long it took; also of jobs that are over.
import { History } from "lucide-react";
import { usePreferences } from "../../app/preferences.tsx";
import { Badge } from "../../components/card.tsx";
import { ListCard } from "../../components/list-card.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";
import { formatMoment } from "./describe-schedule.ts";
import { outcomeTones } from "./job-row.tsx";
import type { ScheduleData } from "./schedule-page.tsx";

const mostRuns = 200;

export function RunList({ data }: { data: ScheduleData }) {
  const words = useWords().schedule;
  const { language } = usePreferences();
  const say = useSay();
  const all = data.all
    .filter(({ kind }) => kind === "turn")
    .flatMap(({ id, name, runs }) => runs.map((run, index) => ({ key: `${id}.${index}`, name, ...run })))
    .toSorted((a, b) => b.runAtMs - a.runAtMs)
    .slice(0, mostRuns);
  const empty = <EmptyState icon={History} title={words.noRuns} />;
  return (
    <ListCard title={words.runs} items={all} first={8} empty={empty}>
      {({ key, name, runAtMs, status, durationMs, reason }) => (
        <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 text-small">
          <span className="min-w-32 text-muted tabular-nums">{formatMoment(runAtMs, language)}</span>
          <span className="min-w-0 flex-1 truncate">{name}</span>
          {durationMs !== undefined && (
            <span className="text-muted tabular-nums">{words.seconds((durationMs / 1000).toFixed(1))}</span>
          )}
          <Badge tone={outcomeTones[status]}>{words.outcomes[status]}</Badge>
          {reason && <p className="w-full text-bad">{say(reason)}</p>}
        </li>
      )}
    </ListCard>
  );
}
