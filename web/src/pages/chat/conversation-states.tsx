// What stands where a conversation cannot be shown, or not be written in.
import { Trash2 } from "lucide-react";
import { Button } from "../../components/button.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import type { Conversation } from "../../store/conversation.ts";
import { useWords } from "../../words/use-words.ts";

export function Waiting(props: { conversation: Conversation | undefined; onRetry(): void }) {
  const { conversation, onRetry } = props;
  const words = useWords().chat;
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      {conversation?.status === "removed" ? (
        <EmptyState icon={Trash2} title={words.removed} />
      ) : conversation?.status === "failed" ? (
        <ErrorState message={conversation.problem?.message ?? ""} onRetry={onRetry} />
      ) : (
        <div className="mx-auto max-w-3xl px-6 py-10">
          <SkeletonLines count={8} />
        </div>
      )}
    </div>
  );
}

export function ReadOnlyNote({ onBranch }: { onBranch(): void }) {
  const words = useWords().chat;
  return (
    <div className="flex flex-wrap items-center justify-center gap-3 rounded-card border border-line bg-side p-3 text-small text-muted">
      {words.readOnly}
      <Button size="small" onClick={onBranch}>
        {words.branchToGoOn}
      </Button>
    </div>
  );
}
