// The text of a file of memory, to be changed. What is typed is kept until it is saved or thrown away.
import type { MemoryText } from "../../../../src/server/protocol/memory.ts";
import { Button } from "../../components/button.tsx";
import { TextArea } from "../../components/field.tsx";
import { useWords } from "../../words/use-words.ts";
import { ConflictDialog } from "./conflict-dialog.tsx";
import { keepDraft, useDraft } from "./drafts.ts";
import { useSave } from "./use-save.ts";

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
