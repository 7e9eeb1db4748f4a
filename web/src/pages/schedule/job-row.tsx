// One job, and the list of past runs of all jobs.
import { EllipsisVertical, History, Pause, Pencil, Play, Trash2 } from "lucide-react";
import type { JobRecord } from "../../../../src/api/jobs/jobs.ts";
import { usePreferences, useTopic, useWords } from "../../app/preferences.tsx";
import { IconButton } from "../../components/button.tsx";
import { Badge, ListCard } from "../../components/card.tsx";
import { Time } from "../../components/format.tsx";
import { Menu } from "../../components/menu.tsx";
import { EmptyState } from "../../components/states.tsx";
import { useMutation, useSay } from "../../wire/hooks.tsx";
import * as scheduleTexts from "../../words/schedule.ts";
import { describeSchedule, formatMoment, toTarget, useChatNames, useSpeaker } from "./describe-schedule.ts";
import type { ScheduleData } from "./schedule-page.tsx";

const outcomeTones = { queued: "accent", ok: "good", error: "bad", skipped: "warn" } as const;

/** Without `onEdit` it is read-only. */
export function JobRow({ job, data, onEdit }: { job: JobRecord; data: ScheduleData; onEdit?(): void }) {
  const words = useTopic(scheduleTexts);
  const speaker = useSpeaker(data.timeZone);
  const { nameChat } = useChatNames();
  const { channel, chatId } = job;
  const isBuiltIn = job.kind === "system";
  const chat = data.chats.find((known) => toTarget(known) === toTarget(job)) ?? { channel, chatId };
  const facts = [describeSchedule(job.schedule, speaker), !isBuiltIn && words.answersIn(nameChat(chat))];
  const name = isBuiltIn ? (words.ownNames[job.name] ?? job.name) : job.name;
  const last = job.runs.at(-1);
  return (
    <li className="flex items-start gap-3 px-5 py-4">
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <h3 className="min-w-0 truncate font-medium">{name}</h3>
          {job.state !== "planned" && <Badge tone="warn">{words.states[job.state]}</Badge>}
        </div>
        <p className="text-small text-muted">{facts.filter(Boolean).join(" · ")}</p>
        {!isBuiltIn && job.message !== job.name && (
          <p className="mt-1 line-clamp-2 text-small">{job.message}</p>
        )}
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-small text-muted">
          {job.state === "planned" && job.nextRunAtMs !== undefined && (
            <span>
              {words.next} <Time at={job.nextRunAtMs} className="font-medium text-accent" />
              {` · ${formatMoment(job.nextRunAtMs, speaker.language)}`}
            </span>
          )}
          {last && (
            <span className="inline-flex items-center gap-1.5">
              {words.last} <Time at={last.runAtMs} />
              {!isBuiltIn && <Badge tone={outcomeTones[last.status]}>{words.outcomes[last.status]}</Badge>}
            </span>
          )}
        </p>
      </div>
      {onEdit && <JobActions job={job} onEdit={onEdit} />}
    </li>
  );
}

function JobActions({ job, onEdit }: { job: JobRecord; onEdit(): void }) {
  const words = useTopic(scheduleTexts);
  const { shell } = useWords();
  const { id, name } = job;
  const run = useMutation("jobs.run", { done: () => ({ text: words.started(name), tone: "good" }) });
  const enable = useMutation("jobs.enable");
  const restore = useMutation("jobs.restore");
  const remove = useMutation("jobs.remove", {
    done: () => ({
      text: words.removed(name),
      action: { label: shell.undo, run: () => void restore.run({ id }) },
    }),
  });
  const isPaused = job.state === "paused";
  const items = [
    { label: words.edit, icon: Pencil, run: onEdit },
    ...(job.state === "over"
      ? []
      : [
          {
            label: isPaused ? words.resume : words.pause,
            icon: isPaused ? Play : Pause,
            run: () => void enable.run({ id, enabled: isPaused }),
          },
        ]),
    { label: words.remove, icon: Trash2, tone: "danger" as const, run: () => void remove.run({ id }) },
  ];
  return (
    <div className="flex shrink-0 gap-1">
      <IconButton
        label={`${words.run}: ${name}`}
        icon={Play}
        disabled={run.isRunning}
        onClick={() => void run.run({ id })}
      />
      <Menu
        label={`${words.more}: ${name}`}
        items={items}
        className="inline-grid size-8 place-items-center rounded-control text-muted hover:bg-raised hover:text-ink"
      >
        <EllipsisVertical aria-hidden className="size-4" />
      </Menu>
    </div>
  );
}

const mostRuns = 200;

export function RunList({ data }: { data: ScheduleData }) {
  const words = useTopic(scheduleTexts);
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
