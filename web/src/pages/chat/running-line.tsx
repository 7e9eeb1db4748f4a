// At the end of a conversation that runs: that it does, and what it has to tell of the model's host.
import type { RunningTurn } from "../../store/conversation.ts";
import type { Words } from "../../words/index.ts";
import { useSay } from "../../words/use-say.ts";
import { useWords } from "../../words/use-words.ts";

export function RunningLine({ running }: { running: RunningTurn }) {
  const words = useWords().chat;
  const { notice } = running;
  const say = useSay();
  return (
    <div role="status" className="flex items-center gap-3 text-small text-muted">
      <span aria-hidden className="flex gap-1">
        {[0, 1, 2].map((dot) => (
          <span
            key={dot}
            className="size-1.5 animate-pulse-soft rounded-full bg-accent"
            style={{ animationDelay: `${dot * 0.2}s` }}
          />
        ))}
      </span>
      <span>{notice ? describeNotice(notice, say(notice.reason), words.notices) : words.running}</span>
    </div>
  );
}

function describeNotice(
  notice: NonNullable<RunningTurn["notice"]>,
  reason: string,
  words: Words["chat"]["notices"],
): string {
  if (notice.kind === "retry") return words.retry(notice.attempt, reason);
  if (notice.kind === "fallback") return words.fallback(notice.to, reason);
  return words.other(reason);
}
