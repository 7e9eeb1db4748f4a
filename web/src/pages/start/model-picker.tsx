// A model of a host: searched in the host's own list, or typed where there is none.
import { useState } from "react";
import type { HostModel } from "../../../../src/api/models/host-models.ts";
import { usePreferences, useTopic, useWords } from "../../app/preferences.tsx";
import { InputField } from "../../components/field.tsx";
import { formatShort } from "../../components/format.tsx";
import { ModelList } from "../../components/model-list.tsx";
import * as settingsTexts from "../../words/settings.ts";

interface ModelPickerProps {
  models: readonly HostModel[];
  value: string;
  onChange(model: string): void;
}

export function ModelPicker({ models, value, onChange }: ModelPickerProps) {
  const words = useWords().start;
  const hint = useTopic(settingsTexts).model.modelHint;
  const [isSearching, setIsSearching] = useState(false);
  const wanted = isSearching ? value.trim().toLowerCase() : "";
  const { language } = usePreferences();
  const found = models
    .filter(({ id }) => id.toLowerCase().includes(wanted))
    .map(({ id, window }) => ({
      id,
      ...(window !== undefined && { note: words.window(formatShort(window, language)) }),
    }));
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
        <div className="max-h-56 overflow-y-auto rounded-control border border-line p-1">
          <ModelList
            label={words.models}
            choices={found}
            current={value}
            onChoose={(id) => {
              setIsSearching(false);
              onChange(id);
            }}
          />
        </div>
      )}
    </div>
  );
}
