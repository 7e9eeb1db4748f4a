// A row of choices of which one holds. Arrow keys move between them.
import { type KeyboardEvent, useRef } from "react";

export interface TabsProps<Value extends string> {
  label: string;
  tabs: ReadonlyArray<{ value: NoInfer<Value>; label: string }>;
  value: Value;
  onChange(value: NoInfer<Value>): void;
}

export function Tabs<Value extends string>({ label, tabs, value, onChange }: TabsProps<Value>) {
  const row = useRef<HTMLDivElement>(null);
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const index = tabs.findIndex((tab) => tab.value === value);
    const next = tabs.at((index + step) % tabs.length);
    if (next === undefined) return;
    onChange(next.value);
    row.current?.querySelectorAll("button")[tabs.indexOf(next)]?.focus();
  };
  return (
    <div
      ref={row}
      role="tablist"
      aria-label={label}
      onKeyDown={move}
      className="inline-flex max-w-full gap-0.5 overflow-x-auto rounded-control bg-raised p-0.5"
    >
      {tabs.map((tab) => {
        const isChosen = tab.value === value;
        return (
          <button
            key={tab.value}
            type="button"
            role="tab"
            aria-selected={isChosen}
            tabIndex={isChosen ? 0 : -1}
            onClick={() => onChange(tab.value)}
            className={`h-8 rounded-[7px] px-3 text-small font-medium whitespace-nowrap transition-colors ${isChosen ? "bg-surface text-ink" : "text-muted hover:text-ink"}`}
          >
            {tab.label}
          </button>
        );
      })}
    </div>
  );
}
