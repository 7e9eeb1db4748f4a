// The schedule: jobs as a list and on a calendar, past runs, and the heartbeat.
import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import type { JobRecord, KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { Button } from "../../components/button.tsx";
import { Badge, ListCard, Page, Section } from "../../components/card.tsx";
import { ChoiceField } from "../../components/field.tsx";
import { Time } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { joinQueries, useMutation, useQuery } from "../../wire/hooks.tsx";
import { FileEditor } from "../memory/file-editor.tsx";
import { Calendar } from "./calendar.tsx";
import { describeInterval, useChatNames, useScheduleWords } from "./describe-schedule.ts";
import { JobForm } from "./job-form.tsx";
import { JobRow, RunList } from "./job-row.tsx";
import { QuickPlan } from "./quick-plan.tsx";

export interface ScheduleData {
  jobs: JobRecord[];
  /** Also one-time jobs that are over. */
  all: JobRecord[];
  chats: KnownChat[];
  timeZone: string;
}

export function SchedulePage() {
  const words = useScheduleWords();
  const query = joinQueries({
    listed: useQuery("jobs.list", {}, { topic: "jobs" }),
    finished: useQuery("jobs.list", { withFinished: true }, { topic: "jobs" }),
    known: useQuery("jobs.chats", {}, { topic: ["jobs", "channels"] }),
  });
  const [edited, setEdited] = useState<JobRecord | "new">();
  const add = (
    <Button icon={Plus} disabled={!query.data} onClick={() => setEdited("new")}>
      {words.add}
    </Button>
  );
  return (
    <Page name="schedule" about={words.about} actions={add}>
      <Loaded query={query} lines={8}>
        {({ listed, finished, known }) => {
          const data = { ...listed, ...known, all: finished.jobs };
          return (
            <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
              <div className="flex min-w-0 flex-col gap-6">
                <QuickPlan />
                <Jobs data={data} onEdit={setEdited} />
                <HeartbeatCard chats={data.chats} />
                <RunList data={data} />
              </div>
              <Calendar data={data} />
              {edited && (
                <JobForm
                  chats={data.chats}
                  job={edited === "new" ? undefined : edited}
                  onClose={() => setEdited(undefined)}
                />
              )}
            </div>
          );
        }}
      </Loaded>
    </Page>
  );
}

function Jobs({ data, onEdit }: { data: ScheduleData; onEdit(job: JobRecord): void }) {
  const words = useScheduleWords();
  const soon = ({ state, nextRunAtMs = Number.MAX_SAFE_INTEGER }: JobRecord) =>
    state === "planned" ? nextRunAtMs : Number.MAX_SAFE_INTEGER;
  const sorted = data.jobs.toSorted((a, b) => soon(a) - soon(b));
  const jobs = sorted.filter(({ kind }) => kind === "turn");
  // The heartbeat has its own card.
  const own = sorted.filter(({ kind, id }) => kind === "system" && id !== "heartbeat");
  const empty = (
    <EmptyState icon={CalendarClock} title={words.empty}>
      {words.emptyHint}
    </EmptyState>
  );
  return (
    <>
      <ListCard title={words.jobs} items={jobs} empty={empty}>
        {(job) => <JobRow key={job.id} job={job} data={data} onEdit={() => onEdit(job)} />}
      </ListCard>
      {own.length > 0 && (
        <ListCard title={words.own} items={own}>
          {(job) => <JobRow key={job.id} job={job} data={data} />}
        </ListCard>
      )}
    </>
  );
}

const mostTasks = 8;

function HeartbeatCard({ chats }: { chats: KnownChat[] }) {
  const all = useScheduleWords();
  const words = all.heartbeat;
  // Its file is a file of memory.
  const query = useQuery("heartbeat.read", {}, { topic: ["jobs", "memory"] });
  const aim = useMutation("heartbeat.aim");
  const { nameChats } = useChatNames();
  const [isOpen, setIsOpen] = useState(false);
  const count = query.data?.tasks.length ?? 0;
  const mark = count > 0 ? <Badge tone="accent">{words.tasks(count)}</Badge> : <Badge>{words.noTasks}</Badge>;
  return (
    <Section title={words.title} aside={query.data && mark}>
      <Loaded query={query}>
        {({ isEnabled, everyMs, lastLookAt, nextLookAt, tasks, target }) => (
          <div className="flex flex-col gap-3">
            <p className="text-small text-muted">
              {isEnabled ? words.about(describeInterval(everyMs, all)) : words.off}
            </p>
            <p className="flex flex-wrap gap-x-4 text-small text-muted">
              {lastLookAt !== undefined && (
                <span>
                  {words.lastLook} <Time at={lastLookAt} />
                </span>
              )}
              {nextLookAt !== undefined && (
                <span>
                  {words.nextLook} <Time at={nextLookAt} className="font-medium text-accent" />
                </span>
              )}
            </p>
            {tasks.length > 0 && (
              <ul className="list-disc pl-5 text-small">
                {tasks.slice(0, mostTasks).map((task, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: two tasks may have the same text.
                  <li key={index}>{task.replace(/^\s*[-*+]\s+(\[ \]\s+)?/, "")}</li>
                ))}
                {tasks.length > mostTasks && <li>…</li>}
              </ul>
            )}
            <div className="max-w-sm">
              <ChoiceField
                label={words.target}
                value={target}
                options={{ ...nameChats(chats, target), last: words.lastChat }}
                onChange={(next) => void aim.run({ target: next })}
              />
            </div>
          </div>
        )}
      </Loaded>
      <details className="mt-3" open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
        <summary className="mb-3 text-small font-medium text-accent">{words.show}</summary>
        {isOpen && <FileEditor path="HEARTBEAT.md" />}
      </details>
    </Section>
  );
}
