// Keyboard shortcuts of the whole page, and the dialog that lists them.
import { useEffect, useRef } from "react";
import { Dialog } from "../components/dialog.tsx";
import { useWords } from "./preferences.tsx";

/**
 * `Mod` is Ctrl, or Command on a Mac. No shortcut is a single letter, because typing without a focused field would run it.
 * Shortcuts do not work while a dialog is open.
 */
export function useShortcut(keys: string, run: () => void, isEnabled = true): void {
  useKeyDown((event) => {
    if (!isEnabled || !isPressed(keys, event)) return;
    event.preventDefault();
    run();
  });
}

/** Runs when a letter is typed while no field has the focus: one that `run` focuses receives that letter. */
export function useStrayLetter(run: () => void): void {
  useKeyDown((event) => {
    if (isLetter(event) && !isTyping(event.target)) run();
  });
}

function useKeyDown(handle: (event: KeyboardEvent) => void): void {
  const latest = useRef(handle);
  latest.current = handle;
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (!event.defaultPrevented && !isCovered()) latest.current(event);
    };
    addEventListener("keydown", listen);
    return () => removeEventListener("keydown", listen);
  }, []);
}

/** Whether no dialog is open and no field has the focus. */
export function isPageFree(): boolean {
  return !isCovered() && !isTyping(document.activeElement);
}

function isCovered(): boolean {
  return document.querySelector("dialog[open], [popover=auto]:popover-open") !== null;
}

type Pressed = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "altKey" | "shiftKey" | "isComposing" | "target"
>;

export function isPressed(keys: string, event: Pressed): boolean {
  const parts = keys.split("+");
  const key = parts.at(-1) ?? "";
  // Keys during the composition of an input method belong to it.
  if (event.isComposing || event.key.toLowerCase() !== key.toLowerCase() || event.altKey) return false;
  if (parts.includes("Mod") !== (event.ctrlKey || event.metaKey)) return false;
  // Some keyboards have marks such as / only with Shift.
  if (/^[a-z]$/i.test(key) && parts.includes("Shift") !== event.shiftKey) return false;
  // Esc empties a search field and closes a list.
  return key !== "Escape" || !isTyping(event.target, /^(INPUT|SELECT)$/);
}

/** A key that types a character, except space, which presses buttons and scrolls. Input methods send "Process". */
export function isLetter({ key, ctrlKey, metaKey, altKey, isComposing }: Pressed): boolean {
  const isWritten = (key !== " " && [...key].length === 1) || key === "Process";
  return isWritten && !ctrlKey && !metaKey && !altKey && !isComposing;
}

function isTyping(target: EventTarget | null, fields = /^(INPUT|TEXTAREA|SELECT)$/): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || fields.test(target.tagName));
}

export const shortcuts = {
  palette: "Mod+K",
  newChat: "Mod+Shift+O",
  searchChats: "Mod+Shift+F",
  stop: "Escape",
  help: "Mod+/",
} as const;

/** Keys that a text field handles itself, for the overview. */
const fieldKeys = { send: "Enter", newLine: "Shift+Enter", editLast: "ArrowUp" } as const;

export function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const words = useWords().shell;
  const rows = Object.entries({ ...shortcuts, ...fieldKeys }) as Array<
    [keyof typeof words.shortcutNames, string]
  >;
  return (
    <Dialog title={words.shortcuts} onClose={onClose}>
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
