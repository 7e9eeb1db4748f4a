// A dialog above the page. The browser's own element keeps the focus inside and closes it by Esc.
import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { useWords } from "../words/use-words.ts";
import { Button, type ButtonProps, IconButton } from "./button.tsx";

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  width?: "narrow" | "normal" | "wide";
  /** For dialogs that are all content, such as the palette. */
  hasHeading?: boolean;
}

const widths = { narrow: "max-w-sm", normal: "max-w-lg", wide: "max-w-3xl" };

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, actions, width = "normal", hasHeading = true } = props;
  const words = useWords().shell;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    if (isOpen) element.current?.showModal();
    else element.current?.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it; a click beside it is one more way.
    <dialog
      ref={element}
      aria-labelledby={hasHeading ? id : undefined}
      aria-label={hasHeading ? undefined : title}
      onClose={onClose}
      onClick={(event) => event.target === element.current && onClose()}
      className={`m-auto w-[calc(100%-2rem)] overflow-hidden rounded-card border border-line bg-surface p-0 text-ink open:animate-appear ${widths[width]}`}
    >
      {isOpen && (
        <div className="flex max-h-[85dvh] flex-col">
          {hasHeading && (
            <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-3 pl-5">
              <h2 id={id} className="font-semibold">
                {title}
              </h2>
              <IconButton label={words.close} icon={X} onClick={onClose} />
            </header>
          )}
          <div className={hasHeading ? "overflow-y-auto px-5 py-4" : "overflow-y-auto"}>{children}</div>
          {actions && (
            <footer className="flex justify-end gap-2 border-t border-line px-5 py-3">{actions}</footer>
          )}
        </div>
      )}
    </dialog>
  );
}

export interface ConfirmProps {
  title: string;
  children: ReactNode;
  confirm: string;
  tone?: ButtonProps["tone"];
  isOpen: boolean;
  onConfirm(): void;
  onClose(): void;
}

export function ConfirmDialog({ confirm, tone = "danger", onConfirm, children, ...dialog }: ConfirmProps) {
  const words = useWords().shell;
  const accept = () => {
    onConfirm();
    dialog.onClose();
  };
  const actions = (
    <>
      <Button onClick={dialog.onClose}>{words.cancel}</Button>
      <Button tone={tone} onClick={accept}>
        {confirm}
      </Button>
    </>
  );
  return (
    <Dialog {...dialog} width="narrow" actions={actions}>
      <div className="text-small text-muted">{children}</div>
    </Dialog>
  );
}
