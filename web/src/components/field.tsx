// The controls of forms: labelled fields, inputs, selects, switches, tabs.
import { type ComponentProps, type KeyboardEvent, type ReactNode, useId, useRef } from "react";

const control =
  "w-full rounded-control border border-strong-line bg-surface px-3 text-ink transition-colors disabled:opacity-60 aria-invalid:border-bad";

interface FieldProps {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  /** Renders the control with these. */
  children(props: { id: string; "aria-describedby": string | undefined; "aria-invalid": boolean }): ReactNode;
}

export function Field({ label, hint, problem, children }: FieldProps) {
  const id = useId();
  const isInvalid = problem !== undefined;
  const note = hint || isInvalid ? `${id}-note` : undefined;
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="text-small font-medium">
        {label}
      </label>
      {children({ id, "aria-describedby": note, "aria-invalid": isInvalid })}
      {note && (
        <div id={note} className={`text-small ${isInvalid ? "text-bad" : "text-muted"}`}>
          {problem ?? hint}
        </div>
      )}
    </div>
  );
}

export function Input({ className = "", ...rest }: ComponentProps<"input">) {
  return <input {...rest} className={`h-9 ${control} ${className}`} />;
}

export function TextArea({ className = "", ...rest }: ComponentProps<"textarea">) {
  return <textarea {...rest} className={`min-h-24 py-2 ${control} ${className}`} />;
}

export function Select({ className = "", ...rest }: ComponentProps<"select">) {
  return <select {...rest} className={`h-9 pr-8 ${control} ${className}`} />;
}

type Labelled<Control> = Omit<FieldProps, "children"> &
  Omit<Control, "id" | "onChange" | "value"> & { value: string; onChange(value: string): void };

interface InputFieldProps extends Labelled<ComponentProps<"input">> {
  /** Offered while typing; anything else can be typed as well. */
  suggestions?: readonly string[];
}

export function InputField({ label, hint, problem, onChange, suggestions = [], ...rest }: InputFieldProps) {
  return (
    <Field {...{ label, hint, problem }}>
      {(props) => (
        <>
          <Input
            {...rest}
            {...props}
            list={suggestions.length > 0 ? `${props.id}-list` : undefined}
            onChange={({ target }) => onChange(target.value)}
          />
          {suggestions.length > 0 && (
            <datalist id={`${props.id}-list`}>
              {suggestions.map((suggestion) => (
                <option key={suggestion} value={suggestion} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

export function AreaField({ label, hint, problem, onChange, ...rest }: Labelled<ComponentProps<"textarea">>) {
  return (
    <Field {...{ label, hint, problem }}>
      {(props) => <TextArea {...rest} {...props} onChange={({ target }) => onChange(target.value)} />}
    </Field>
  );
}

interface ChoiceFieldProps<Value extends string> extends Omit<FieldProps, "children"> {
  value: Value;
  /** Values with their names, in order; keys that are numbers come first. */
  options: Readonly<Record<NoInfer<Value>, string>>;
  onChange(value: Value): void;
}

export function ChoiceField<Value extends string>(props: ChoiceFieldProps<Value>) {
  const { options, value, onChange, ...field } = props;
  return (
    <Field {...field}>
      {(marks) => (
        <Select {...marks} value={value} onChange={({ target }) => onChange(target.value as Value)}>
          {Object.entries<string>(options).map(([option, name]) => (
            <option key={option} value={option}>
              {name}
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}

interface SwitchProps {
  label: string;
  isOn: boolean;
  onChange(isOn: boolean): void;
  isDisabled?: boolean;
  id?: string;
}

export function Switch({ label, isOn, onChange, isDisabled = false, id }: SwitchProps) {
  return (
    <button
      type="button"
      role="switch"
      id={id}
      aria-checked={isOn}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => onChange(!isOn)}
      className={`relative h-6 w-10 shrink-0 rounded-full border transition-colors disabled:opacity-60 ${isOn ? "border-accent bg-accent" : "border-strong-line bg-raised"}`}
    >
      <span
        className={`absolute top-[3px] left-[3px] size-4 rounded-full transition-transform ${isOn ? "translate-x-4 bg-on-accent" : "bg-strong-line"}`}
      />
    </button>
  );
}

interface TabsProps<Value extends string> {
  label: string;
  /** Values with their names, in order. */
  tabs: Readonly<Record<NoInfer<Value>, string>>;
  value: Value;
  onChange(value: NoInfer<Value>): void;
}

/** Arrow keys move between the tabs. */
export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  const values = Object.keys(tabs) as Value[];
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const next = values.at((values.indexOf(value) + step) % values.length);
    if (next === undefined) return;
    onChange(next);
    row.current?.querySelectorAll("button")[values.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={row}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-control bg-raised p-0.5"
    >
      {values.map((each) => {
        const isChosen = each === value;
        return (
          <button
            key={each}
            type="button"
            role="tab"
            aria-selected={isChosen}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => onChange(each)}
            className={`h-8 rounded-[7px] px-3 text-small font-medium whitespace-nowrap transition-colors ${isChosen ? "bg-surface text-ink" : "text-muted hover:text-ink"}`}
          >
            {tabs[each]}
          </button>
        );
      })}
    </div>
  );
}
