// One reply of the model: reasoning, text, tool calls, and the usage of the reply or turn.
import { Brain, ChevronRight, GitBranch, Quote, RotateCw } from "lucide-react";
import type { TurnCost } from "../../../../../src/api/chat/wire.ts";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { IconButton } from "../../../components/button.tsx";
import { CopyButton } from "../../../components/code.tsx";
import { formatDuration, formatMoney, formatShort, Time } from "../../../components/format.tsx";
import { Markdown } from "../../../components/markdown/markdown.tsx";
import type { StepPart } from "../../../store/conversation.ts";
import { useStore, useWire } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";
import { AttachmentList } from "../composer/attachments.tsx";
import { ChangedFiles } from "./changed-files.tsx";
import { FailureCard } from "./failure-card.tsx";
import { ReadAloudButton } from "./read-aloud.tsx";
import { ToolCard } from "./tool-card.tsx";
import { onDemand } from "./user-row.tsx";
import { VersionSwitch } from "./version-switch.tsx";

interface StepRowProps {
  part: StepPart;
  isRunning: boolean;
  isActive: boolean;
}

export function StepRow({ part, isRunning, isActive }: StepRowProps) {
  const words = useWords().chat;
  if (part.isFailed && part.calls.length === 0)
    return <FailureCard text={words.endings.error ?? ""} turnId={part.turn} />;
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
      {part.cost !== undefined && <ChangedFiles turnId={part.turn} />}
      {isFinal && <StepFooter part={part} />}
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
  const { actions, canRewind, quote, sessionKey } = useChat();
  const asked = useStore((state) =>
    state.conversations.get(sessionKey)?.parts.find(({ kind, id }) => kind === "user" && id === part.turn),
  );
  const branch = () => {
    const parts = store.get().conversations.get(sessionKey)?.parts ?? [];
    const behind = parts.slice(parts.findIndex(({ id }) => id === part.id));
    void actions.branch(behind.find(({ kind }) => kind === "user")?.id);
  };
  const canRetry = canRewind && asked?.kind === "user" && !asked.isSystem;
  return (
    <footer className="flex min-h-8 flex-wrap items-center gap-x-2 text-tiny text-muted">
      <Time at={part.at} />
      {part.cost && <TurnCostLine cost={part.cost} />}
      <VersionSwitch turn={part.turn} />
      <div className={`flex items-center ${onDemand}`}>
        <CopyButton text={part.text} />
        <IconButton label={words.quote} icon={Quote} onClick={() => quote(readSelection() || part.text)} />
        <ReadAloudButton text={part.text} />
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

/** What is selected on the page. */
const readSelection = (): string => getSelection()?.toString().trim() ?? "";

function TurnCostLine({ cost: { usage, money, ms } }: { cost: TurnCost }) {
  const words = useWords().chat.cost;
  const parts = useUsageParts({ ...usage, cost: money });
  return (
    <span title={words.title} className="tabular-nums before:mr-2 before:content-['·']">
      {[...parts, formatDuration(ms)].join(" · ")}
    </span>
  );
}

function useUsageParts({
  input,
  cached,
  output,
  cost,
}: TurnCost["usage"] & { cost: number | undefined }): string[] {
  const words = useWords().chat.cost;
  const { language } = usePreferences();
  const { currency } = useChat();
  // The demo uses none.
  if (input === 0 && output === 0) return [];
  const share = input > 0 ? Math.round((100 * cached) / input) : 0;
  return [
    words.input(formatShort(input, language)),
    ...(share > 0 ? [words.cached(share)] : []),
    words.output(formatShort(output, language)),
    ...(cost === undefined || cost === 0 ? [] : [formatMoney(cost, currency, language)]),
  ];
}
