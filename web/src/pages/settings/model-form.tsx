// The model: the card that says which one answers, and the form to choose another. A model is tested with one real
// question before it is used. The form is also part of the first start.
import { ChevronDown, CircleCheck, CircleX, Cpu, ExternalLink, FlaskConical } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { ResultOf } from "../../../../src/api/index.ts";
import type { HostCard, ModelPlan, ModelTrial } from "../../../../src/api/models/models.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { usePlace } from "../../app/router.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { InputField } from "../../components/field.tsx";
import { ModelField } from "../../components/model-picker.tsx";
import { Loaded } from "../../components/states.tsx";
import type { Outcome } from "../../wire/connection.ts";
import { joinQueries, useMutation, useQuery, useSay } from "../../wire/hooks.tsx";
import * as settingsTexts from "../../words/settings.ts";
import { customHost, HostPicker } from "../start/host-picker.tsx";
import { SignInField } from "./sign-in-field.tsx";

export function ModelCard() {
  const query = joinQueries({
    state: useQuery("models.state", {}, { topic: "config" }),
    hosts: useQuery("models.hosts", {}, { topic: "config" }),
  });
  return (
    <Loaded query={query} lines={3}>
      {({ state, hosts }) => <CurrentModel state={state} hosts={hosts.hosts} />}
    </Loaded>
  );
}

function CurrentModel({ state, hosts }: { state: ResultOf<"models.state">; hosts: HostCard[] }) {
  const words = useTopic(settingsTexts).model;
  const say = useSay();
  const { model, host, why, isOffline } = state;
  const [isOpen, setIsOpen] = useState(usePlace().query.has("connect"));
  const current = hosts.find(({ label, name }) => label === host || name === host);
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-4 px-5 py-4">
        <span className="grid size-10 shrink-0 place-items-center rounded-full bg-accent-soft text-accent">
          <Cpu aria-hidden className="size-5" />
        </span>
        <div className="min-w-52 flex-1">
          <h2 className="flex flex-wrap items-center gap-2 font-semibold break-words">
            {isOffline ? words.offline : model}
            {isOffline && <Badge tone="warn">{words.offlineMark}</Badge>}
          </h2>
          <p className="text-small text-muted">
            {isOffline ? words.offlineAbout : [host, say(why)].filter(Boolean).join(" · ")}
          </p>
        </div>
        <Button icon={ChevronDown} aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
          {words.choose}
        </Button>
      </div>
      {isOpen && (
        <div className="border-t border-line p-5 *:max-w-xl">
          <ModelForm
            canTest
            hosts={hosts}
            {...(current && { start: { host: current.name, model } })}
            onDone={() => {
              showToast({ text: words.saved, tone: "good" });
              setIsOpen(false);
            }}
          />
        </div>
      )}
    </Card>
  );
}

interface ModelFormProps {
  hosts: HostCard[];
  /** The current model, to begin with. */
  start?: { host: string; model: string };
  onDone(): void;
  /** Whether it can be tested without using it. */
  canTest?: boolean;
}

export function ModelForm({ hosts, start, onDone, canTest = false }: ModelFormProps) {
  const words = useTopic(settingsTexts).model;
  const { start: startWords } = useWords();
  const [plan, setPlan] = useState<ModelPlan>(() => toPlan(hosts, start));
  const { trial, isUsing, isTesting, clear, test, use } = useTrial(onDone);
  const host = hosts.find(({ name }) => name === plan.host);
  const needsAddress = host === undefined || host.needsAddress;
  const params = { ...plan, ...(plan.apiBase === "" && { apiBase: undefined }) };
  const list = useHostModels(params, canAsk(host, plan));
  const change = (part: Partial<ModelPlan>) => {
    clear();
    setPlan((before) => ({ ...before, ...part }));
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void use(params);
  };
  const isDisabled = isUsing || isTesting || plan.model.trim() === "" || (needsAddress && !plan.apiBase);
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <HostPicker
        hosts={hosts}
        value={plan.host}
        onChange={(name) => change(toPlan(hosts, { host: name, model: "" }))}
      />
      {needsAddress && (
        <InputField
          label={words.address}
          hint={words.addressHint}
          type="url"
          required
          pattern="https?://.+"
          placeholder="http://127.0.0.1:8000/v1"
          value={plan.apiBase ?? ""}
          onChange={(apiBase) => change({ apiBase: apiBase.trim() })}
          onBlur={list.ask}
        />
      )}
      {host?.signIn && <SignInField key={host.name} host={host} />}
      <KeyField
        host={host}
        value={plan.apiKey ?? ""}
        onChange={(apiKey) => change({ apiKey })}
        onBlur={list.ask}
      />
      <ModelField models={list.models} value={plan.model} onChange={(model) => change({ model })} />
      {list.isAsking && <p className="text-small text-muted">{startWords.loadingModels}</p>}
      {list.canAsk && (
        <Button className="self-start" onClick={list.ask}>
          {startWords.showModels}
        </Button>
      )}
      <TrialNote trial={trial ?? list.problem} hosts={hosts} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" isBusy={isUsing} disabled={isDisabled}>
          {isUsing ? words.trying : canTest ? words.use : startWords.start}
        </Button>
        {canTest && (
          <Button
            icon={FlaskConical}
            isBusy={isTesting}
            disabled={isDisabled}
            onClick={() => void test(params)}
          >
            {isTesting ? words.trying : words.test}
          </Button>
        )}
      </div>
    </form>
  );
}

