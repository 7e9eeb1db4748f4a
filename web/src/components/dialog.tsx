// A dialog above the page. The browser's own element keeps the focus inside and closes it by Esc.
import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
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
  /** Makes it a form, which a slip beside it does not throw away. */
  onSubmit?: () => void;
  /** Why what was asked for in it did not work; a toast would stand behind it. */
  problem?: string | undefined;
  /** What went well in it. */
  success?: string | undefined;
  /** For dialogs that are all content, such as the palette. */
  hasHeading?: boolean;
}

const widths = { narrow: "max-w-sm", normal: "max-w-lg", wide: "max-w-3xl" };

export function Dialog(props: DialogProps) {
  const { title, isOpen, onClose, children, width = "normal", hasHeading = true, onSubmit } = props;
  const words = useWords().shell;
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const dialog = element.current;
    if (!isOpen || dialog === null) return;
    dialog.showModal();
    dialog.querySelector<HTMLElement>("form :is(input, textarea)")?.focus();
    // Closed before it is taken away: so the focus goes back to where it came from.
    return () => dialog.close();
  }, [isOpen]);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it; a click beside it is one more way.
    <dialog
      ref={element}
      aria-labelledby={hasHeading ? id : undefined}
      aria-label={hasHeading ? undefined : title}
      onClose={() => element.current?.open === false && onClose()}
      onClick={(event) => !onSubmit && event.target === element.current && onClose()}
      className={`m-auto w-[calc(100%-2rem)] overflow-hidden rounded-card border border-line bg-surface p-0 text-ink open:animate-appear ${widths[width]}`}
    >
      {isOpen && (
        <Frame onSubmit={onSubmit}>
          {hasHeading && (
            <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-3 pl-5">
              <h2 id={id} className="line-clamp-2 min-w-0 font-semibold">
                {title}
              </h2>
              <IconButton label={words.close} icon={X} onClick={onClose} />
            </header>
          )}
          <div className={`overflow-y-auto ${hasHeading ? "px-5 py-4" : ""}`}>{children}</div>
          {props.problem && (
            <p role="alert" className="bg-bad-soft px-5 py-2 text-small text-bad">
              {props.problem}
            </p>
          )}
          {props.success && (
            <p role="status" className="bg-good-soft px-5 py-2 text-small text-good">
              {props.success}
            </p>
          )}
          {props.actions && (
            <footer className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-3">
              {props.actions}
            </footer>
          )}
        </Frame>
      )}
    </dialog>
  );
}

function Frame({ onSubmit, children }: Pick<DialogProps, "onSubmit" | "children">) {
  const look = "flex max-h-[85dvh] flex-col";
  if (onSubmit === undefined) return <div className={look}>{children}</div>;
  return (
    <form
      className={look}
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}

export interface ConfirmProps {
  title: string;
  children: ReactNode;
  confirm: string;
  tone?: ButtonProps["tone"] | undefined;
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

export interface ConfirmButtonProps extends Omit<ButtonProps, "onClick"> {
  /** The question. */
  title: string;
  hint: string;
  children: string;
  onConfirm(): void;
}

/** Asks before anything is done. */
export function ConfirmButton({ title, hint, onConfirm, ...button }: ConfirmButtonProps) {
  const [isAsking, setIsAsking] = useState(false);
  const question = { title, onConfirm, tone: button.tone, confirm: button.children };
  return (
    <>
      <Button {...button} onClick={() => setIsAsking(true)} />
      {isAsking && (
        <ConfirmDialog isOpen {...question} onClose={() => setIsAsking(false)}>
          {hint}
        </ConfirmDialog>
      )}
    </>
  );
}
