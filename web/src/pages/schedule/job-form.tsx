// The form of a job: what, when and where to, with the runs that would come of it.
import { useState } from "react";
import type { JobRecord } from "../../../../src/api/jobs/jobs.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, ChoiceField, InputField } from "../../components/labelled.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { findOwnZone, formatMoment } from "./describe-schedule.ts";
import { type FormValues, toDraft, toSchedule, toValues } from "./form-values.ts";
import type { ScheduleData } from "./schedule-page.tsx";
import { toTarget, useChatNames } from "./use-speaker.ts";
import { WhenFields } from "./when-fields.tsx";

export interface JobFormProps {
  data: ScheduleData;
  /** Absent: a new one. */
  job: JobRecord | undefined;
  onClose(): void;
}

export function JobForm({ data, job, onClose }: JobFormProps) {
  const { schedule: words, shell } = useWords();
  const [values, setValues] = useState(() =>
    toValues(job, { zone: findOwnZone(), target: data.chats[0] ? toTarget(data.chats[0]) : "" }),
  );
  const [isTried, setIsTried] = useState(false);
  const add = useMutation("jobs.add", { isQuiet: true });
  const edit = useMutation("jobs.edit", { isQuiet: true });
  const preview = useQuery("jobs.preview", { schedule: toSchedule(values) }, { isKept: true });
  const problem = isTried || values.at !== "" ? preview.data?.problem : undefined;
  const set = (change: Partial<FormValues>) => setValues((before) => ({ ...before, ...change }));
  const save = async () => {
    setIsTried(true);
    if (preview.data?.problem !== undefined || values.message.trim() === "") return;
    const draft = toDraft(values);
    const outcome = job ? await edit.run({ id: job.id, ...draft }) : await add.run(draft);
    if (outcome.ok) onClose();
  };
  const actions = (
    <>
      <Button onClick={onClose}>{shell.cancel}</Button>
      <Button tone="primary" type="submit" isBusy={add.isRunning || edit.isRunning}>
        {shell.save}
      </Button>
    </>
  );
  return (
    <Dialog
      isOpen
      title={job ? words.form.editTitle : words.form.newTitle}
      onClose={onClose}
      onSubmit={() => void save()}
      problem={(job ? edit : add).problem?.message}
      actions={actions}
    >
      <div className="flex flex-col gap-4">
        <WhatFields values={values} set={set} isMissing={isTried && values.message.trim() === ""} />
        <div className="flex flex-col gap-3 rounded-card border border-line p-4">
          <div>
            <Tabs
              label={words.form.kind}
              tabs={words.form.kinds}
              value={values.kind}
              onChange={(kind) => set({ kind })}
            />
          </div>
          <WhenFields values={values} set={set} problem={problem} />
          <Preview times={preview.data?.times ?? []} />
        </div>
        <WhereFields values={values} set={set} data={data} />
      </div>
    </Dialog>
  );
}

export interface PartProps {
  values: FormValues;
  set(change: Partial<FormValues>): void;
}

function WhatFields({ values, set, isMissing }: PartProps & { isMissing: boolean }) {
  const { form, needsMessage } = useWords().schedule;
  return (
    <>
      <AreaField
        label={form.message}
        hint={form.messageHint}
        problem={isMissing ? needsMessage : undefined}
        placeholder={form.messageExample}
        maxLength={10_000}
        value={values.message}
        onChange={(message) => set({ message })}
      />
      <InputField
        label={form.name}
        hint={form.nameHint}
        maxLength={80}
        value={values.name}
        onChange={(name) => set({ name })}
      />
    </>
  );
}

function WhereFields({ values, set, data }: PartProps & { data: ScheduleData }) {
  const words = useWords().schedule;
  const { nameChats } = useChatNames();
  const { form } = words;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        label={form.chat}
        value={values.target}
        options={nameChats(data.chats, values.target)}
        onChange={(target) => set({ target })}
      />
      <ChoiceField
        label={form.misfire}
        value={values.misfire}
        options={form.misfires}
        onChange={(misfire) => set({ misfire })}
      />
    </div>
  );
}

function Preview({ times }: { times: number[] }) {
  const words = useWords().schedule;
  const { language } = usePreferences();
  if (times.length === 0) return null;
  return (
    <div className="text-small" aria-live="polite">
      <p className="font-medium">{words.form.preview}</p>
      <ol className="mt-1 flex flex-wrap gap-x-4 gap-y-0.5 text-muted tabular-nums">
        {times.map((time) => (
          <li key={time}>{formatMoment(time, language)}</li>
        ))}
      </ol>
    </div>
  );
}
