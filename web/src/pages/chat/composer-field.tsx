// The text that is written: it grows with its lines, and its keys send, complete and go back.
import {
  type ClipboardEvent,
  type KeyboardEvent,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
} from "react";
import type { Choice, Completion } from "./use-completion.ts";

export interface FieldHandle {
  focus(): void;
  setCaret(caret: number): void;
}

export interface ComposerFieldProps {
  ref: Ref<FieldHandle>;
  label: string;
  placeholder: string;
  text: string;
  choicesId: string;
  completion: Completion;
  onText(text: string): void;
  onCaret(caret: number): void;
  onAccept(choice: Choice): void;
  onSend(): void;
  /** Up in an empty field. */
  onUpAtStart(): void;
  onPaste(event: ClipboardEvent): void;
}

const longestMeasured = 10_000;

export function ComposerField(props: ComposerFieldProps) {
  const { ref, label, placeholder, text, choicesId, completion, onText, onCaret, onPaste } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const nextCaret = useRef<number>(undefined);
  useImperativeHandle(ref, () => ({
    focus: () => area.current?.focus(),
    setCaret(caret) {
      nextCaret.current = caret;
      area.current?.focus();
    },
  }));
  useLayoutEffect(() => {
    if (area.current === null) return;
    const most = innerHeight * 0.4;
    area.current.style.height = "auto";
    // To measure a long text takes longer than to type a letter of it.
    const height = text.length > longestMeasured ? most : Math.min(area.current.scrollHeight, most);
    area.current.style.height = `${height}px`;
    if (nextCaret.current === undefined || text === "") return;
    area.current.setSelectionRange(nextCaret.current, nextCaret.current);
    onCaret(nextCaret.current);
    nextCaret.current = undefined;
  }, [text, onCaret]);
  const hasChoices = completion.choices.length > 0;
  return (
    <textarea
      ref={area}
      rows={1}
      aria-label={label}
      aria-autocomplete="list"
      aria-controls={hasChoices ? choicesId : undefined}
      aria-activedescendant={hasChoices ? `${choicesId}-${completion.chosen}` : undefined}
      placeholder={placeholder}
      value={text}
      onChange={(event) => {
        onText(event.target.value);
        onCaret(event.target.selectionStart);
      }}
      onSelect={(event) => onCaret(event.currentTarget.selectionStart)}
      onKeyDown={(event) => press(event, props)}
      onPaste={onPaste}
      className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none"
    />
  );
}

function press(event: KeyboardEvent<HTMLTextAreaElement>, props: ComposerFieldProps): void {
  const { completion, text, onAccept, onSend, onUpAtStart } = props;
  // Safari ends a composition before the key that ended it.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const handled = () => event.preventDefault();
  const choice = completion.choices[completion.chosen];
  if (choice !== undefined) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) completion.move(step);
    else if (event.key === "Escape") completion.dismiss();
    else if (event.key === "Tab" || (event.key === "Enter" && choice.word !== text.trim())) onAccept(choice);
    else if (event.key === "Enter" && !event.shiftKey) onSend();
    else return;
    handled();
  } else if (event.key === "Enter" && !event.shiftKey) {
    handled();
    onSend();
  } else if (event.key === "ArrowUp" && text === "") {
    handled();
    onUpAtStart();
  }
}
