// The field to write in, with what goes along: files, speech, the model; and the way to send or to stop.
import { type ClipboardEvent, useEffect, useId, useRef, useState } from "react";
import { isPageFree, useStrayLetter } from "../../app/shortcuts.tsx";
import type { Conversation } from "../../store/conversation.ts";
import type { Words } from "../../words/index.ts";
import { useWords } from "../../words/use-words.ts";
import { CompletionList } from "./completion-list.tsx";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerField, type FieldHandle } from "./composer-field.tsx";
import type { Editing } from "./conversation-view.tsx";
import { keepDraft, readDraft } from "./drafts.ts";
import { EditingNote } from "./editing-note.tsx";
import { UploadList } from "./upload-list.tsx";
import type { ChatActions } from "./use-chat-actions.ts";
import { type Choice, useCompletion } from "./use-completion.ts";
import { useFileDrop, useUploads } from "./use-uploads.ts";

const longestPaste = 100_000;

export interface ComposerProps {
  sessionKey: string | undefined;
  conversation: Conversation | undefined;
  actions: ChatActions;
  editing: Editing | undefined;
  onEdit(editing: Editing | undefined): void;
}

export function Composer({ sessionKey, conversation, actions, editing, onEdit }: ComposerProps) {
  const words = useWords().chat;
  const id = useId();
  const field = useRef<FieldHandle>(null);
  const { text, setText } = useDraft(sessionKey, editing);
  const [caret, setCaret] = useState(0);
  const uploads = useUploads();
  const isDropping = useFileDrop(uploads.add);
  const completion = useCompletion(text, caret);
  const isRunning = conversation?.running !== undefined;
  const canSend = (text.trim() !== "" || uploads.uploads.length > 0) && uploads.isReady;
  useStrayLetter(() => field.current?.focus());
  useEffect(() => {
    if (editing !== undefined) field.current?.focus();
  }, [editing]);
  useEffect(() => {
    // Whatever was clicked to come here has the focus. On a phone the keyboard would cover the page.
    if (isPageFree() && matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);
  const send = () => {
    if (!canSend) return;
    const files = uploads.uploads.map(({ fileId, name }) => ({ fileId, name }));
    if (editing === undefined) actions.send({ text, files });
    else void actions.replace(editing.entryId, { text, files });
    setText("");
    uploads.clear();
    onEdit(undefined);
  };
  const accept = (choice: Choice) => {
    const next = completion.accept(choice);
    setText(next.text);
    field.current?.setCaret(next.caret);
  };
  const editLast = () => {
    const last = conversation?.parts.findLast(({ kind }) => kind === "user");
    if (last?.kind === "user" && !isRunning) onEdit({ entryId: last.id, text: last.text });
  };
  return (
    <div className="relative">
      <CompletionList id={`${id}-choices`} completion={completion} onAccept={accept} />
      {editing && <EditingNote onCancel={() => onEdit(undefined)} />}
      <div className="rounded-2xl border border-strong-line bg-surface focus-within:border-accent">
        <UploadList uploads={uploads.uploads} remove={uploads.remove} />
        <ComposerField
          ref={field}
          label={words.message}
          placeholder={choosePlaceholder(conversation, words)}
          text={text}
          choicesId={`${id}-choices`}
          completion={completion}
          onText={setText}
          onCaret={setCaret}
          onAccept={accept}
          onSend={send}
          onUpAtStart={editLast}
          onPaste={(event: ClipboardEvent) => {
            const files = toFiles(event.clipboardData);
            if (files.length === 0) return;
            event.preventDefault();
            uploads.add(files);
          }}
        />
        <ComposerBar
          sessionKey={sessionKey}
          model={conversation?.model}
          isRunning={isRunning}
          onFiles={uploads.add}
          onSpoken={(spoken) => setText(text.trim() === "" ? spoken : `${text.trimEnd()} ${spoken}`)}
          onModel={(name) => actions.send({ text: `/model ${name}` })}
          onStop={actions.stop}
          canSend={canSend}
          onSend={send}
        />
      </div>
      <p className="mt-1.5 text-center text-tiny text-muted max-md:hidden">{words.hint}</p>
      {isDropping && (
        <div className="pointer-events-none absolute inset-0 grid place-items-center rounded-2xl border-2 border-dashed border-accent bg-accent-soft font-medium text-accent">
          {words.dropHere}
        </div>
      )}
    </div>
  );
}

/** Of what is pasted: also a text that is too long for a message. */
function toFiles(pasted: DataTransfer): File[] {
  const text = pasted.getData("text/plain");
  if (pasted.files.length > 0 || text.length <= longestPaste) return [...pasted.files];
  return [new File([text], "pasted.txt", { type: "text/plain" })];
}

function choosePlaceholder(conversation: Conversation | undefined, words: Words["chat"]): string {
  if (conversation === undefined) return words.placeholder;
  if (conversation.asks.length > 0) return words.askPlaceholder;
  return conversation.running === undefined ? words.placeholder : words.steerPlaceholder;
}

/** What is being written: a draft of this conversation, or the message that is edited. */
function useDraft(sessionKey: string | undefined, editing: Editing | undefined) {
  const [text, setText] = useState(() => readDraft(sessionKey));
  useEffect(() => setText(editing?.text ?? readDraft(sessionKey)), [editing, sessionKey]);
  const change = (next: string) => {
    setText(next);
    if (editing === undefined) keepDraft(sessionKey, next);
  };
  return { text, setText: change };
}
