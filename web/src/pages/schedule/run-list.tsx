// What has run, the newest first, with how it ended and how long it took; also of jobs that are over.
import { History } from "lucide-react";
import { useState } from "react";
import { usePreferences } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useWords } from "../../words/use-words.ts";
import { formatMoment } from "./describe-schedule.ts";
import { outcomeTones } from "./job-row.tsx";
import type { ScheduleData } from "./schedule-page.tsx";

const shownFirst = 8;

export function RunList({ data }: { data: ScheduleData }) {
  const words = useWords().schedule;
  const { language } = usePreferences();
  const [most, setMost] = useState(shownFirst);
  const all = [...data.jobs, ...data.finished]
    .filter(({ isOwn }) => !isOwn)
    .flatMap(({ id, name, runs }) => runs.map((run, index) => ({ key: `${id}.${index}`, name, ...run })))
    .toSorted((a, b) => b.runAtMs - a.runAtMs);
  return (
    <Card>
      <h2 className="border-b border-line px-5 py-3 font-semibold">{words.runs}</h2>
      {all.length === 0 && <EmptyState icon={History} title={words.noRuns} />}
      <ul className="divide-y divide-line">
        {all.slice(0, most).map(({ key, name, runAtMs, status, durationMs, error }) => (
          <li key={key} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 text-small">
            <span className="min-w-32 text-muted tabular-nums">{formatMoment(runAtMs, language)}</span>
            <span className="min-w-0 flex-1 truncate">{name}</span>
            {durationMs !== undefined && (
              <span className="text-muted tabular-nums">{words.seconds((durationMs / 1000).toFixed(1))}</span>
            )}
            <Badge tone={outcomeTones[status]}>{words.outcomes[status]}</Badge>
            {error && <span className="w-full break-words text-bad">{error}</span>}
          </li>
        ))}
      </ul>
      {all.length > most && (
        <div className="border-t border-line p-2 text-center">
          <Button tone="quiet" size="small" onClick={() => setMost(all.length)}>
            {words.showMore}
          </Button>
        </div>
      )}
    </Card>
  );
}
