// The text field of the composer, with completion of slash commands and skills.
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { toMention } from "../../../components/preview/preview-panel.tsx";
import { useQuery } from "../../../wire/hooks.tsx";

interface ComposerFieldProps {
  ref: RefObject<HTMLTextAreaElement | null>;
  placeholder: string;
  text: string;
  onText(text: string): void;
  onSend(): void;
  /** Arrow up in an empty field. */
  onUpAtStart(): void;
  onPastedFiles(files: File[]): void;
}

const longestMeasured = 10_000;

export function ComposerField(props: ComposerFieldProps) {
  const { ref, placeholder, text, onText, onPastedFiles } = props;
  const words = useWords().chat;
  const id = useId();
  const [caret, setCaret] = useState(0);
  const nextCaret = useRef<number>(undefined);
  const completion = useCompletion(text, caret);
  const hasChoices = completion.choices.length > 0;
  useLayoutEffect(() => {
    const area = ref.current;
    if (area === null) return;
    const most = innerHeight * 0.4;
    area.style.height = "auto";
    // Measuring a long text takes longer than typing a letter of it.
    const height = text.length > longestMeasured ? most : Math.min(area.scrollHeight, most);
    area.style.height = `${height}px`;
    if (nextCaret.current === undefined || text === "") return;
    area.setSelectionRange(nextCaret.current, nextCaret.current);
    setCaret(nextCaret.current);
    nextCaret.current = undefined;
  }, [text, ref]);
  const accept = (choice: Choice) => {
    const next = completion.accept(choice);
    nextCaret.current = next.caret;
    onText(next.text);
    ref.current?.focus();
  };
  return (
    <>
      {hasChoices && <CompletionList id={id} completion={completion} onAccept={accept} />}
      <textarea
        ref={ref}
        rows={1}
        aria-label={words.message}
        aria-autocomplete="list"
        aria-controls={hasChoices ? id : undefined}
        aria-activedescendant={hasChoices ? `${id}-${completion.chosen}` : undefined}
        placeholder={placeholder}
        value={text}
        onChange={(event) => {
          onText(event.target.value);
          setCaret(event.target.selectionStart);
        }}
        onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
        onKeyDown={(event) => press(event, { ...props, completion, accept })}
        onPaste={(event) => {
          const files = toFiles(event.clipboardData);
          if (files.length === 0) return;
          event.preventDefault();
          onPastedFiles(files);
        }}
        className="block w-full resize-none bg-transparent px-4 pt-3 pb-1 outline-none"
      />
    </>
  );
}

const longestPaste = 100_000;

/** Files that were pasted; a text that is too long for a message becomes one. */
function toFiles(pasted: DataTransfer): File[] {
  const text = pasted.getData("text/plain");
  if (pasted.files.length > 0 || text.length <= longestPaste) return [...pasted.files];
  return [new File([text], "pasted.txt", { type: "text/plain" })];
}

type Pressing = ComposerFieldProps & { completion: Completion; accept(choice: Choice): void };

function press(event: KeyboardEvent<HTMLTextAreaElement>, pressing: Pressing): void {
  const { completion, text, accept, onSend, onUpAtStart } = pressing;
  // Safari ends a composition before the key that ended it.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const choice = completion.choices[completion.chosen];
  const isEnter = event.key === "Enter";
  if (choice !== undefined) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) completion.move(step);
    else if (event.key === "Escape") completion.dismiss();
    else if (event.key === "Tab" || (isEnter && choice.word !== text.trim())) accept(choice);
    else if (isEnter && !event.shiftKey) onSend();
    else return;
  } else if (isEnter && !event.shiftKey) onSend();
  else if (event.key === "ArrowUp" && text === "") onUpAtStart();
  else return;
  event.preventDefault();
}

interface CompletionListProps {
  id: string;
  completion: Completion;
  onAccept(choice: Choice): void;
}

function CompletionList({ id, completion, onAccept }: CompletionListProps) {
  const words = useWords().chat;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.commands}
      className="absolute inset-x-0 bottom-full z-10 mb-2 max-h-80 overflow-y-auto rounded-card border border-line bg-surface p-1"
    >
      {completion.choices.map((choice, index) => (
        <button
          key={choice.word}
          id={`${id}-${index}`}
          type="button"
          role="option"
          tabIndex={-1}
          aria-selected={index === completion.chosen}
          // Before the field loses the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(choice)}
          className={`flex w-full items-baseline gap-3 rounded-control px-3 py-1.5 text-left text-small ${index === completion.chosen ? "bg-accent-soft text-accent" : "hover:bg-raised"}`}
        >
          <span className="shrink-0 font-mono font-medium">{choice.word}</span>
          <span className="truncate text-muted">{choice.about}</span>
        </button>
      ))}
    </div>
  );
}

interface Choice {
  /** The text to insert, such as `/undo`. */
  word: string;
  about: string;
}

interface Completion {
  choices: readonly Choice[];
  chosen: number;
  move(step: number): void;
  /** The text with the choice in place of the word before the caret, and the new caret. */
  accept(choice: Choice): { text: string; caret: number };
  dismiss(): void;
}

const mostChoices = 8;

/** The word before the caret that can be completed. */
export function findWord(text: string, caret: number): string | undefined {
  const before = text.slice(0, caret);
  return /^\/[\w-]*$/.exec(before)?.[0] ?? /(?:^|\s)([$][\w-]*|@[^\s"@]*)$/.exec(before)?.[1];
}

function useCompletion(text: string, caret: number): Completion {
  const word = findWord(text, caret);
  const isFile = word?.startsWith("@") === true;
  const { data } = useQuery(
    "chat.complete",
    {},
    { topic: "skills", isEnabled: word !== undefined && !isFile },
  );
  const { data: found } = useQuery(
    "files.find",
    { query: word?.slice(1) ?? "", limit: mostChoices },
    { topic: "files", isEnabled: isFile, isKept: true },
  );
  const [chosen, setChosen] = useState({ word: "", index: 0 });
  const [dismissed, setDismissed] = useState<string>();
  const choices = useMemo(() => {
    if (word === undefined || word === dismissed) return [];
    if (isFile) return (found?.files ?? []).map(({ path }) => ({ word: toMention(path), about: "" }));
    if (data === undefined) return [];
    const isCommand = word.startsWith("/");
    const all = (isCommand ? data.commands : data.skills).map(({ name, about }) => ({
      word: `${isCommand ? "/" : "$"}${name.replace(/^[/$]/, "")}`,
      about,
    }));
    return all.filter((choice) => choice.word.startsWith(word)).slice(0, mostChoices);
  }, [word, isFile, data, found, dismissed]);
  const index = chosen.word === word ? Math.min(chosen.index, choices.length - 1) : 0;
  return {
    choices,
    chosen: index,
    move: (step) => setChosen({ word: word ?? "", index: (index + step + choices.length) % choices.length }),
    accept(choice) {
      const start = caret - (word?.length ?? 0);
      const put = `${choice.word} `;
      return { text: text.slice(0, start) + put + text.slice(caret), caret: start + put.length };
    },
    dismiss: () => setDismissed(word),
  };
}
