// Short notices at the edge of the page, each with at most one action.
import { X } from "lucide-react";
import { useEffect, useRef, useSyncExternalStore } from "react";
import { IconButton } from "../components/button.tsx";
import { useWords } from "./preferences.tsx";

export interface Toast {
  /** Above the text. */
  title?: string;
  text: string;
  tone?: "plain" | "good" | "bad";
  action?: { label: string; run(): void };
  ms?: number;
}

let shown: readonly Toast[] = [];
const listeners = new Set<() => void>();

export function showToast(toast: Toast): void {
  setShown([...shown.slice(-3), toast]);
  setTimeout(() => drop(toast), toast.ms ?? (toast.action ? 10_000 : 5_000));
}

function drop(toast: Toast): void {
  setShown(shown.filter((other) => other !== toast));
}

function setShown(next: readonly Toast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Opened again with every change: the popover opened last is above all dialogs.
    element.current?.hidePopover();
    if (toasts.length > 0) element.current?.showPopover();
  }, [toasts]);
  return (
    <div
      ref={element}
      popover="manual"
      role="status"
      className="pointer-events-none fixed inset-x-3 top-3 bottom-auto m-0 w-auto flex-col items-center gap-2 md:top-14 md:right-4 md:left-auto md:items-end overflow-visible border-0 bg-transparent p-0 open:flex"
    >
      {toasts.map((toast, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a toast has no state.
        <ToastCard key={index} toast={toast} />
      ))}
    </div>
  );
}

const edges = { plain: "border-line", good: "border-good", bad: "border-bad" };

function ToastCard({ toast }: { toast: Toast }) {
  const words = useWords().shell;
  const { action, tone = "plain" } = toast;
  return (
    <div
      className={`pointer-events-auto flex max-w-md animate-appear items-center gap-3 rounded-card border bg-surface py-1.5 pr-1.5 pl-4 text-small ${edges[tone]}`}
    >
      <div className="min-w-0 flex-1 break-words">
        {toast.title && <p className="truncate font-medium">{toast.title}</p>}
        <p className="line-clamp-3">{toast.text}</p>
      </div>
      {action && (
        <button
          type="button"
          className="rounded-control px-2 py-1 font-medium text-accent hover:bg-raised"
          onClick={() => {
            action.run();
            drop(toast);
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={words.close} icon={X} onClick={() => drop(toast)} />
    </div>
  );
}
