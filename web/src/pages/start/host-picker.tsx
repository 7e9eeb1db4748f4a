// The providers to choose from: the best known as tiles, all others by search. Marks are letters; logos belong to others.
import { Check } from "lucide-react";
import { useId, useState } from "react";
import type { HostCard } from "../../../../src/api/models/models.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { Input } from "../../components/field.tsx";
import * as settingsTexts from "../../words/settings.ts";

/** In the order of the tiles, each with the colour of its mark. */
const featured: Record<string, string> = {
  anthropic: "#b4552d",
  openai: "#0d7a5f",
  gemini: "#2f62c9",
  deepseek: "#3a4fd8",
  openrouter: "#55556a",
};
const featuredNames = Object.keys(featured);
const plain = "#5b6472";

interface HostPickerProps {
  hosts: HostCard[];
  value: string;
  onChange(name: string): void;
}

/** The value that represents a server that is not in the list. */
export const customHost = "custom";

export function HostPicker({ hosts, value, onChange }: HostPickerProps) {
  const words = useWords().start;
  const settings = useTopic(settingsTexts).model;
  const id = useId();
  const [query, setQuery] = useState("");
  const own: HostCard = {
    name: customHost,
    label: settings.ownHost,
    kind: "direct",
    needsKey: false,
    needsAddress: true,
  };
  const all = [...hosts, own];
  const tiles = featuredNames.flatMap((name) => hosts.find((host) => host.name === name) ?? []);
  const chosen = all.find((host) => host.name === value);
  const shown = chosen && !tiles.includes(chosen) ? [...tiles, chosen] : tiles;
  const wanted = query.trim().toLowerCase();
  const found =
    wanted === "" ? [] : all.filter(({ name, label }) => `${name} ${label}`.toLowerCase().includes(wanted));
  const pick = (name: string) => {
    setQuery("");
    onChange(name);
  };
  return (
    <div role="radiogroup" aria-labelledby={id} className="flex flex-col gap-2">
      <span id={id} className="text-small font-medium">
        {words.provider}
      </span>
      <div className="grid grid-cols-2 gap-2 sm:grid-cols-3">
        {shown.map((host) => (
          <HostOption key={host.name} host={host} group={id} isChosen={host.name === value} onPick={pick} />
        ))}
      </div>
      <Input
        type="search"
        aria-label={words.searchProviders(all.length)}
        placeholder={words.searchProviders(all.length)}
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      {wanted !== "" && (
        <div className="grid max-h-56 gap-1 overflow-y-auto rounded-control border border-line p-1">
          {found.map((host) => (
            <HostOption
              key={host.name}
              host={host}
              group={`${id}-found`}
              isChosen={host.name === value}
              onPick={pick}
            />
          ))}
          {found.length === 0 && <p className="p-2 text-small text-muted">{words.noProvider}</p>}
        </div>
      )}
    </div>
  );
}

interface HostOptionProps {
  host: HostCard;
  /** Of the radio buttons that belong together. */
  group: string;
  isChosen: boolean;
  onPick(name: string): void;
}

function HostOption({ host, group, isChosen, onPick }: HostOptionProps) {
  return (
    <label
      className={`relative flex min-w-0 items-center gap-2 rounded-control border p-2 text-small transition-colors has-focus-visible:outline-2 has-focus-visible:outline-accent ${isChosen ? "border-accent bg-accent-soft" : "border-line hover:border-strong-line"}`}
    >
      <input
        type="radio"
        name={group}
        checked={isChosen}
        onChange={() => onPick(host.name)}
        className="absolute inset-0 cursor-pointer opacity-0"
      />
      <LetterMark label={host.label} colour={featured[host.name] ?? plain} />
      <span className="min-w-0 flex-1 truncate">{host.label}</span>
      {isChosen && <Check aria-hidden className="size-4 shrink-0 text-accent" />}
    </label>
  );
}

function LetterMark({ label, colour }: { label: string; colour: string }) {
  return (
    <svg aria-hidden viewBox="0 0 28 28" className="size-7 shrink-0">
      <rect width="28" height="28" rx="8" fill={colour} />
      <text x="14" y="19" textAnchor="middle" fontSize="14" fontWeight="600" fill="#fff">
        {label.charAt(0).toUpperCase()}
      </text>
    </svg>
  );
}
