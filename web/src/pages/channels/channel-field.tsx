// One field of a channel's form, drawn by its kind.
import type { FormField } from "../../../../src/api/channels/form-fields.ts";
import { Switch } from "../../components/field.tsx";
import { AreaField, ChoiceField, InputField } from "../../components/labelled.tsx";
import { useWords } from "../../words/use-words.ts";

type FieldValue = NonNullable<FormField["value"]>;

export interface ChannelFieldProps {
  field: FormField;
  /** What was typed; undefined: as it is saved. */
  changed: FieldValue | null | undefined;
  problem: string | undefined;
  /** null: the usual value again; undefined: as it is saved. */
  onChange(value: FieldValue | null | undefined): void;
}

export function ChannelField({ field, changed, problem, onChange }: ChannelFieldProps) {
  const words = useWords().channels;
  const { key, kind, about, usual } = field;
  // A switch that is needed can be wrong in one way only.
  const told = problem && kind === "switch" && field.isNeeded ? words.needed : problem;
  const what = words.abouts[key] ?? about;
  const label = words.labels[key] || what || key;
  const value = changed === undefined ? field.value : (changed ?? undefined);
  const hint = [label !== what && what, kind === "list" && words.listHint].filter(Boolean).join(" ");
  if (kind === "switch")
    return (
      <div className="flex items-center justify-between gap-4">
        <span className="min-w-0">
          <span className="text-small font-medium">{label}</span>
          <span className={`block text-small ${told ? "text-bad" : "text-muted"}`}>{told ?? hint}</span>
        </span>
        <Switch label={label} isOn={(value ?? usual) === true} onChange={onChange} />
      </div>
    );
  const change = (text: string) => onChange(fromText(text, kind));
  const common = { label, hint, problem: told, onChange: change };
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
