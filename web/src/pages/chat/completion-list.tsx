// The choices of a completion, above the field.
import { useWords } from "../../words/use-words.ts";
import type { Choice, Completion } from "./use-completion.ts";

export interface CompletionListProps {
  id: string;
  completion: Completion;
  onAccept(choice: Choice): void;
}

export function CompletionList({ id, completion, onAccept }: CompletionListProps) {
  const words = useWords().chat;
  if (completion.choices.length === 0) return null;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.commands}
      className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-80 overflow-y-auto rounded-card border border-line bg-surface p-1"
    >
      {completion.choices.map((choice, index) => (
        <button
          key={choice.word}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === completion.chosen}
          // Before the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(choice)}
          className={`flex w-full items-baseline gap-3 rounded-control px-3 py-1.5 text-left text-small ${index === completion.chosen ? "bg-accent-soft text-accent" : "hover:bg-raised"}`}
        >
          <span className="shrink-0 font-mono font-medium">{choice.word}</span>
          <span className="truncate text-muted">{choice.about}</span>
        </button>
      ))}
    </div>
  );
}
