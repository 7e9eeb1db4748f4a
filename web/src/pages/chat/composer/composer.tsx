// The field to write in, with files, voice and model, and the buttons to send and stop.
import { X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import { isPageFree, useStrayLetter } from "../../../app/shortcuts.tsx";
import { Button } from "../../../components/button.tsx";
import type { Conversation } from "../../../store/conversation.ts";
import type { Words } from "../../../words/index.ts";
import { type ChatActions, keepDraft, readDraft } from "../chat-actions.ts";
import type { Editing, Quoted } from "../conversation-view.tsx";
import { UploadList, useFileDrop, useUploads } from "./attachments.tsx";
import { ComposerBar } from "./composer-bar.tsx";
import { ComposerField } from "./composer-field.tsx";

interface ComposerProps {
  sessionKey: string | undefined;
  conversation: Conversation | undefined;
  actions: ChatActions;
  editing: Editing | undefined;
  quoted: Quoted | undefined;
  onEdit(editing: Editing | undefined): void;
}

export function Composer(props: ComposerProps) {
  const { sessionKey, conversation, actions, editing, quoted, onEdit } = props;
  const words = useWords().chat;
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, setText } = useDraft(sessionKey, editing);
  const { uploads, add, remove, clear, isReady } = useUploads();
  const isDropping = useFileDrop(add);
  const isRunning = conversation?.running !== undefined;
  const canSend = (text.trim() !== "" || uploads.length > 0) && isReady;
  useStrayLetter(() => field.current?.focus());
  useEffect(() => {
    if (editing !== undefined) field.current?.focus();
  }, [editing]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each quotation is put there once.
  useEffect(() => {
    if (quoted === undefined) return;
    setText(`${text.trimEnd()}${text.trim() === "" ? "" : "\n\n"}${toQuotation(quoted.text)}`);
    field.current?.focus();
  }, [quoted]);
  useEffect(() => {
    // Not on a phone: its keyboard would cover the page.
    if (isPageFree() && matchMedia("(hover: hover)").matches) field.current?.focus();
  }, []);
  const send = () => {
    if (!canSend) return;
    const files = uploads.map(({ fileId, name }) => ({ fileId, name }));
    if (editing === undefined) actions.send({ text, files });
    else void actions.replace(editing.entryId, { text, files });
    setText("");
    clear();
    onEdit(undefined);
  };
  const editLast = () => {
    const last = conversation?.parts.findLast(({ kind }) => kind === "user");
    if (last?.kind === "user" && !isRunning) onEdit({ entryId: last.id, text: last.text });
  };
  return (
    <div className="relative">
      {editing && <EditingNote onCancel={() => onEdit(undefined)} />}
      <div className="rounded-2xl border border-strong-line bg-surface focus-within:border-accent">
        <UploadList uploads={uploads} remove={remove} />
        <ComposerField
          ref={field}
          placeholder={choosePlaceholder(conversation, words)}
          text={text}
          onText={setText}
          onSend={send}
          onUpAtStart={editLast}
          onPastedFiles={add}
        />
        <ComposerBar
          sessionKey={sessionKey}
          model={conversation?.model}
          isRunning={isRunning}
          onFiles={add}
          onSpoken={(spoken) => setText(text.trim() === "" ? spoken : `${text.trimEnd()} ${spoken}`)}
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

const longestQuotation = 4_000;

function toQuotation(text: string): string {
  const cut = text.length > longestQuotation ? `${text.slice(0, longestQuotation)}…` : text;
  return `${cut.trim().replaceAll(/^/gm, "> ")}\n\n`;
}

function choosePlaceholder(conversation: Conversation | undefined, words: Words["chat"]): string {
  if (conversation === undefined) return words.placeholder;
  if (conversation.asks.length > 0) return words.askPlaceholder;
  return conversation.running === undefined ? words.placeholder : words.steerPlaceholder;
}

/** The text in the field: the draft of this conversation, or the message that is edited. */
function useDraft(sessionKey: string | undefined, editing: Editing | undefined) {
  const [text, setText] = useState(() => readDraft(sessionKey));
  useEffect(() => setText(editing?.text ?? readDraft(sessionKey)), [editing, sessionKey]);
  const change = (next: string) => {
    setText(next);
    if (editing === undefined) keepDraft(sessionKey, next);
  };
  return { text, setText: change };
}

function EditingNote({ onCancel }: { onCancel(): void }) {
  const { chat: words, shell } = useWords();
  return (
    <div
      role="status"
      className="mb-2 flex items-center justify-between gap-3 rounded-card bg-accent-soft px-3.5 py-1.5 text-small text-accent"
    >
      {words.editing}
      <Button size="small" tone="quiet" icon={X} onClick={onCancel}>
        {shell.cancel}
      </Button>
    </div>
  );
}
