// A row of the conversation, by its kind.
import { memo, useEffect, useState } from "react";
import { usePreferences, useWords } from "../../../app/preferences.tsx";
import { Button } from "../../../components/button.tsx";
import { dateFormat, Time } from "../../../components/format.tsx";
import { Markdown } from "../../../components/markdown/markdown.tsx";
import { ErrorBoundary } from "../../../components/states.tsx";
import { PlainText } from "../../../components/text.tsx";
import type { Call, RunningTurn } from "../../../store/conversation.ts";
import { useSay } from "../../../wire/hooks.tsx";
import { useChat } from "../chat-actions.ts";
import { AttachmentList } from "../composer/attachments.tsx";
import { AskCard } from "./ask-card.tsx";
import { FailureCard } from "./failure-card.tsx";
import type { Row } from "./message-list.tsx";
import { StepRow } from "./step-row.tsx";
import { toHint } from "./tool-card.tsx";
import { UserRow } from "./user-row.tsx";

/** A row that fails to render does not affect the others. */
export const RowView = memo(
  ({ row }: { row: Row }) => (
    <ErrorBoundary fallback={() => <PlainRow row={row} />}>
      <RowBody row={row} />
    </ErrorBoundary>
  ),
  (before, after) => isSame(before.row, after.row),
);

function RowBody({ row }: { row: Row }) {
  switch (row.kind) {
    case "day":
      return <DayRow at={row.at} />;
    case "user":
      return <UserRow part={row.part} />;
    case "step":
      return <StepRow part={row.part} isRunning={row.isRunning} isActive={row.isActive} />;
    case "aside":
      return <AsideRow row={row} />;
    case "ask":
      return <AskCard ask={row.ask} />;
    case "running":
      return <RunningLine running={row.running} call={row.call} />;
    case "ending":
      return <EndingRow stop={row.stop} />;
    case "outgoing":
      return <OutgoingRow row={row} />;
  }
}

function PlainRow({ row }: { row: Row }) {
  const { failed } = useWords().shell;
  const text = row.kind === "step" || row.kind === "user" ? row.part.text : "";
  return <p className="break-words whitespace-pre-wrap text-muted">{text || failed}</p>;
}

/** Rows are created again with every event, their parts are not. */
function isSame(a: Row, b: Row): boolean {
  const [one, other] = [Object.entries(a), b as unknown as Record<string, unknown>];
  return a.kind === b.kind && one.every(([name, value]) => Object.is(value, other[name]));
}

function DayRow({ at }: { at: number }) {
  const { language } = usePreferences();
  const form = { weekday: "long", month: "long", day: "numeric" } as const;
  const day = dateFormat(language, form).format(at);
  return (
    <div className="flex items-center gap-3 py-2 text-tiny text-muted">
      <span className="h-px flex-1 bg-line" />
      {day}
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

function AsideRow({ row }: { row: Extract<Row, { kind: "aside" }> }) {
  const { aside } = row.part;
  const isAnswer = aside.kind === "message";
  if (aside.isFailure) return <FailureCard text={aside.text} turnId={aside.turnId} />;
  return (
    <div
      className={`flex flex-col gap-2 ${isAnswer ? "" : "rounded-card border border-line bg-side px-4 py-3 text-small"}`}
    >
      <Markdown isSaid text={aside.text} />
      <AttachmentList attachments={aside.attachments ?? []} />
      <Time at={aside.at} className="text-tiny text-muted" />
    </div>
  );
}

function EndingRow({ stop }: { stop: string }) {
  const words = useWords().chat;
  const text = words.endings[stop] ?? words.endings.cancelled ?? "";
  if (stop === "error") return <FailureCard text={text} turnId={undefined} />;
  return <p className="text-small text-muted">{text}</p>;
}

function OutgoingRow({ row }: { row: Extract<Row, { kind: "outgoing" }> }) {
  const { chat: words, shell } = useWords();
  const { actions } = useChat();
  const { text, files, problem } = row.message;
  return (
    <div className="flex flex-col items-end gap-1">
      <div className="max-w-[85%] rounded-2xl bg-raised px-4 py-2.5 break-words whitespace-pre-wrap opacity-75">
        <PlainText text={text} />
        {files.length > 0 && (
          <div className="text-small text-muted">{files.map(({ name }) => name).join(", ")}</div>
        )}
      </div>
      {problem === undefined ? (
        <span className="text-tiny text-muted">{words.sending}</span>
      ) : (
        <div role="alert" className="flex flex-wrap items-center justify-end gap-2 text-small text-bad">
          {words.notSent} {problem.message}
          <Button size="small" onClick={() => actions.resend(row.message)}>
            {shell.retry}
          </Button>
          <Button size="small" tone="quiet" onClick={() => actions.discard(row.message)}>
            {shell.discard}
          </Button>
        </div>
      )}
    </div>
  );
}

/** At the end of a running turn, with what the model provider reported. */
function RunningLine({ running: { notice, at }, call }: { running: RunningTurn; call: Call | undefined }) {
  const words = useWords().chat;
  const say = useSay();
  const now = useSeconds();
  const waits = notice?.kind === "retry" && notice.until !== undefined ? notice.until - now : 0;
  const elapsed = at === undefined ? 0 : Math.floor((now - at) / 1_000);
  const doing =
    call === undefined ? words.running : (words.doing[call.name] ?? words.doing.other)?.(toHint(call));
  const describe = (reported: NonNullable<RunningTurn["notice"]>) => {
    const reason = say(reported.reason);
    if (reported.kind === "retry") return words.notices.retry(reported.attempt, reason);
    return reported.kind === "fallback" ? words.notices.fallback(reported.to, reason) : reason;
  };
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
      <span className="min-w-0 truncate">{notice ? describe(notice) : doing}</span>
      {waits > 0 ? (
        <span className="shrink-0 tabular-nums">{words.retriesIn(Math.ceil(waits / 1_000))}</span>
      ) : (
        elapsed >= 2 && <span className="shrink-0 tabular-nums">{formatElapsed(elapsed)}</span>
      )}
    </div>
  );
}

/** The time, again with every second. */
function useSeconds(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** `42 s`, `1:05`. */
function formatElapsed(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
