// The schedule: what is planned and when it comes, on a list and a calendar; what has run; and the heartbeat.
import { CalendarClock, Plus } from "lucide-react";
import { useState } from "react";
import type { JobRecord, KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { Button } from "../../components/button.tsx";
import { Page } from "../../components/card.tsx";
import { ListCard } from "../../components/list-card.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { EmptyState } from "../../components/states.tsx";
import { type Query, useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { Calendar } from "./calendar.tsx";
import { HeartbeatCard } from "./heartbeat-card.tsx";
import { JobForm } from "./job-form.tsx";
import { JobRow } from "./job-row.tsx";
import { RunList } from "./run-list.tsx";

export interface ScheduleData {
  jobs: JobRecord[];
  /** Also one-time jobs that are over. */
  all: JobRecord[];
  chats: KnownChat[];
  timeZone: string;
}

export function SchedulePage() {
  const words = useWords().schedule;
  const pages = useWords().shell.pages;
  const query = useSchedule();
  const { data } = query;
  const [edited, setEdited] = useState<JobRecord | "new">();
  const add = (
    <Button tone="primary" icon={Plus} disabled={!data} onClick={() => setEdited("new")}>
      {words.add}
    </Button>
  );
  return (
    <Page title={pages.schedule} about={words.about} actions={add}>
      <Loaded query={query} lines={8}>
        {(loaded) => (
          <div className="grid gap-6 lg:grid-cols-[minmax(0,1fr)_20rem]">
            <div className="flex min-w-0 flex-col gap-6">
              <Jobs data={loaded} onEdit={setEdited} />
              <HeartbeatCard chats={loaded.chats} />
              <RunList data={loaded} />
            </div>
            <Calendar data={loaded} />
          </div>
        )}
      </Loaded>
      {data && edited && (
        <JobForm
          data={data}
          job={edited === "new" ? undefined : edited}
          onClose={() => setEdited(undefined)}
        />
      )}
    </Page>
  );
}

function useSchedule(): Query<ScheduleData> {
  const listed = useQuery("jobs.list", {}, { topic: "jobs" });
  const finished = useQuery("jobs.list", { withFinished: true }, { topic: "jobs" });
  const chats = useQuery("jobs.chats", {}, { topic: ["jobs", "channels"] });
  const refetch = () => {
    for (const query of [listed, finished, chats]) query.refetch();
  };
  const data = listed.data &&
    finished.data &&
    chats.data && { ...listed.data, all: finished.data.jobs, chats: chats.data.chats };
  const problem = listed.problem ?? finished.problem ?? chats.problem;
  return { data, problem, isLoading: data === undefined && problem === undefined, refetch };
}

function Jobs({ data, onEdit }: { data: ScheduleData; onEdit(job: JobRecord): void }) {
  const words = useWords().schedule;
  const soon = ({ state, nextRunAtMs = Number.MAX_SAFE_INTEGER }: JobRecord) =>
    state === "planned" ? nextRunAtMs : Number.MAX_SAFE_INTEGER;
  const sorted = data.jobs.toSorted((a, b) => soon(a) - soon(b));
  const jobs = sorted.filter(({ kind }) => kind === "turn");
  // The heartbeat has a card of its own.
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
