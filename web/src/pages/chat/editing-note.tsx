// Says that an earlier message is being edited, and what that means.
import { X } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { useWords } from "../../words/use-words.ts";

export function EditingNote({ onCancel }: { onCancel(): void }) {
  const words = useWords().chat;
  return (
    <div
      role="status"
      className="mb-2 flex items-center justify-between gap-3 rounded-card bg-accent-soft px-3.5 py-1.5 text-small text-accent"
    >
      {words.editing}
      <Button size="small" tone="quiet" icon={X} onClick={onCancel}>
        {words.cancelEdit}
      </Button>
    </div>
  );
}
