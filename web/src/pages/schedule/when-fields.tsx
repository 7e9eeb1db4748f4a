// The fields that say when: once, at an interval, or at fixed times. What is wrong is told at its field.
import { useId } from "react";
import type { DraftProblem } from "../../../../src/server/protocol/schedule.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";
import { nameWeekday } from "./describe-schedule.ts";
import { type FormValues, repeats, units } from "./form-values.ts";
import type { PartProps } from "./job-form.tsx";

const unitNames = Object.keys(units) as Array<keyof typeof units>;
const row = "grid gap-3 sm:grid-cols-2";

export function WhenFields({ values, set, problem }: PartProps & { problem: DraftProblem | undefined }) {
  const words = useWords().schedule;
  const told = (field: DraftProblem["field"]) =>
    problem?.field === field ? words.problems[problem.kind] : undefined;
  if (values.kind === "every") return <IntervalFields values={values} set={set} problem={told("everyMs")} />;
  return (
    <>
      {values.kind === "at" ? (
        <Field label={words.form.at} problem={told("at")}>
          {(props) => (
            <Input
              {...props}
              type="datetime-local"
              value={values.at}
              onChange={(event) => set({ at: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <RepeatFields values={values} set={set} problem={told("expr")} />
      )}
      <ZoneField values={values} set={set} problem={told("tz")} />
    </>
  );
}

type Told = PartProps & { problem: string | undefined };

function IntervalFields({ values, set, problem }: Told) {
  const words = useWords().schedule.form;
  return (
    <div className={row}>
      <Field label={words.every} problem={problem}>
        {(props) => (
          <Input
            {...props}
            type="number"
            min={1}
            value={values.count}
            onChange={(event) => set({ count: event.target.value })}
          />
        )}
      </Field>
      <Choice
        label={words.unit}
        value={values.unit}
        options={unitNames.map((unit) => [unit, words.units[unit]])}
        onChange={(unit) => set({ unit: unit as FormValues["unit"] })}
      />
    </div>
  );
}

function RepeatFields({ values, set, problem }: Told) {
  const words = useWords().schedule.form;
  const { language } = usePreferences();
  const { repeat } = values;
  const monthDays = Array.from({ length: 31 }, (_, index) => String(index + 1));
  return (
    <div className={row}>
      <Choice
        label={words.repeat}
        value={repeat}
        options={repeats.map((name) => [name, words.repeats[name]])}
        onChange={(next) => set({ repeat: next as FormValues["repeat"] })}
      />
      {repeat === "weekly" && (
        <Choice
          label={words.weekday}
          value={values.weekday}
          options={[1, 2, 3, 4, 5, 6, 0].map((day) => [String(day), nameWeekday(day, language)])}
          onChange={(weekday) => set({ weekday })}
        />
      )}
      {repeat === "monthly" && (
        <Choice
          label={words.monthDay}
          value={values.monthDay}
          options={monthDays.map((day) => [day, day])}
          onChange={(monthDay) => set({ monthDay })}
        />
      )}
      {repeat === "expression" ? (
        <Field label={words.expression} hint={words.expressionHint} problem={problem}>
          {(props) => (
            <Input
              {...props}
              className="font-mono"
              value={values.expression}
              onChange={(event) => set({ expression: event.target.value })}
            />
          )}
        </Field>
      ) : (
        <Field label={words.time} problem={problem}>
          {(props) => (
            <Input
              {...props}
              type="time"
              value={values.time}
              onChange={(event) => set({ time: event.target.value })}
            />
          )}
        </Field>
      )}
    </div>
  );
}

function ZoneField({ values, set, problem }: Told) {
  const words = useWords().schedule.form;
  const id = useId();
  return (
    <Field label={words.zone} problem={problem}>
      {(props) => (
        <>
          <Input
            {...props}
            list={id}
            value={values.zone}
            onChange={(event) => set({ zone: event.target.value })}
          />
          <datalist id={id}>
            {Intl.supportedValuesOf("timeZone").map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: Array<[value: string, label: string]>;
  onChange(value: string): void;
}

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <Field label={label}>
      {(props) => (
        <Select {...props} value={value} onChange={(event) => onChange(event.target.value)}>
          {options.map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
