// The text of a file of memory, to be changed. What is typed is kept until it is saved or thrown away.
import { useState } from "react";
import type { MemoryText } from "../../../../src/api/memory/memory.ts";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { TextArea } from "../../components/field.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";
import { type Conflict, ConflictDialog } from "./conflict-dialog.tsx";
import { type Draft, keepDraft, settleDraft, useDraft } from "./drafts.ts";

export function TextEditor({ file, refetch }: { file: MemoryText; refetch(): void }) {
  const { memory: words, shell } = useWords();
  const { path, text, hash } = file;
  const draft = useDraft(path);
  const { save, conflict, clear, isRunning } = useSave(path, refetch);
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
          {words.discard}
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

/** What somebody else has changed meanwhile is no failure: it is shown, and the person decides. */
function useSave(path: string, refetch: () => void) {
  const words = useWords();
  const { showToast } = useToasts();
  const saving = useMutation("memory.save");
  const restoring = useMutation("memory.restore");
  const [conflict, setConflict] = useState<Conflict>();

  async function save({ text, hash }: Draft): Promise<void> {
    if (saving.isRunning) return;
    const outcome = await saving.run({ path, text, hash });
    if (!outcome.ok) return;
    setConflict(outcome.result.isSaved ? undefined : outcome.result);
    if (!outcome.result.isSaved) return;
    const { version, hash: now } = outcome.result;
    settleDraft(path, { text, hash: now });
    refetch();
    const undo = version && { label: words.shell.undo, run: () => void restoring.run({ id: version }) };
    showToast({ text: words.memory.saved, tone: "good", ...(undo && { action: undo }) });
  }

  return { save, conflict, clear: () => setConflict(undefined), isRunning: saving.isRunning };
}
