// Models to choose from, the chosen one marked. Some hosts have hundreds: a search above it makes the list short.
import { Check } from "lucide-react";

export interface ModelChoice {
  id: string;
  /** What is known about it, such as its window. */
  note?: string;
}

interface ModelListProps {
  label: string;
  choices: readonly ModelChoice[];
  current: string;
  isDisabled?: boolean;
  onChoose(id: string): void;
}

const mostShown = 100;

export function ModelList({ label, choices, current, isDisabled = false, onChoose }: ModelListProps) {
  return (
    <ul aria-label={label} className="flex flex-col">
      {choices.slice(0, mostShown).map(({ id, note }) => (
        <li key={id}>
          <button
            type="button"
            aria-pressed={id === current}
            disabled={isDisabled}
            onClick={() => onChoose(id)}
            className="flex w-full items-center gap-2 rounded-control px-2 py-2 text-left text-small hover:bg-raised"
          >
            <Check
              aria-hidden
              className={`size-4 shrink-0 text-accent ${id === current ? "" : "invisible"}`}
            />
            <span className="min-w-0 flex-1 truncate">{id}</span>
            {note && <span className="shrink-0 text-tiny text-muted">{note}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
