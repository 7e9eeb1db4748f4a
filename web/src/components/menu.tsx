// A button that opens a list of actions. Arrow keys move in it; Esc and a click outside close it.
import type { LucideIcon } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";

export interface MenuItem {
  label: string;
  icon?: LucideIcon;
  isChosen?: boolean;
  tone?: "plain" | "danger";
  run(): void;
}

interface MenuProps {
  label: string;
  items: readonly MenuItem[];
  /** What the button shows. */
  children: ReactNode;
  className?: string;
  /** "above" for buttons at the bottom of the page. */
  side?: "below" | "above";
}

export function Menu({ label, items, children, className = "", side = "below" }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setIsOpen] = useState(false);
  const close = (hasFocus = true) => {
    setIsOpen(false);
    if (hasFocus) button.current?.focus();
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        title={label}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className={className}
      >
        {children}
      </button>
      {isOpen && (
        <MenuList id={id} label={label} items={items} side={side} button={button.current} onClose={close} />
      )}
    </>
  );
}

interface MenuListProps extends Required<Pick<MenuProps, "label" | "items" | "side">> {
  id: string;
  button: HTMLElement | null;
  onClose(hasFocus?: boolean): void;
}

function MenuList({ id, label, items, side, button, onClose }: MenuListProps) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.showPopover();
    list.current?.querySelector("button")?.focus();
  }, []);
  const press = (event: KeyboardEvent) => {
    const all = [...(list.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLButtonElement);
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") onClose();
    if (next === undefined) return;
    event.preventDefault();
    all.at(next % all.length)?.focus();
  };
  return (
    <div
      ref={list}
      id={id}
      popover="auto"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      style={placeAt(button, side)}
      onToggle={(event) =>
        event.newState === "closed" && onClose(list.current?.contains(document.activeElement))
      }
      onKeyDown={press}
      className="fixed m-0 max-h-80 min-w-44 max-w-80 overflow-y-auto rounded-card border border-line bg-surface p-1 text-ink"
    >
      {items.map(({ label: text, icon: Icon, isChosen, tone = "plain", run }) => (
        <button
          key={text}
          type="button"
          role="menuitem"
          aria-current={isChosen}
          onClick={() => {
            onClose();
            run();
          }}
          className={`flex min-h-8 w-full items-center gap-2.5 rounded-control px-2.5 py-1 text-left text-small hover:bg-raised focus-visible:bg-raised focus-visible:outline-none ${tone === "danger" ? "text-bad" : ""} ${isChosen ? "font-medium text-accent" : ""}`}
        >
          {Icon && <Icon aria-hidden className="size-4 shrink-0" />}
          <span className="min-w-0 truncate">{text}</span>
        </button>
      ))}
    </div>
  );
}

function placeAt(button: HTMLElement | null, side: "below" | "above"): Record<string, string | number> {
  if (button === null) return {};
  const { left, right, top, bottom } = button.getBoundingClientRect();
  const isLeft = left < innerWidth / 2;
  return {
    ...(side === "below" && bottom < innerHeight - 280
      ? { top: bottom + 4, bottom: "auto" }
      : { bottom: innerHeight - top + 4, top: "auto" }),
    ...(isLeft ? { left, right: "auto" } : { right: innerWidth - right, left: "auto" }),
  };
}
