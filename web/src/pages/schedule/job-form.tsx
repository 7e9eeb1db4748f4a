// The form of a job: what to do, when and where to report, with a preview of the next runs.
import { useState } from "react";
import type { ResultOf } from "../../../../src/api/index.ts";
import type { JobRecord, KnownChat } from "../../../../src/api/jobs/jobs.ts";
import { usePreferences, useTopic, useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, ChoiceField, InputField, Tabs } from "../../components/field.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as scheduleTexts from "../../words/schedule.ts";
import { findOwnZone, formatMoment, nameWeekday, toTarget, useChatNames } from "./describe-schedule.ts";
import { type FormValues, longestMs, toDraft, toSchedule, toValues, units } from "./form-values.ts";

interface JobFormProps {
  chats: KnownChat[];
  /** Absent: a new one. */
  job: JobRecord | undefined;
  onClose(): void;
}

export function JobForm({ chats, job, onClose }: JobFormProps) {
  const words = useTopic(scheduleTexts);
  const { shell } = useWords();
  const [values, setValues] = useState(() =>
    toValues(job, { zone: findOwnZone(), target: chats[0] ? toTarget(chats[0]) : "" }),
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
        <WhereFields values={values} set={set} chats={chats} />
      </div>
    </Dialog>
  );
}

interface PartProps {
  values: FormValues;
  set(change: Partial<FormValues>): void;
}

function WhatFields({ values, set, isMissing }: PartProps & { isMissing: boolean }) {
  const { form, needsMessage } = useTopic(scheduleTexts);
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

function WhereFields({ values, set, chats }: PartProps & { chats: KnownChat[] }) {
  const words = useTopic(scheduleTexts);
  const { nameChats } = useChatNames();
  const { form } = words;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <ChoiceField
        label={form.chat}
        value={values.target}
        options={nameChats(chats, values.target)}
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
  const words = useTopic(scheduleTexts);
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

const row = "grid gap-3 sm:grid-cols-2";

type DraftProblem = ResultOf<"jobs.preview">["problem"];

function WhenFields({ values, set, problem }: PartProps & { problem: DraftProblem }) {
  const { form, problems } = useTopic(scheduleTexts);
  const problemOf = (field: "at" | "everyMs" | "expr" | "tz") =>
    problem?.path === field ? problems[problem.phrase.code] : undefined;
  if (values.kind === "every")
    return (
      <div className={row}>
        <InputField
          label={form.every}
          problem={problemOf("everyMs")}
          type="number"
          required
          min={1}
          max={Math.floor(longestMs / units[values.unit])}
          value={values.count}
          onChange={(count) => set({ count })}
        />
        <ChoiceField
          label={form.unit}
          value={values.unit}
          options={form.units}
          onChange={(unit) => set({ unit })}
        />
      </div>
    );
  return (
    <>
      {values.kind === "at" ? (
        <InputField
          label={form.at}
          problem={problemOf("at")}
          type="datetime-local"
          max="2999-12-31T23:59"
          value={values.at}
          onChange={(at) => set({ at })}
        />
      ) : (
        <RepeatFields values={values} set={set} problem={problemOf("expr")} />
      )}
      <InputField
        label={form.zone}
        problem={problemOf("tz")}
        suggestions={Intl.supportedValuesOf("timeZone")}
        maxLength={64}
        value={values.zone}
        onChange={(zone) => set({ zone })}
      />
    </>
  );
}

type RepeatProps = PartProps & { problem: string | undefined };

function RepeatFields({ values, set, problem }: RepeatProps) {
  const words = useTopic(scheduleTexts).form;
  const { language } = usePreferences();
  const { repeat } = values;
  const weekdays = [1, 2, 3, 4, 5, 6, 7].map((day) => [day, nameWeekday(day, language)]);
  const monthDays = Array.from({ length: 31 }, (_, index) => [index + 1, String(index + 1)]);
  return (
    <div className={row}>
      <ChoiceField
        label={words.repeat}
        value={repeat}
        options={words.repeats}
        onChange={(next) => set({ repeat: next })}
      />
      {repeat === "weekly" && (
        <ChoiceField
          label={words.weekday}
          value={values.weekday}
          options={Object.fromEntries(weekdays)}
          onChange={(weekday) => set({ weekday })}
        />
      )}
      {repeat === "monthly" && (
        <ChoiceField
          label={words.monthDay}
          value={values.monthDay}
          options={Object.fromEntries(monthDays)}
          onChange={(monthDay) => set({ monthDay })}
        />
      )}
      {repeat === "expression" ? (
        <InputField
          label={words.expression}
          hint={words.expressionHint}
          problem={problem}
          className="font-mono"
          maxLength={200}
          value={values.expression}
          onChange={(expression) => set({ expression })}
        />
      ) : (
        <InputField
          label={words.time}
          problem={problem}
          type="time"
          required
          value={values.time}
          onChange={(time) => set({ time })}
        />
      )}
    </div>
  );
}
