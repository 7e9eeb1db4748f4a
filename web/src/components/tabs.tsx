// A row of choices of which one holds. Arrow keys move between them.
import { type KeyboardEvent, useRef } from "react";

export interface TabsProps<Value extends string> {
  label: string;
  /** Their names, in their order. */
  tabs: Readonly<Record<NoInfer<Value>, string>>;
  value: Value;
  onChange(value: NoInfer<Value>): void;
}

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
