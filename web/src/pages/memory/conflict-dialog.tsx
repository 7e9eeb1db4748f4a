// Two people, or a person and Dream, have changed one file: both texts are shown, and neither is lost.
import type { MemorySaved } from "../../../../src/api/memory/memory.ts";
import { Button } from "../../components/button.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { Diff } from "../../components/diff.tsx";
import { useWords } from "../../words/use-words.ts";

export type Conflict = Extract<MemorySaved, { isSaved: false }>;

export interface ConflictDialogProps {
  conflict: Conflict;
  onClose(): void;
  /** With the hash of the text that is written over. */
  onMine(hash: string): void;
  onTheirs(): void;
}

export function ConflictDialog({ conflict, onClose, onMine, onTheirs }: ConflictDialogProps) {
  const words = useWords().memory;
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
    <Dialog title={words.conflict} isOpen width="wide" onClose={onClose} actions={actions}>
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
