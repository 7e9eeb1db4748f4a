// What a form is made of: a label with its hint and problem, and the controls.
import { type ComponentProps, type ReactNode, useId } from "react";

const control =
  "w-full rounded-control border border-strong-line bg-surface px-3 text-ink transition-colors disabled:opacity-60 aria-invalid:border-bad";

export interface FieldProps {
  label: string;
  hint?: ReactNode;
  problem?: string | undefined;
  /** Draws the control with these. */
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

export interface SwitchProps {
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
