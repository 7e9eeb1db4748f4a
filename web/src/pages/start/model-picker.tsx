// A model of a host: searched in the host's own list, or typed where there is none.
import { Check } from "lucide-react";
import { useState } from "react";
import type { HostModel } from "../../../../src/api/models/host-models.ts";
import { useWords } from "../../app/preferences.tsx";
import { InputField } from "../../components/field.tsx";

interface ModelPickerProps {
  models: readonly HostModel[];
  value: string;
  onChange(model: string): void;
}

const mostShown = 100;

export function ModelPicker({ models, value, onChange }: ModelPickerProps) {
  const words = useWords().start;
  const hint = useWords().settings.model.modelHint;
  const [isSearching, setIsSearching] = useState(false);
  const wanted = isSearching ? value.trim().toLowerCase() : "";
  const found = models.filter(({ id }) => id.toLowerCase().includes(wanted)).slice(0, mostShown);
  return (
    <div className="flex flex-col gap-2">
      <InputField
        label={words.models}
        hint={models.length === 0 && value === "" ? hint : undefined}
        required
        spellCheck={false}
        autoComplete="off"
        placeholder={words.chooseModel}
        value={value}
        onChange={(model) => {
          setIsSearching(true);
          onChange(model);
        }}
      />
      {found.length > 0 && (
        <ul
          aria-label={words.models}
          className="flex max-h-56 flex-col overflow-y-auto rounded-control border border-line p-1"
        >
          {found.map(({ id, window }) => (
            <li key={id}>
              <button
                type="button"
                aria-pressed={id === value}
                onClick={() => {
                  setIsSearching(false);
                  onChange(id);
                }}
                className={`flex w-full items-center gap-2 rounded-control px-2 py-1.5 text-left text-small hover:bg-raised ${id === value ? "bg-accent-soft" : ""}`}
              >
                <span className="min-w-0 flex-1 truncate">{id}</span>
                {window !== undefined && (
                  <span className="shrink-0 text-muted">{words.window(toShortCount(window))}</span>
                )}
                {id === value && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** `200K`, `1M`. */
function toShortCount(count: number): string {
  return count >= 1_000_000 ? `${Math.round(count / 100_000) / 10}M` : `${Math.round(count / 1000)}K`;
}
