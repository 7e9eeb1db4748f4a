// One setting: what it is for, its key, where its value comes from, and the control for it.
import { RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import { IconButton } from "../../components/button.tsx";
import { Badge } from "../../components/card.tsx";
import { Input, Select, Switch, TextArea } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";
import { fromText, masked, toText } from "./field-text.ts";
import type { SettingField } from "./schema.ts";
import { useAbout } from "./use-about.ts";
import type { Settings } from "./use-settings.ts";

export interface SettingRowProps {
  field: SettingField;
  settings: Settings;
}

export function SettingRow({ field, settings }: SettingRowProps) {
  const words = useWords().settings;
  const about = useAbout();
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
        <label htmlFor={id} className="font-medium">
          <Marked text={about(field) || (path.at(-1) ?? "")} />
        </label>
        <div className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-1">
          <code className="font-mono text-tiny break-all text-muted">{path.join(".")}</code>
          {settings.isChanged(path) && <Badge tone="accent">{words.notSaved}</Badge>}
          {!settings.isChanged(path) && settings.isOwn(path) && <Badge>{words.changed}</Badge>}
          {variable && <Badge tone="warn">{words.fromVariable(variable)}</Badge>}
        </div>
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

/** What stands between backticks is code. */
function Marked({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same word may stand twice in a sentence.
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
  const words = useWords().settings;
  const about = useAbout();
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
        <Switch id={id} label={about(field)} isOn={(value ?? fallback) === true} onChange={change} />
      </div>
    );
  if (kind === "choice")
    return (
      <Select
        {...marks}
        value={String(value ?? fallback ?? "")}
        onChange={({ target }) => change(target.value || null)}
      >
        {fallback === undefined && <option value="">{words.none}</option>}
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

/** Shows what was typed for as long as it means the value, so that nothing jumps under the cursor. */
function TextControl({ field: { kind, fallback }, marks, value, change }: TextControlProps) {
  const words = useWords().settings;
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
