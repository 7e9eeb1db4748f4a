// The fields that say when: once, at an interval, or at fixed times. What is wrong is told at its field.
import { useId } from "react";
import type { ResultOf } from "../../../../src/api/table.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { ChoiceField, InputField } from "../../components/labelled.tsx";
import { useWords } from "../../words/use-words.ts";
import { nameWeekday } from "./describe-schedule.ts";
import { longestMs, units } from "./form-values.ts";
import type { PartProps } from "./job-form.tsx";

const row = "grid gap-3 sm:grid-cols-2";

type DraftProblem = ResultOf<"jobs.preview">["problem"];

export function WhenFields({ values, set, problem }: PartProps & { problem: DraftProblem }) {
  const { form, problems } = useWords().schedule;
  const told = (field: "at" | "everyMs" | "expr" | "tz") =>
    problem?.path === field ? problems[problem.phrase.code] : undefined;
  if (values.kind === "every")
    return (
      <div className={row}>
        <InputField
          label={form.every}
          problem={told("everyMs")}
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
          problem={told("at")}
          type="datetime-local"
          max="2999-12-31T23:59"
          value={values.at}
          onChange={(at) => set({ at })}
        />
      ) : (
        <RepeatFields values={values} set={set} problem={told("expr")} />
      )}
      <ZoneField values={values} set={set} problem={told("tz")} />
    </>
  );
}

type Told = PartProps & { problem: string | undefined };

function RepeatFields({ values, set, problem }: Told) {
  const words = useWords().schedule.form;
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

function ZoneField({ values, set, problem }: Told) {
  const words = useWords().schedule.form;
  const id = useId();
  return (
    <>
      <InputField
        label={words.zone}
        problem={problem}
        list={id}
        maxLength={64}
        value={values.zone}
        onChange={(zone) => set({ zone })}
      />
      <datalist id={id}>
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </>
  );
}
