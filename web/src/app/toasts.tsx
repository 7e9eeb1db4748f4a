// Short notices at the edge of the page, with at most one thing to do about each.
import { X } from "lucide-react";
import {
  createContext,
  type ReactNode,
  useCallback,
  useContext,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { IconButton } from "../components/button.tsx";
import { useWords } from "../words/use-words.ts";

export interface Toast {
  text: string;
  tone?: "plain" | "good" | "bad";
  action?: { label: string; run(): void };
  ms?: number;
}

interface Shown extends Toast {
  id: number;
}

export interface Toasts {
  showToast(toast: Toast): void;
}

const ToastContext = createContext<Toasts>({ showToast: () => undefined });

export const useToasts = (): Toasts => useContext(ToastContext);

export function ToastProvider({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const next = useRef(1);
  const drop = useCallback(
    (id: number) => setShown((toasts) => toasts.filter((toast) => toast.id !== id)),
    [],
  );
  const showToast = useCallback(
    (toast: Toast) => {
      const id = next.current++;
      setShown((toasts) => [...toasts.slice(-3), { ...toast, id }]);
      setTimeout(() => drop(id), toast.ms ?? (toast.action ? 10_000 : 5_000));
    },
    [drop],
  );
  const toasts = useMemo(() => ({ showToast }), [showToast]);
  const element = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Anew with every change: what was opened last stands above all dialogs.
    element.current?.hidePopover();
    if (shown.length > 0) element.current?.showPopover();
  }, [shown]);
  return (
    <ToastContext value={toasts}>
      {children}
      <div
        ref={element}
        popover="manual"
        role="status"
        className="pointer-events-none fixed inset-x-3 top-3 bottom-auto m-0 w-auto flex-col items-center gap-2 overflow-visible border-0 bg-transparent p-0 open:flex"
      >
        {shown.map((toast) => (
          <ToastCard key={toast.id} toast={toast} onDrop={() => drop(toast.id)} />
        ))}
      </div>
    </ToastContext>
  );
}

const edges = { plain: "border-line", good: "border-good", bad: "border-bad" };

function ToastCard({ toast, onDrop }: { toast: Toast; onDrop(): void }) {
  const words = useWords().shell;
  const { action, tone = "plain" } = toast;
  return (
    <div
      className={`pointer-events-auto flex max-w-md animate-appear items-center gap-3 rounded-card border bg-surface py-1.5 pr-1.5 pl-4 text-small ${edges[tone]}`}
    >
      <span className="min-w-0 flex-1 break-words">{toast.text}</span>
      {action && (
        <button
          type="button"
          className="rounded-control px-2 py-1 font-medium text-accent hover:bg-raised"
          onClick={() => {
            action.run();
            onDrop();
          }}
        >
          {action.label}
        </button>
      )}
      <IconButton label={words.close} icon={X} onClick={onDrop} />
    </div>
  );
}
