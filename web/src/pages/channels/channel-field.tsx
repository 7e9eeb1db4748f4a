// One field of a channel's form, drawn by its kind.
import type { FieldValue, FormField } from "../../../../src/server/protocol/channels.ts";
import { Field, Input, Select, Switch, TextArea } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";

export interface ChannelFieldProps {
  field: FormField;
  /** What was typed; undefined: as it is saved. */
  changed: FieldValue | null | undefined;
  problem: string | undefined;
  /** null: the usual value again. */
  onChange(value: FieldValue | null): void;
}

export function ChannelField({ field, changed, problem, onChange }: ChannelFieldProps) {
  const words = useWords().channels;
  const { key, kind, about, usual } = field;
  // A switch that is needed can be wrong in one way only.
  const isMissing = problem === "is missing" || (kind === "switch" && field.isNeeded);
  const told = problem && isMissing ? words.needed : problem;
  const label = words.labels[key] ?? key;
  const value = changed === undefined ? field.value : (changed ?? undefined);
  const hint = [words.abouts[key] ?? about, kind === "list" && words.listHint].filter(Boolean).join(" ");
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
  return (
    <Field label={label} hint={hint} problem={told}>
      {(props) => {
        const typed = ({ target }: { target: { value: string } }) => onChange(fromText(target.value, kind));
        if (kind === "choice")
          return (
            <Select {...props} value={String(value ?? usual ?? "")} onChange={typed}>
              {usual === undefined && <option value="" />}
              {field.choices?.map((choice) => (
                <option key={choice}>{choice}</option>
              ))}
            </Select>
          );
        if (kind === "list")
          return (
            <TextArea
              {...props}
              rows={2}
              value={Array.isArray(value) ? value.join("\n") : ""}
              onChange={typed}
            />
          );
        const isSecret = kind === "secret";
        return (
          <Input
            {...props}
            type={isSecret ? "password" : kind === "number" ? "number" : "text"}
            step="any"
            autoComplete="off"
            placeholder={isSecret && field.isSet ? words.isSet : usual === undefined ? "" : String(usual)}
            value={value === undefined ? "" : String(value)}
            onChange={typed}
          />
        );
      }}
    </Field>
  );
}

function fromText(text: string, kind: FormField["kind"]): FieldValue | null {
  if (kind === "list") return text.split("\n");
  if (text === "") return null;
  return kind === "number" ? Number(text) : text;
}
