// One memory file: its facts one by one, its text, or the text to edit.
import { FilePen } from "lucide-react";
import { useState, useSyncExternalStore } from "react";
import type { MemorySaved, MemoryText } from "../../../../src/api/memory/memory.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card } from "../../components/card.tsx";
import { Diff } from "../../components/code.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Tabs, TextArea } from "../../components/field.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useMutation, useQuery } from "../../wire/hooks.tsx";
import * as memoryTexts from "../../words/memory.ts";
import { FactList } from "./sources.tsx";

type Mode = "facts" | "read" | "edit";

export function FileEditor({ path }: { path: string }) {
  const query = useQuery("memory.read", { path }, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {(file) => <OpenFile file={file} refetch={query.refetch} />}
    </Loaded>
  );
}

function OpenFile({ file, refetch }: { file: MemoryText; refetch(): void }) {
  const words = useTopic(memoryTexts);
  const { path, text } = file;
  const draft = useDraft(path);
  const hasFacts = path === "USER.md" || path.startsWith("memory/");
  const [mode, setMode] = useState<Mode>(draft !== undefined ? "edit" : hasFacts ? "facts" : "read");
  const { save, ...saving } = useSave(path, refetch);
  const removeLine = async (index: number) => {
    const rest = text.split("\n").filter((_, at) => at !== index);
    if (await save({ text: rest.join("\n"), hash: file.hash }, words.factRemoved)) return;
    // It has changed meanwhile: the person looks at the new list first.
    saving.clear();
    refetch();
  };
  return (
    <Card>
      <header className="flex flex-wrap items-center justify-between gap-2 border-b border-line px-4 py-2.5">
        <h2 className="min-w-0 font-semibold">
          {nameFile(path, words)}
          <span className="block truncate font-mono text-tiny font-normal text-muted">{path}</span>
        </h2>
        <Tabs label={words.mode} tabs={words.modes} value={mode} onChange={setMode} />
      </header>
      <div className="px-4 py-4 md:px-6">
        {mode === "read" && <Reading text={draft?.text ?? text} onWrite={() => setMode("edit")} />}
        {mode === "facts" && <FactList text={text} onRemove={(index) => void removeLine(index)} />}
        {mode === "edit" && <TextEditor file={file} refetch={refetch} {...{ save, ...saving }} />}
      </div>
    </Card>
  );
}

function Reading({ text, onWrite }: { text: string; onWrite(): void }) {
  const words = useTopic(memoryTexts);
  if (text.trim() !== "") return <Markdown text={text} />;
  return (
    <EmptyState
      icon={FilePen}
      title={words.emptyFile}
      action={<Button onClick={onWrite}>{words.write}</Button>}
    />
  );
}

type TextEditorProps = { file: MemoryText; refetch(): void } & ReturnType<typeof useSave>;

function TextEditor({ file, refetch, save, conflict, clear, isRunning }: TextEditorProps) {
  const words = useTopic(memoryTexts);
  const { shell } = useWords();
  const { path, text, hash } = file;
  const draft = useDraft(path);
  const start = () => draft && void save(draft);
  const takeTheirs = () => {
    keepDraft(path, undefined);
    clear();
    refetch();
  };
  return (
    <div className="flex flex-col gap-3">
      <TextArea
        aria-label={words.editor(path)}
        value={draft?.text ?? text}
        spellCheck={false}
        rows={20}
        className="resize-y font-mono text-small leading-6"
        onChange={({ target }) => {
          const isBack = target.value === text && (draft === undefined || draft.hash === hash);
          keepDraft(path, isBack ? undefined : { text: target.value, hash: draft?.hash ?? hash });
        }}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.key !== "s") return;
          event.preventDefault();
          start();
        }}
      />
      <div className="flex flex-wrap items-center justify-end gap-2">
        {draft && <span className="mr-auto text-small text-warn">{words.unsaved}</span>}
        <Button tone="quiet" disabled={draft === undefined} onClick={() => keepDraft(path, undefined)}>
          {shell.discard}
        </Button>
        <Button tone="primary" disabled={draft === undefined} isBusy={isRunning} onClick={start}>
          {shell.save}
        </Button>
      </div>
      {conflict && draft && (
        <ConflictDialog
          conflict={conflict}
          onClose={clear}
          onMine={(now) => void save({ ...draft, hash: now })}
          onTheirs={takeTheirs}
        />
      )}
    </div>
  );
}

