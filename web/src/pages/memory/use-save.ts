// Saves a file of memory. What somebody else has changed meanwhile is no failure: it is shown, and the person decides.
import { useState } from "react";
import type { MemorySaved } from "../../../../src/server/protocol/memory.ts";
import { useToasts } from "../../app/toasts.tsx";
import { useMutation } from "../../wire/use-mutation.ts";
import { useWords } from "../../words/use-words.ts";
import { type Draft, settleDraft } from "./drafts.ts";

export type Conflict = Extract<MemorySaved, { isSaved: false }>;

export function useSave(path: string, refetch: () => void) {
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
