// A group of settings as a card, with the groups below it; in an open one, blocks can be added by name.
import { Plus, RotateCcw, Trash2 } from "lucide-react";
import { type FormEvent, useId, useState } from "react";
import { useTopic } from "../../app/preferences.tsx";
import { Button, IconButton } from "../../components/button.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { Input, Select, Switch, TextArea } from "../../components/field.tsx";
import * as settingsTexts from "../../words/settings.ts";
import { fromText, masked, type SettingField, type SettingGroup, toText } from "./schema.ts";
import { type Settings, useSettingTexts } from "./use-settings.ts";

interface GroupCardProps {
  group: SettingGroup;
  settings: Settings;
  /** The name that the user gave to this block. */
  name?: string;
}

export function GroupCard({ group, settings, name }: GroupCardProps) {
  const words = useTopic(settingsTexts);
  const { nameOf, describe } = useSettingTexts();
  const { path, fields, groups, isOpen } = group;
  if (name !== undefined && settings.isChanged(path) && !settings.isOwn(path)) return null;
  return (
    <section className="flex flex-col gap-4">
      {(fields.length > 0 || isOpen) && (
        <Card>
          <header className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <h2 className="font-semibold">{name ?? (describe(group) || nameOf(group))}</h2>
            {name !== undefined && (
              <IconButton
                label={words.removeBlock(name)}
                icon={Trash2}
                onClick={() => settings.change(path, null)}
              />
            )}
          </header>
          <div className="divide-y divide-line">
            {fields.map((field) => (
              <SettingRow key={field.path.join(".")} field={field} settings={settings} />
            ))}
          </div>
          {isOpen && <AddBlock group={group} settings={settings} />}
        </Card>
      )}
      {groups.map((inner) => (
        <GroupCard
          key={inner.path.join(".")}
          group={inner}
          settings={settings}
          {...(isOpen && { name: inner.path.at(-1) ?? "" })}
        />
      ))}
    </section>
  );
}

function AddBlock({ group: { path }, settings }: { group: SettingGroup; settings: Settings }) {
  const words = useTopic(settingsTexts);
  const [name, setName] = useState("");
  const add = (event: FormEvent) => {
    event.preventDefault();
    const wanted = name.trim();
    if (wanted === "" || settings.isOwn([...path, wanted])) return;
    settings.change([...path, wanted], {});
    setName("");
  };
  return (
    <form onSubmit={add} className="flex flex-wrap gap-2 px-5 py-4">
      <Input
        aria-label={words.blockName}
        placeholder={words.blockName}
        value={name}
        onChange={({ target }) => setName(target.value)}
        className="max-w-60"
      />
      <Button type="submit" icon={Plus} disabled={name.trim() === ""}>
        {words.addBlock}
      </Button>
    </form>
  );
}

interface SettingRowProps {
  field: SettingField;
  settings: Settings;
}

function SettingRow({ field, settings }: SettingRowProps) {
  const words = useTopic(settingsTexts);
  const { nameOf, describe } = useSettingTexts();
  const id = useId();
  const { path } = field;
  const problem = settings.problemOf(path);
  const variable = settings.query.data?.variables[path.join(".")];
  const isWide = ["texts", "map", "json"].includes(field.kind);
  return (
    <div
      className={`grid gap-x-6 gap-y-2 px-5 py-4 ${isWide ? "" : "md:grid-cols-[minmax(0,1fr)_18rem] md:items-center"}`}
    >
      <div className="min-w-0">
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <label htmlFor={id} title={path.join(".")} className="font-medium">
            {nameOf(field)}
          </label>
          {settings.isChanged(path) && <Badge tone="accent">{words.notSaved}</Badge>}
          {!settings.isChanged(path) && settings.isOwn(path) && <Badge>{words.changed}</Badge>}
          {variable && <Badge tone="warn">{words.fromVariable(variable)}</Badge>}
        </div>
        <p className="text-small text-muted">
          <Marked text={describe(field)} />
        </p>
        {problem && (
          <p id={`${id}-problem`} role="alert" className="mt-1 text-small text-bad">
            {problem}
          </p>
        )}
      </div>
      <div className="flex items-center gap-2">
        <Control {...{ field, settings, id }} isInvalid={problem !== undefined} />
        <IconButton
          label={words.reset}
          icon={RotateCcw}
          className={settings.isOwn(path) ? "" : isWide ? "hidden" : "invisible"}
          onClick={() => settings.change(path, null)}
        />
      </div>
    </div>
  );
}

/** Text between backticks as code. */
function Marked({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same word may be in a sentence twice.
      <code key={index} className="font-mono text-small">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

type ControlProps = SettingRowProps & { id: string; isInvalid: boolean };

function Control({ field, settings, id, isInvalid }: ControlProps) {
  const { nameOf } = useSettingTexts();
  const { path, kind, choices, fallback } = field;
  const value = settings.valueOf(path);
  const change = (next: unknown) => settings.change(path, next);
  const marks = {
    id,
    "aria-invalid": isInvalid,
    "aria-describedby": isInvalid ? `${id}-problem` : undefined,
  };
  if (kind === "switch")
    return (
      <div className="flex flex-1 md:justify-end">
        <Switch id={id} label={nameOf(field)} isOn={(value ?? fallback) === true} onChange={change} />
      </div>
    );
  if (kind === "choice")
    return (
      <Select
        {...marks}
        value={String(value ?? fallback ?? "")}
        onChange={({ target }) => change(target.value || null)}
      >
        {fallback === undefined && <option value="">–</option>}
        {choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </Select>
    );
  return <TextControl {...{ field, marks, value, change }} />;
}

interface TextControlProps {
  field: SettingField;
  marks: { id: string; "aria-invalid": boolean; "aria-describedby": string | undefined };
  value: unknown;
  change(value: unknown): void;
}

/** Shows the typed text while it means the value, so that nothing jumps under the cursor. */
function TextControl({ field: { kind, fallback }, marks, value, change }: TextControlProps) {
  const words = useTopic(settingsTexts);
  const [typed, setTyped] = useState("");
  const isTyped = JSON.stringify(fromText(typed, kind)) === JSON.stringify(value ?? null);
  const common = {
    ...marks,
    value: isTyped ? typed : toText(value, kind),
    spellCheck: false,
    onChange({ target }: { target: { value: string } }) {
      setTyped(target.value);
      change(fromText(target.value, kind));
    },
  };
  if (kind === "texts" || kind === "map" || kind === "json")
    return <TextArea {...common} className="font-mono text-small" placeholder={words.placeholders[kind]} />;
  const isSecret = kind === "secret";
  return (
    <Input
      {...common}
      type={isSecret ? "password" : "text"}
      inputMode={kind === "number" ? "decimal" : undefined}
      autoComplete="off"
      placeholder={isSecret ? words.placeholders.secret : toText(fallback, kind)}
      onFocus={({ target }) => {
        if (target.value === masked) target.select();
      }}
    />
  );
}