/** As people call it; a note by its day. */
export function nameFile(path: string, words: typeof memoryTexts.english): string {
  const name = path.replace(/^memory\//, "").replace(/\.md$/, "");
  const isToday = name === new Date().toLocaleDateString("sv-SE");
  return words.names[path] ?? (isToday ? words.today : name);
}

/** A change made elsewhere is no failure: both texts are shown, and the user decides. */
function useSave(path: string, refetch: () => void) {
  const words = useTopic(memoryTexts);
  const { shell } = useWords();
  const saving = useMutation("memory.save");
  const restoring = useMutation("memory.restore");
  const [conflict, setConflict] = useState<Conflict>();

  async function save({ text, hash }: Draft, said = words.saved): Promise<boolean> {
    if (saving.isRunning) return false;
    const outcome = await saving.run({ path, text, hash });
    if (!outcome.ok) return false;
    setConflict(outcome.result.isSaved ? undefined : outcome.result);
    if (!outcome.result.isSaved) return false;
    const { version, hash: now } = outcome.result;
    settleDraft(path, { text, hash: now });
    refetch();
    const undo = version && { label: shell.undo, run: () => void restoring.run({ id: version }) };
    showToast({ text: said, tone: "good", ...(undo && { action: undo }) });
    return true;
  }

  return { save, conflict, clear: () => setConflict(undefined), isRunning: saving.isRunning };
}

type Conflict = Extract<MemorySaved, { isSaved: false }>;

interface ConflictDialogProps {
  conflict: Conflict;
  onClose(): void;
  /** With the hash of the text that is overwritten. */
  onMine(hash: string): void;
  onTheirs(): void;
}

function ConflictDialog({ conflict, onClose, onMine, onTheirs }: ConflictDialogProps) {
  const words = useTopic(memoryTexts);
  const actions = (
    <>
      <Button tone="quiet" onClick={onClose}>
        {words.goOn}
      </Button>
      <Button onClick={onTheirs}>{words.takeTheirs}</Button>
      <Button tone="primary" title={words.keepMineHint} onClick={() => onMine(conflict.theirs.hash)}>
        {words.keepMine}
      </Button>
    </>
  );
  return (
    <Dialog title={words.conflict} width="wide" onClose={onClose} actions={actions}>
      <p className="mb-3 text-small text-muted">{words.conflictAbout}</p>
      {conflict.diff === undefined ? (
        <p className="text-small">{words.conflictTooLarge}</p>
      ) : (
        <Diff text={conflict.diff} label={words.conflict} />
      )}
      <p className="mt-3 text-small text-muted">{words.keepMineHint}</p>
    </Dialog>
  );
}

/** Unsaved text, and the hash of the text that it changes. */
interface Draft {
  text: string;
  hash: string;
}

const drafts = new Map<string, Draft>();
const listeners = new Set<() => void>();

export function useDraft(path: string): Draft | undefined {
  return useSyncExternalStore(subscribe, () => drafts.get(path));
}

function keepDraft(path: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(path);
  else drafts.set(path, draft);
  // The browser asks before it closes a tab with unsaved text.
  window.onbeforeunload = drafts.size === 0 ? null : (event) => event.preventDefault();
  for (const listener of listeners) listener();
}

/** Text typed while saving stays, as a change of the saved text. */
function settleDraft(path: string, saved: Draft): void {
  const now = drafts.get(path);
  keepDraft(path, now === undefined || now.text === saved.text ? undefined : { ...saved, text: now.text });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
