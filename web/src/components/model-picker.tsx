// A model: a field to search or type in, and the list below it, with what is known of each. Some hosts have hundreds.
import { Check } from "lucide-react";
import { useState } from "react";
import type { HostModel } from "../../../src/api/models/host-models.ts";
import { usePreferences, useWords } from "../app/preferences.tsx";
import { InputField } from "./field.tsx";
import { formatShort, numberFormat } from "./format.tsx";

export interface ModelChoice extends HostModel {
  /** What it is here, such as the usual one. */
  mark?: string;
}

interface ModelFieldProps {
  models: readonly ModelChoice[];
  value: string;
  onChange(model: string): void;
}

/** In a form: one of the list, or what is typed where the host has none. */
export function ModelField({ models, value, onChange }: ModelFieldProps) {
  const words = useWords().start;
  const [isSearching, setIsSearching] = useState(false);
  const change = (model: string, isTyped: boolean) => {
    setIsSearching(isTyped);
    onChange(model);
  };
  return (
    <ModelPicker
      required
      label={words.models}
      placeholder={words.chooseModel}
      hint={models.length === 0 && value === "" ? words.modelHint : undefined}
      models={models}
      text={value}
      query={isSearching ? value : ""}
      current={value}
      onText={(text) => change(text, true)}
      onChoose={(id) => change(id, false)}
    />
  );
}

interface ModelPickerProps {
  label: string;
  placeholder: string;
  hint?: string | undefined;
  models: readonly ModelChoice[];
  /** In the field. */
  text: string;
  /** What of the text is searched for; all are shown where there is none. */
  query: string;
  current: string;
  isDisabled?: boolean;
  required?: boolean;
  onText(text: string): void;
  onChoose(id: string): void;
}

const mostShown = 100;

export function ModelPicker(props: ModelPickerProps) {
  const { label, models, text, query, current, isDisabled = false, onText, onChoose, ...field } = props;
  const describe = useDescription();
  const wanted = query.trim().toLowerCase();
  const found = models.filter(({ id }) => id.toLowerCase().includes(wanted)).slice(0, mostShown);
  return (
    <div className="flex flex-col gap-2">
      <InputField
        {...field}
        label={label}
        spellCheck={false}
        autoComplete="off"
        value={text}
        onChange={onText}
      />
      {found.length > 0 && (
        <ul
          aria-label={label}
          className="flex max-h-72 flex-col overflow-y-auto rounded-control border border-line p-1"
        >
          {found.map((model) => (
            <li key={model.id}>
              <button
                type="button"
                aria-pressed={model.id === current}
                disabled={isDisabled}
                onClick={() => onChoose(model.id)}
                className="flex w-full flex-wrap items-center gap-x-2 rounded-control px-2 py-2 text-left text-small hover:bg-raised"
              >
                <Check
                  aria-hidden
                  className={`size-4 shrink-0 text-accent ${model.id === current ? "" : "invisible"}`}
                />
                <span className="min-w-0 flex-1 truncate">{model.id}</span>
                <span className="text-tiny text-muted">{describe(model)}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `Default · 200K tokens · $3 in, $15 out per million`. */
function useDescription(): (model: ModelChoice) => string {
  const words = useWords().start;
  const { language } = usePreferences();
  const dollars = numberFormat(language, {
    style: "currency",
    currency: "USD",
    currencyDisplay: "narrowSymbol",
    minimumFractionDigits: 0,
  });
  return ({ mark, window, price }) =>
    [
      mark ?? "",
      window === undefined ? "" : words.window(formatShort(window, language)),
      price === undefined ? "" : words.price(dollars.format(price.input), dollars.format(price.output)),
    ]
      .filter(Boolean)
      .join(" · ");
}
