// At the end of a conversation that runs: that it does, and what it has to tell of the model's host.
import type { RunningTurn } from "../../store/conversation.ts";
import { useRetold } from "../../wire/use-retold.ts";
import type { Words } from "../../words/index.ts";
import { useWords } from "../../words/use-words.ts";

export function RunningLine({ running }: { running: RunningTurn }) {
  const words = useWords().chat;
  const { notice } = running;
  const [reason = ""] = useRetold([notice?.reason ?? ""], "turn");
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
      <span>{notice ? describeNotice({ ...notice, reason }, words.notices) : words.running}</span>
    </div>
  );
}

function describeNotice(notice: NonNullable<RunningTurn["notice"]>, words: Words["chat"]["notices"]): string {
  if (notice.kind === "retry") return words.retry(notice.attempt, notice.reason);
  if (notice.kind === "fallback") return words.fallback(notice.to, notice.reason);
  return words.other(notice.reason);
}
