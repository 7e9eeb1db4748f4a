// A dialog above the page, open as long as it is rendered. The browser's own element keeps the focus inside.
import { X } from "lucide-react";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../app/preferences.tsx";
import { Button, type ButtonProps, IconButton } from "./button.tsx";

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
  /** Buttons at the bottom. */
  actions?: ReactNode;
  width?: "narrow" | "normal" | "wide";
  /** Makes it a form, which a click outside does not close. */
  onSubmit?: () => void;
  /** Shown in the dialog, because a toast would be behind it. */
  problem?: string | undefined;
  success?: string | undefined;
  /** False for dialogs that are all content, such as the palette. */
  hasHeading?: boolean;
}

const widths = { narrow: "max-w-sm", normal: "max-w-lg", wide: "max-w-3xl" };

export function Dialog(props: DialogProps) {
  const { title, onClose, children, width = "normal", hasHeading = true, onSubmit } = props;
  const words = useWords().shell;
  const Frame = onSubmit ? "form" : "div";
  return (
    <ModalBox
      label={title}
      onClose={onClose}
      isSticky={onSubmit !== undefined}
      className={`m-auto w-[calc(100%-2rem)] overflow-hidden rounded-card border border-line bg-surface p-0 text-ink open:animate-appear ${widths[width]}`}
    >
      <Frame
        className="flex max-h-[85dvh] flex-col"
        onSubmit={(event: { preventDefault(): void }) => {
          event.preventDefault();
          onSubmit?.();
        }}
      >
        {hasHeading && (
          <header className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-3 pl-5">
            <h2 className="line-clamp-2 min-w-0 font-semibold">{title}</h2>
            <IconButton label={words.close} icon={X} onClick={onClose} />
          </header>
        )}
        <div
          // Scrolled by the keyboard, also where nothing in it takes the focus.
          tabIndex={onSubmit ? undefined : 0}
          className={`overflow-y-auto ${hasHeading ? "px-5 py-4" : ""}`}
        >
          {children}
        </div>
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
    </ModalBox>
  );
}

interface ModalBoxProps {
  label: string;
  onClose(): void;
  className: string;
  /** A click outside does not close it. */
  isSticky?: boolean;
  children: ReactNode;
}

export function ModalBox({ label, onClose, className, isSticky = false, children }: ModalBoxProps) {
  const element = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const dialog = element.current;
    dialog?.showModal();
    // What is typed next is meant for it. React focuses before the dialog is shown, which does nothing.
    dialog?.querySelector<HTMLElement>("input:not([type=checkbox], [type=file]), textarea")?.focus();
    // Closed before it is removed, so that the focus returns to where it was.
    return () => dialog?.close();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Esc closes it; a click outside is one more way.
    <dialog
      ref={element}
      aria-label={label}
      onClose={() => element.current?.open === false && onClose()}
      onClick={(event) => !isSticky && event.target === element.current && onClose()}
      className={className}
    >
      {children}
    </dialog>
  );
}

interface ConfirmButtonProps extends Omit<ButtonProps, "onClick"> {
  /** The question. */
  title: string;
  hint: string;
  children: string;
  onConfirm(): void;
}

/** A button that asks before it does anything. */
export function ConfirmButton({ title, hint, onConfirm, ...button }: ConfirmButtonProps) {
  const words = useWords().shell;
  const [isAsking, setIsAsking] = useState(false);
  const close = () => setIsAsking(false);
  const confirm = () => {
    onConfirm();
    close();
  };
  const actions = (
    <>
      <Button onClick={close}>{words.cancel}</Button>
      <Button tone={button.tone ?? "danger"} onClick={confirm}>
        {button.children}
      </Button>
    </>
  );
  return (
    <>
      <Button {...button} onClick={() => setIsAsking(true)} />
      {isAsking && (
        <Dialog title={title} width="narrow" onClose={close} actions={actions}>
          <div className="text-small text-muted">{hint}</div>
        </Dialog>
      )}
    </>
  );
}
