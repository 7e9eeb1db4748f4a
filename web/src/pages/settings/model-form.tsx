// Host, key and model, tried with one real question before they are kept. In the settings and at the first start.
import { ExternalLink, FlaskConical } from "lucide-react";
import { type FormEvent, useState } from "react";
import type { HostCard, ModelPlan } from "../../../../src/api/models/models.ts";
import { Button } from "../../components/button.tsx";
import { Field, Input, Select } from "../../components/field.tsx";
import { useQuery } from "../../wire/use-query.ts";
import { useWords } from "../../words/use-words.ts";
import { TrialNote } from "./trial-note.tsx";
import { useTrial } from "./use-trial.ts";

export interface ModelFormProps {
  hosts: HostCard[];
  /** What is in use, to begin with. */
  start?: { host: string; model: string };
  onDone(): void;
  /** A trial by itself, without using it. */
  canTest?: boolean;
}

/** For a server that is not in the list. */
const own = "custom";

export function ModelForm({ hosts, start, onDone, canTest = false }: ModelFormProps) {
  const words = useWords().settings.model;
  const [plan, setPlan] = useState<ModelPlan>(() => toStart(hosts, start));
  const { trial, isUsing, isTesting, clear, test, use } = useTrial(onDone);
  const host = hosts.find(({ name }) => name === plan.host);
  const local = useQuery("models.local", {}, { isEnabled: host?.kind === "local" });
  const known = local.data?.servers.find((server) => server.host === plan.host)?.models ?? [];
  const needsAddress = host === undefined || host.needsAddress;
  const change = (part: Partial<ModelPlan>) => {
    clear();
    setPlan((before) => ({ ...before, ...part }));
  };
  const wish = { ...plan, ...(plan.apiBase === "" && { apiBase: undefined }) };
  const save = (event: FormEvent) => {
    event.preventDefault();
    void use(wish);
  };
  const isBusy = isUsing || isTesting;
  const isReady = plan.model.trim() !== "" && (!needsAddress || Boolean(plan.apiBase));
  return (
    <form onSubmit={save} className="flex flex-col gap-4">
      <Field label={words.host}>
        {(field) => (
          <Select
            {...field}
            value={plan.host}
            onChange={({ target }) =>
              change({ ...toStart(hosts, { host: target.value, model: "" }), apiKey: "" })
            }
          >
            <HostOptions hosts={hosts} />
            <option value={own}>{words.ownHost}</option>
          </Select>
        )}
      </Field>
      {needsAddress && (
        <Field label={words.address} hint={words.addressHint}>
          {(field) => (
            <Input
              {...field}
              type="url"
              required
              pattern="https?://.+"
              placeholder="http://127.0.0.1:8000/v1"
              value={plan.apiBase ?? ""}
              onChange={({ target }) => change({ apiBase: target.value.trim() })}
            />
          )}
        </Field>
      )}
      <KeyField host={host} value={plan.apiKey ?? ""} onChange={(apiKey) => change({ apiKey })} />
      <Field label={words.model} hint={words.modelHint}>
        {(field) => (
          <>
            <Input
              {...field}
              required
              spellCheck={false}
              autoComplete="off"
              list={`${field.id}-known`}
              value={plan.model}
              onChange={({ target }) => change({ model: target.value })}
            />
            <datalist id={`${field.id}-known`}>
              {known.map((name) => (
                <option key={name} value={name} />
              ))}
            </datalist>
          </>
        )}
      </Field>
      <TrialNote trial={trial} hosts={hosts} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" tone="primary" isBusy={isUsing} disabled={isBusy || !isReady}>
          {isUsing ? words.trying : words.use}
        </Button>
        {canTest && (
          <Button
            icon={FlaskConical}
            isBusy={isTesting}
            disabled={isBusy || !isReady}
            onClick={() => void test(wish)}
          >
            {isTesting ? words.trying : words.test}
          </Button>
        )}
      </div>
    </form>
  );
}

function toStart(hosts: HostCard[], start?: { host: string; model: string }): ModelPlan {
  const host = hosts.find(({ name }) => name === start?.host);
  if (start !== undefined && host === undefined) return { apiKey: "", apiBase: "", ...start };
  const chosen = host ?? hosts[0];
  return {
    host: chosen?.name ?? own,
    model: start?.model || (chosen?.defaultModel ?? ""),
    apiKey: "",
    apiBase: "",
  };
}

function HostOptions({ hosts }: { hosts: HostCard[] }) {
  const words = useWords().settings.model;
  const kinds = ["vendor", "gateway", "local", "direct"] as const;
  return kinds.map((kind) => {
    const some = hosts.filter((host) => host.kind === kind);
    return (
      some.length > 0 && (
        <optgroup key={kind} label={words.kinds[kind]}>
          {some.map(({ name, label, key }) => (
            <option key={name} value={name}>
              {key ? words.hasKey(label) : label}
            </option>
          ))}
        </optgroup>
      )
    );
  });
}

interface KeyFieldProps {
  host: HostCard | undefined;
  value: string;
  onChange(value: string): void;
}

function KeyField({ host, value, onChange }: KeyFieldProps) {
  const words = useWords().settings.model;
  if (host?.kind === "local") return null;
  const known =
    host?.key && (host.key.from === "config" ? words.keyInConfig : words.keyInVariable(host.key.variable));
  const page = host?.keyPage && (
    <a
      href={host.keyPage}
      target="_blank"
      rel="noreferrer"
      className="inline-flex items-center gap-1 text-accent underline underline-offset-2"
    >
      {words.getKey(host.label)}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
  );
  return (
    <Field label={words.key} hint={known ?? page ?? (host?.needsKey ? undefined : words.keyOptional)}>
      {(field) => (
        <Input
          {...field}
          type="password"
          autoComplete="off"
          spellCheck={false}
          required={host?.needsKey === true && host.key === undefined}
          placeholder={host?.key ? words.keepKey : words.pasteKey}
          value={value}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
    </Field>
  );
}
