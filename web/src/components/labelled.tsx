// Controls with their label, for forms of plain values.
import type { ComponentProps } from "react";
import { Field, type FieldProps, Input, Select, TextArea } from "./field.tsx";

type Labelled<Control> = Omit<FieldProps, "children"> &
  Omit<Control, "id" | "onChange" | "value"> & { value: string; onChange(value: string): void };

export function InputField({ label, hint, problem, onChange, ...rest }: Labelled<ComponentProps<"input">>) {
  return (
    <Field {...{ label, hint, problem }}>
      {(props) => <Input {...rest} {...props} onChange={({ target }) => onChange(target.value)} />}
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

export interface ChoiceFieldProps<Value extends string> extends Omit<FieldProps, "children"> {
  value: Value;
  /** Their names, in their order; names that are numbers come first. */
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