/** There is enough to ask the host for its models. */
function canAsk(host: HostCard | undefined, { apiKey, apiBase }: ModelPlan): boolean {
  const hasAddress = (host !== undefined && !host.needsAddress) || /^https?:\/\/./.test(apiBase ?? "");
  return hasAddress && (host?.needsKey !== true || host.key !== undefined || (apiKey ?? "").length >= 8);
}

/** The models of a host, asked for when its key and address are complete: at once where nothing has to be typed. */
function useHostModels({ model: _, ...access }: ModelPlan, isComplete: boolean) {
  const say = useSay();
  const text = JSON.stringify(access);
  const isTyped = Boolean(access.apiKey || access.apiBase);
  const [asked, setAsked] = useState("");
  const isEnabled = isComplete && (asked === text || !isTyped);
  const { data, problem } = useQuery("models.list", access, { isEnabled });
  const reason = data?.problem ? say(data.problem) : problem?.message;
  const isAnswered = data !== undefined || problem !== undefined;
  return {
    models: data?.models ?? [],
    problem: reason === undefined ? undefined : ({ ok: false, message: reason } as const),
    isAsking: isEnabled && !isAnswered,
    canAsk: isComplete && !isEnabled,
    ask: () => setAsked(text),
  };
}

function toPlan(hosts: HostCard[], start?: { host: string; model: string }): ModelPlan {
  const host = hosts.find(({ name }) => name === start?.host);
  if (start !== undefined && host === undefined) return { apiKey: "", apiBase: "", ...start };
  const chosen = host ?? hosts[0];
  const model = start?.model || (chosen?.defaultModel ?? "");
  return { host: chosen?.name ?? customHost, model, apiKey: "", apiBase: "" };
}

interface KeyFieldProps {
  host: HostCard | undefined;
  value: string;
  onChange(value: string): void;
  onBlur(): void;
}

function KeyField({ host, value, onChange, onBlur }: KeyFieldProps) {
  const words = useTopic(settingsTexts).model;
  const { costs } = useWords().start;
  if (host?.kind === "local" || host?.signIn) return null;
  const known =
    host?.key && (host.key.from === "config" ? words.keyInConfig : words.keyInVariable(host.key.variable));
  const page = host?.keyPage && (
    <>
      <a
        href={host.keyPage}
        target="_blank"
        rel="noreferrer"
        className="inline-flex items-center gap-1 text-accent underline underline-offset-2"
      >
        {words.getKey(host.label)}
        <ExternalLink aria-hidden className="size-3.5" />
      </a>
      <span className="block">{costs}</span>
    </>
  );
  return (
    <InputField
      label={words.key}
      hint={known ?? page ?? (host?.needsKey ? costs : words.keyOptional)}
      type="password"
      autoComplete="off"
      spellCheck={false}
      required={host?.needsKey === true && host.key === undefined}
      placeholder={host?.key ? words.keepKey : words.pasteKey}
      value={value}
      onChange={onChange}
      onBlur={onBlur}
    />
  );
}

type ShownTrial = Extract<ModelTrial, { ok: true }> | { ok: false; message: string };

/** Tests a model with one question, and uses it if it answered. */
export function useTrial(onUsed: () => void) {
  const say = useSay();
  const using = useMutation("models.use", { isQuiet: true });
  const testing = useMutation("models.test", { isQuiet: true });
  const [trial, setTrial] = useState<ShownTrial>();
  const settle = (outcome: Outcome<ModelTrial>) => {
    if (!outcome.ok) setTrial({ ok: false, message: outcome.problem.message });
    else if (outcome.result.ok) setTrial(outcome.result);
    else setTrial({ ok: false, message: say(outcome.result.problem) });
    return outcome.ok && outcome.result.ok;
  };
  return {
    trial,
    isUsing: using.isRunning,
    isTesting: testing.isRunning,
    clear: () => setTrial(undefined),
    test: async (plan: ModelPlan) => void settle(await testing.run(plan)),
    use: async (plan: ModelPlan) => settle(await using.run(plan)) && onUsed(),
  };
}

export function TrialNote({ trial, hosts }: { trial: ShownTrial | undefined; hosts: HostCard[] }) {
  const words = useTopic(settingsTexts).model;
  if (trial === undefined) return <div aria-live="polite" />;
  const Icon = trial.ok ? CircleCheck : CircleX;
  const tone = trial.ok ? "bg-good-soft text-good" : "bg-bad-soft text-bad";
  const label = trial.ok ? (hosts.find(({ name }) => name === trial.host)?.label ?? trial.host) : "";
  return (
    <div aria-live="polite">
      <p className={`flex items-start gap-2 rounded-control px-3 py-2 text-small ${tone}`}>
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
        <span className="min-w-0 break-words">
          {trial.ok ? words.works(label, (trial.ms / 1000).toFixed(1)) : trial.message}
        </span>
      </p>
    </div>
  );
}
