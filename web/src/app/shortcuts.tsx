// Keys of the whole page, and the overview of all of them.
import { useEffect, useRef } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useWords } from "../words/use-words.ts";

/** `Mod` is Ctrl, or Command on a Mac. A single character counts only while nobody types, and nothing over a dialog. */
export function useShortcut(keys: string, run: () => void, isEnabled = true): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    if (!isEnabled) return;
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || !isPressed(keys, event) || isCovered()) return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, [keys, isEnabled]);
}

function isCovered(): boolean {
  return document.querySelector("dialog[open], [popover=auto]:popover-open") !== null;
}

export function isPressed(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  const needsMod = parts.includes("Mod");
  if (event.key.toLowerCase() !== key.toLowerCase()) return false;
  if (needsMod !== (event.ctrlKey || event.metaKey) || event.altKey) return false;
  return needsMod || key.length > 1 || !isTyping(event.target);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

export const shortcuts = {
  palette: "Mod+K",
  help: "?",
  newChat: "N",
  focusComposer: "/",
  searchChats: "S",
  stop: "Escape",
} as const;

/** Keys that a text field handles itself, for the overview. */
const fieldKeys = { send: "Enter", newLine: "Shift+Enter", editLast: "ArrowUp" } as const;

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const words = useWords().shell;
  const rows = Object.entries({ ...shortcuts, ...fieldKeys }) as Array<
    [keyof typeof words.shortcutNames, string]
  >;
  return (
    <Dialog title={words.shortcuts} isOpen={isOpen} onClose={onClose}>
      <dl className="flex flex-col divide-y divide-line">
        {rows.map(([name, keys]) => (
          <div key={name} className="flex items-center justify-between gap-4 py-2">
            <dt className="text-small">{words.shortcutNames[name]}</dt>
            <dd className="flex gap-1">
              {keys.split("+").map((key) => (
                <kbd key={key} className="rounded-md border border-line bg-raised px-1.5 font-mono text-tiny">
                  {toKeyCap(key)}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

function toKeyCap(key: string): string {
  if (key === "Mod") return /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘" : "Ctrl";
  return { Escape: "Esc", ArrowUp: "↑" }[key] ?? key;
}
