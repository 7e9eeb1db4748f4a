// Setting up a channel: the steps, a form made of its schema, and a test against the platform itself.
import { useState } from "react";
import type { FormField } from "../../../../src/api/channels/channel-block.ts";
import type { ChannelCard, CheckResult } from "../../../../src/api/channels/channels.ts";
import type { ParamsOf } from "../../../../src/api/index.ts";
import type { Problem } from "../../../../src/server/protocol.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { AreaField, ChoiceField, InputField, Switch } from "../../components/field.tsx";
import { Loaded } from "../../components/states.tsx";
import { useMutation, useQuery, useSay } from "../../wire/hooks.tsx";
import * as channelsTexts from "../../words/channels.ts";

type FormValues = ParamsOf<"channels.save">["values"];
/** Undefined: what was typed is taken back, and what is saved stays. */
type TypedValues = Record<string, FormValues[string] | undefined>;

/** Shown first, with the required fields; the others have good defaults. */
const first = ["enabled", "domain", "smtpUsername", "smtpPassword", "fromAddress", "allowFrom"];

export function ChannelDialog({ channel, onClose }: { channel: ChannelCard; onClose(): void }) {
  const words = useTopic(channelsTexts);
  const { shell } = useWords();
  const { name, install } = channel;
  const query = useQuery("channels.form", { name });
  const [values, setValues] = useState<TypedValues>({});
  const say = useSay();
  const [result, setResult] = useState<CheckResult>();
  // Of the latest attempt to save or test.
  const [problem, setProblem] = useState<Problem>();
  const save = useMutation("channels.save", {
    isQuiet: true,
    done: () => ({ text: words.saved, tone: "good" }),
  });
  const check = useMutation("channels.check", { isQuiet: true });
  const steps = words.guides[name] ?? [];
  const change = (key: string, value: TypedValues[string]) => {
    setValues((before) => ({ ...before, [key]: value }));
    setResult(undefined);
  };
  const submit = async () => {
    const outcome = await save.run({ name, values: tidy(values) });
    setProblem(outcome.ok ? undefined : outcome.problem);
    if (outcome.ok) onClose();
  };
  const test = async () => {
    const outcome = await check.run({ name, values: tidy(values) });
    setProblem(outcome.ok ? undefined : outcome.problem);
    setResult(outcome.ok ? outcome.result : undefined);
  };
  const actions = install === undefined && query.data && (
    <>
      {query.data.canCheck && (
        <Button className="mr-auto" isBusy={check.isRunning} onClick={() => void test()}>
          {check.isRunning ? words.testing : words.test}
        </Button>
      )}
      <Button tone="primary" type="submit" isBusy={save.isRunning}>
        {shell.save}
      </Button>
    </>
  );
  const refusal = result?.isGood === false ? `${words[result.kind]} ${say(result.reason)}` : undefined;
  const isAtField = ({ path }: { path: string }) =>
    query.data?.fields.some(({ key }) => path === `values.${key}`);
  return (
    <Dialog
      title={words.names[name] ?? name}
      width="wide"
      onClose={onClose}
      onSubmit={() => void submit()}
      problem={refusal ?? (problem?.fields?.every(isAtField) ? undefined : problem?.message)}
      success={result?.isGood ? words.good(result.name) : undefined}
      actions={actions}
    >
      <div className="flex flex-col gap-5">
        {steps.length > 0 && <Guide steps={steps} isOpen={!channel.isEnabled} />}
        {install !== undefined && (
          <div className="text-small">
            <p>{words.install}</p>
            <code className="mt-1 block overflow-x-auto rounded-control bg-code px-3 py-2 font-mono">
              {install}
            </code>
          </div>
        )}
        <Loaded query={query} lines={6}>
          {({ fields }) => <Fields fields={fields} values={values} problem={problem} onChange={change} />}
        </Loaded>
      </div>
    </Dialog>
  );
}

/** Without the empty lines that typing leaves in a list. */
function tidy(values: TypedValues): FormValues {
  const lines = (value: FormValues[string]) =>
    Array.isArray(value) ? value.map((line) => line.trim()).filter(Boolean) : value;
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, lines(value)]])),
  );
}

