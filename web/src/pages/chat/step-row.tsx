// One reply of the model: its reasoning folded, its text, its calls, and what the turn took below the last.
import { Brain, ChevronRight, GitBranch, RotateCw } from "lucide-react";
import { IconButton } from "../../components/button.tsx";
import { CopyButton } from "../../components/code-block.tsx";
import { Markdown } from "../../components/markdown/markdown.tsx";
import { Time } from "../../components/time.tsx";
import type { StepPart } from "../../store/conversation.ts";
import { useStore, useWire } from "../../wire/wire-context.tsx";
import { useWords } from "../../words/use-words.ts";
import { AttachmentList } from "./attachment-list.tsx";
import { useChat } from "./chat-context.ts";
import { ToolCard } from "./tool-card.tsx";
import { TurnCostLine, UsageLine } from "./turn-cost-line.tsx";
import { onDemand } from "./user-row.tsx";

export interface StepRowProps {
  part: StepPart;
  isRunning: boolean;
  isActive: boolean;
}

export function StepRow({ part, isRunning, isActive }: StepRowProps) {
  const words = useWords().chat;
  const isFinal = part.cost !== undefined || (part.calls.length === 0 && !isRunning && part.text !== "");
  return (
    <article aria-label={words.assistant} aria-busy={isRunning} className="group flex flex-col gap-3">
      {part.reasoning !== "" && <Reasoning text={part.reasoning} isRunning={isRunning && part.text === ""} />}
      {part.text !== "" && <Markdown isSaid text={part.text} />}
      <AttachmentList attachments={part.attachments} />
      {part.calls.length > 0 && (
        <div className="divide-y divide-line overflow-hidden rounded-card border border-line bg-surface">
          {part.calls.map((call) => (
            <ToolCard key={call.id} call={call} isActive={isActive} />
          ))}
        </div>
      )}
      {isFinal && <StepFooter part={part} />}
      {!isFinal && !isRunning && part.usage && (
        <p className="-mt-1 text-tiny text-muted">
          <UsageLine usage={part.usage} />
          <Time at={part.at} className="before:mx-2 before:content-['·']" />
        </p>
      )}
    </article>
  );
}

function Reasoning({ text, isRunning }: { text: string; isRunning: boolean }) {
  const words = useWords().chat;
  return (
    <details className="group/reasoning text-small text-muted">
      <summary className="inline-flex list-none items-center gap-1.5 rounded-control py-0.5 pr-2 hover:text-ink">
        <ChevronRight aria-hidden className="size-4 transition-transform group-open/reasoning:rotate-90" />
        <Brain aria-hidden className={`size-4 ${isRunning ? "animate-pulse-soft" : ""}`} />
        {isRunning ? words.thinking : words.reasoning}
      </summary>
      <div className="mt-1 ml-2 border-l-2 border-line pl-4 whitespace-pre-wrap">{text}</div>
    </details>
  );
}

function StepFooter({ part }: { part: StepPart }) {
  const words = useWords().chat;
  const { store } = useWire();
  const { actions, canRewind, sessionKey } = useChat();
  const asked = useStore((state) =>
    state.conversations.get(sessionKey)?.parts.find(({ kind, id }) => kind === "user" && id === part.turn),
  );
  const branch = () => {
    const parts = store.get().conversations.get(sessionKey)?.parts ?? [];
    const behind = parts.slice(parts.findIndex(({ id }) => id === part.id));
    void actions.branch(behind.find(({ kind }) => kind === "user")?.id);
  };
  // Of a turn with one reply the turn's line says the same, and more.
  const isOneOfMany = part.usage !== undefined && part.usage.input !== part.cost?.usage.input;
  const canRetry = canRewind && asked?.kind === "user" && !asked.isSystem;
  return (
    <footer className="flex min-h-8 flex-wrap items-center gap-x-2 text-tiny text-muted">
      {isOneOfMany && part.usage && <UsageLine usage={part.usage} />}
      <Time at={part.at} className={isOneOfMany ? "before:mr-2 before:content-['·']" : ""} />
      {part.cost && <TurnCostLine cost={part.cost} isOfMany={isOneOfMany} />}
      <div className={`flex items-center ${onDemand}`}>
        <CopyButton text={part.text} />
        {canRetry && (
          <IconButton
            label={words.retry}
            icon={RotateCw}
            onClick={() => void actions.replace(part.turn, { text: asked.text })}
          />
        )}
        <IconButton label={words.branch} icon={GitBranch} onClick={branch} />
      </div>
    </footer>
  );
}
