// Setting up a channel: the steps, a form made of its schema, and a test against the platform itself.
import { CircleCheck, CircleX } from "lucide-react";
import { useId, useState } from "react";
import type {
  ChannelCard,
  CheckResult,
  FormField,
  FormValues,
} from "../../../../src/server/protocol/channels.ts";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Loaded } from "../../components/loaded.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { ChannelField } from "./channel-field.tsx";

/** Asked for first, beside what is needed: everything else has a default that fits most. */
const first = ["enabled", "domain", "smtpUsername", "smtpPassword", "fromAddress", "allowFrom"];

export function ChannelDialog({ channel, onClose }: { channel: ChannelCard; onClose(): void }) {
  const words = useWords().channels;
  const { name, install } = channel;
  const query = useQuery("channels.form", { name });
  const { showToast } = useToasts();
  const [values, setValues] = useState<FormValues>({});
  const [result, setResult] = useState<CheckResult>();
  const save = useMutation("channels.save", { isQuiet: true });
  const check = useMutation("channels.check", { isQuiet: true });
  const form = useId();
  const steps = words.guides[name] ?? [];
  // The latest attempt tells what is wrong.
  const [problem, setProblem] = useState(save.problem);
  const change = (key: string, value: FormValues[string]) => {
    setValues((before) => ({ ...before, [key]: value }));
    setResult(undefined);
  };
  const submit = async () => {
    const outcome = await save.run({ name, values: tidy(values) });
    setProblem(outcome.ok ? undefined : outcome.problem);
    if (!outcome.ok) return;
    showToast({ text: words.saved, tone: "good" });
    onClose();
  };
  const test = async () => {
    const outcome = await check.run({ name, values: tidy(values) });
    setProblem(outcome.ok ? undefined : outcome.problem);
    setResult(outcome.ok ? outcome.result : undefined);
  };
  const actions = install === undefined && (
    <>
      {query.data?.canCheck && (
        <Button className="mr-auto" isBusy={check.isRunning} onClick={() => void test()}>
          {words.test}
        </Button>
      )}
      <Button tone="primary" type="submit" form={form} isBusy={save.isRunning}>
        {words.save}
      </Button>
    </>
  );
  return (
    <Dialog isOpen title={words.names[name] ?? name} width="wide" onClose={onClose} actions={actions}>
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
          {({ fields }) => (
            <form
              id={form}
              className="flex flex-col gap-4"
              onSubmit={(event) => {
                event.preventDefault();
                void submit();
              }}
            >
              <Fields fields={fields} values={values} problem={problem} onChange={change} />
            </form>
          )}
        </Loaded>
        <Result result={result} refusal={problem?.fields ? undefined : problem?.message} />
      </div>
    </Dialog>
  );
}

/** Without the empty lines that typing leaves in a list. */
function tidy(values: FormValues): FormValues {
  const lines = (value: FormValues[string]) =>
    Array.isArray(value) ? value.map((line) => line.trim()).filter(Boolean) : value;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, lines(value)]));
}

function Guide({ steps, isOpen }: { steps: string[]; isOpen: boolean }) {
  const words = useWords().channels;
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
  values: FormValues;
  problem: { fields?: Array<{ path: string; message: string }> } | undefined;
  onChange(key: string, value: FormValues[string]): void;
}

function Fields({ fields, values, problem, onChange }: FieldsProps) {
  const words = useWords().channels;
  const isFirst = ({ key, isNeeded }: FormField) => isNeeded || first.includes(key);
  const draw = (field: FormField) => {
    const message = problem?.fields?.find(({ path }) => path === `values.${field.key}`)?.message;
    const { key } = field;
    return (
      <ChannelField
        key={key}
        field={field}
        changed={values[key]}
        problem={message}
        onChange={(value) => onChange(key, value)}
      />
    );
  };
  const others = fields.filter((field) => !isFirst(field));
  const isWrong = others.some(({ key }) => problem?.fields?.some(({ path }) => path === `values.${key}`));
  return (
    <>
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
    </>
  );
}

function Result({ result, refusal }: { result: CheckResult | undefined; refusal: string | undefined }) {
  const words = useWords().channels;
  const told =
    result && (result.isGood ? words.good(result.name) : `${words[result.kind]} ${result.message}`);
  const isGood = result?.isGood === true;
  const Icon = isGood ? CircleCheck : CircleX;
  const text = told ?? refusal;
  return (
    <div aria-live="polite">
      {text && (
        <p
          className={`flex items-start gap-2 rounded-control px-3 py-2 text-small ${isGood ? "bg-good-soft text-good" : "bg-bad-soft text-bad"}`}
        >
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
          <span className="min-w-0 break-words">{text}</span>
        </p>
      )}
    </div>
  );
}