function Guide({ steps, isOpen }: { steps: string[]; isOpen: boolean }) {
  const words = useTopic(channelsTexts);
  return (
    <details open={isOpen} className="rounded-card bg-raised px-5 py-3 text-small">
      <summary className="font-medium">{words.guide}</summary>
      <ol className="mt-2 list-decimal space-y-1.5 pl-5">
        {steps.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}

interface FieldsProps {
  fields: FormField[];
  values: TypedValues;
  problem: Problem | undefined;
  onChange(key: string, value: TypedValues[string]): void;
}

function Fields({ fields, values, problem, onChange }: FieldsProps) {
  const words = useTopic(channelsTexts);
  const isFirst = ({ key, isNeeded }: FormField) => isNeeded || first.includes(key);
  const find = (key: string) => problem?.fields?.find(({ path }) => path === `values.${key}`)?.message;
  const draw = (field: FormField) => (
    <ChannelField
      key={field.key}
      field={field}
      changed={values[field.key]}
      problem={find(field.key)}
      onChange={(value) => onChange(field.key, value)}
    />
  );
  const others = fields.filter((field) => !isFirst(field));
  const isWrong = others.some(({ key }) => find(key) !== undefined);
  return (
    <div className="flex flex-col gap-4">
      {fields
        .filter(isFirst)
        .toSorted((a, b) => Number(b.key === "enabled") - Number(a.key === "enabled"))
        .map(draw)}
      {others.length > 0 && (
        <details open={isWrong || undefined}>
          <summary className="text-small font-medium text-accent">{words.moreFields}</summary>
          <div className="mt-3 flex flex-col gap-4">{others.map(draw)}</div>
        </details>
      )}
    </div>
  );
}

type FieldValue = NonNullable<FormField["value"]>;

interface ChannelFieldProps {
  field: FormField;
  /** What was typed; undefined: as it is saved. */
  changed: FieldValue | null | undefined;
  problem: string | undefined;
  /** null: the usual value again; undefined: as it is saved. */
  onChange(value: FieldValue | null | undefined): void;
}

function ChannelField({ field, changed, problem, onChange }: ChannelFieldProps) {
  const words = useTopic(channelsTexts);
  const { key, kind, about, usual } = field;
  // A required switch can be wrong in one way only.
  const shownProblem = problem && kind === "switch" && field.isNeeded ? words.needed : problem;
  const what = words.abouts[key] ?? about;
  const label = words.labels[key] || what || key;
  const value = changed === undefined ? field.value : (changed ?? undefined);
  const hint = [label !== what && what, kind === "list" && words.listHint].filter(Boolean).join(" ");
  if (kind === "switch")
    return (
      <div className="flex items-center justify-between gap-4">
        <span className="min-w-0">
          <span className="text-small font-medium">{label}</span>
          <span className={`block text-small ${shownProblem ? "text-bad" : "text-muted"}`}>
            {shownProblem ?? hint}
          </span>
        </span>
        <Switch label={label} isOn={(value ?? usual) === true} onChange={onChange} />
      </div>
    );
  const change = (text: string) => onChange(fromText(text, kind));
  const common = { label, hint, problem: shownProblem, onChange: change };
  if (kind === "choice") {
    const choices = [...(usual === undefined ? [""] : []), ...(field.choices ?? [])];
    const options = Object.fromEntries(choices.map((choice) => [choice, choice]));
    return <ChoiceField {...common} value={String(value ?? usual ?? "")} options={options} />;
  }
  if (kind === "list") return <AreaField {...common} value={Array.isArray(value) ? value.join("\n") : ""} />;
  const placeholder = kind === "secret" && field.isSet ? words.isSet : String(usual ?? "");
  return (
    <InputField
      {...common}
      type={kind === "secret" ? "password" : kind}
      step="any"
      autoComplete="off"
      maxLength={5_000}
      placeholder={placeholder}
      value={String(value ?? "")}
    />
  );
}

function fromText(text: string, kind: FormField["kind"]): FieldValue | null | undefined {
  if (kind === "list") return text.split("\n");
  // An empty field says that the secret is kept as it is.
  if (text === "") return kind === "secret" ? undefined : null;
  return kind === "number" ? Number(text) : text;
}
