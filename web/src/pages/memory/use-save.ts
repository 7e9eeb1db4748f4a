// Saves a file of memory. What somebody else has changed meanwhile is no failure: it is shown, and the person decides.
import { useState } from "react";
import type { MemorySaved } from "../../../../src/server/protocol/memory.ts";
import { useToasts } from "../../app/toasts.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";

/** What is typed, and of which text it is a change. */
export interface Draft {
  text: string;
  hash: string;
}

export type Conflict = Extract<MemorySaved, { isSaved: false }>;

export interface SaveEvents {
  onDraft(draft: Draft | undefined): void;
  refetch(): void;
}

export function useSave(path: string, { onDraft, refetch }: SaveEvents) {
  const words = useWords().memory;
  const { showToast } = useToasts();
  const saving = useMutation("memory.save");
  const restoring = useMutation("memory.restore");
  const [conflict, setConflict] = useState<Conflict>();

  async function save({ text, hash }: Draft): Promise<void> {
    const outcome = await saving.run({ path, text, hash });
    if (!outcome.ok) return;
    setConflict(outcome.result.isSaved ? undefined : outcome.result);
    if (!outcome.result.isSaved) return;
    const { version } = outcome.result;
    onDraft(undefined);
    refetch();
    const undo = version && { label: words.undo, run: () => void restoring.run({ id: version }) };
    showToast({ text: words.saved, tone: "good", ...(undo && { action: undo }) });
  }

  return { save, conflict, clear: () => setConflict(undefined), isRunning: saving.isRunning };
}
