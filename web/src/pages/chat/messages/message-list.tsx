// The rows of a conversation as a virtual list. It opens at the end and follows it, keeps its place when older rows are
// loaded, and scrolls to the message of the address.
import { useVirtualizer } from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useWords } from "../../../app/preferences.tsx";
import type {
  AsidePart,
  Ask,
  Call,
  Conversation,
  Outgoing,
  Part,
  RunningTurn,
  StepPart,
  UserPart,
} from "../../../store/conversation.ts";
import { RowView } from "./row-view.tsx";

interface MessageListProps {
  rows: readonly Row[];
  /** A message to scroll to. */
  at: string | undefined;
  onTop(): void;
  isLoadingOlder: boolean;
}

const nearTop = 600;
const nearEnd = 80;

export function MessageList({ rows, at, onTop, isLoadingOlder }: MessageListProps) {
  const words = useWords().chat;
  const box = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: (index) => estimateHeight(rows[index]),
    getItemKey: (index) => rows[index]?.id ?? index,
    overscan: 6,
    anchorTo: "end",
    followOnAppend: true,
    scrollEndThreshold: nearEnd,
    paddingStart: 24,
    paddingEnd: 24,
  });
  const marked = useScrollTo(rows, at, virtualizer);
  const scroll = () => {
    const { scrollTop = 0, scrollHeight = 0, clientHeight = 0 } = box.current ?? {};
    setIsAtEnd(scrollHeight - scrollTop - clientHeight < nearEnd);
    if (scrollTop < nearTop) onTop();
  };
  const height = virtualizer.getTotalSize();
  const room = virtualizer.scrollRect?.height;
  const sent = rows.findLast(({ kind }) => kind === "outgoing")?.id;
  useEffect(() => {
    if (sent !== undefined) setIsAtEnd(true);
  }, [sent]);
  // Follows what grows at the end, unless the user has scrolled away from it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the heights say when.
  useLayoutEffect(() => {
    const list = box.current;
    if (list !== null && isAtEnd && (at === undefined || marked === undefined))
      list.scrollTop = list.scrollHeight;
  }, [height, room, isAtEnd, at, marked]);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={box}
        role="log"
        aria-label={words.messages}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
        tabIndex={0}
        onScroll={scroll}
        className="h-full overflow-y-auto overflow-x-hidden [overflow-anchor:none]"
      >
        {isLoadingOlder && (
          <p role="status" className="absolute inset-x-0 top-1 z-10 text-center text-tiny text-muted">
            {words.loadingOlder}
          </p>
        )}
        <div className="relative w-full" style={{ height }}>
          {virtualizer.getVirtualItems().map(({ index, key, start }) => {
            const row = rows[index];
            return (
              <div
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                className="absolute inset-x-0 top-0"
                style={{ transform: `translateY(${start}px)` }}
              >
                <div className="mx-auto max-w-3xl px-4 py-2 md:px-6">
                  <div
                    className={row && row.id === marked ? "-m-2 rounded-card bg-accent-soft p-2" : undefined}
                  >
                    {row && <RowView row={row} />}
                  </div>
                </div>
              </div>
            );
          })}
        </div>
      </div>
      {!isAtEnd && (
        <button
          type="button"
          onClick={() => virtualizer.scrollToEnd()}
          className="absolute bottom-3 left-1/2 flex h-8 -translate-x-1/2 items-center gap-1.5 rounded-full border border-line bg-surface px-3 text-small hover:bg-raised"
        >
          <ArrowDown aria-hidden className="size-4" />
          {words.toEnd}
        </button>
      )}
    </div>
  );
}

/** The message of the address is marked for a while. */
function useScrollTo(
  rows: readonly Row[],
  at: string | undefined,
  virtualizer: { scrollToIndex(index: number, options: { align: "center" }): void },
): string | undefined {
  const [marked, setMarked] = useState<string>();
  const reached = useRef<string>(undefined);
  useEffect(() => {
    if (at === undefined || reached.current === at) return;
    const index = rows.findIndex((row) => row.id === at || isCallOf(row, at));
    const row = rows[index];
    if (row === undefined) return;
    reached.current = at;
    virtualizer.scrollToIndex(index, { align: "center" });
    setMarked(row.id);
    setTimeout(() => setMarked(undefined), 2_500);
  }, [rows, at, virtualizer]);
  return marked;
}

/** The result of a call is shown with the reply that made it. */
function isCallOf(row: Row, id: string): boolean {
  return row.kind === "step" && row.part.calls.some((call) => call.id === id);
}

/** An estimate until the real height is measured. */
function estimateHeight(row: Row | undefined): number {
  if (row?.kind === "user") return 90 + 24 * Math.ceil(row.part.text.length / 70);
  if (row?.kind !== "step") return 70;
  const { text, calls } = row.part;
  return 60 + 26 * Math.ceil(text.length / 85) + 38 * calls.length;
}

export type Row =
  | { kind: "day"; id: string; at: number }
  | { kind: "user"; id: string; part: UserPart }
  | {
      kind: "step";
      id: string;
      part: StepPart;
      isRunning: boolean;
      /** Its turn still runs: calls without a result have not ended. */
      isActive: boolean;
    }
  | { kind: "aside"; id: string; part: AsidePart }
  | { kind: "ask"; id: string; ask: Ask }
  | { kind: "running"; id: string; running: RunningTurn; call: Call | undefined }
  | { kind: "ending"; id: string; stop: string }
  | { kind: "outgoing"; id: string; message: Outgoing };

export function toRows(conversation: Conversation): Row[] {
  const { parts, running, ending, asks, outgoing } = conversation;
  const rows: Row[] = [];
  let [midnight, next] = [0, 0];
  const failedTurns = new Set(parts.flatMap((part) => (isFailure(part) ? part.turn : [])));
  for (const [index, part] of parts.entries()) {
    if (isRepeated(part, parts[index - 1]) || (isFailed(part) && failedTurns.has(part.turn))) continue;
    if (part.at < midnight || part.at >= next) {
      midnight = new Date(part.at).setHours(0, 0, 0, 0);
      next = new Date(part.at).setHours(24, 0, 0, 0);
      rows.push({ kind: "day", id: `day-${part.id}`, at: part.at });
    }
    rows.push(toRow(part, running));
  }
  for (const ask of asks) rows.push({ kind: "ask", id: `ask-${ask.askId}`, ask });
  if (running !== undefined && asks.length === 0) {
    const call = findRunningCall(parts.findLast((part) => part.id === running.stepId));
    rows.push({ kind: "running", id: "running", running, call });
  }
  // A notice about the end says more than the row would.
  const isExplained = parts.at(-1)?.kind === "aside";
  if (ending !== undefined && ending.stop !== "completed" && running === undefined && !isExplained)
    rows.push({ kind: "ending", id: "ending", stop: ending.stop });
  for (const message of outgoing) rows.push({ kind: "outgoing", id: message.requestId, message });
  return rows;
}

/** The notice that says why a turn failed. */
const isFailure = (part: Part) => part.kind === "aside" && part.aside.isFailure === true;

/** It has nothing else to show. */
const isFailed = (part: Part) => part.kind === "step" && part.isFailed === true && part.calls.length === 0;

/** Several turns that stopped at once get one notice. */
function isRepeated(part: Part, before: Part | undefined): boolean {
  if (part.kind !== "aside" || before?.kind !== "aside" || part.aside.kind !== "notice") return false;
  return part.aside.text === before.aside.text && part.at - before.at < 1_000;
}

function findRunningCall(step: Part | undefined): Call | undefined {
  return step?.kind === "step" ? step.calls.findLast(({ result }) => result === undefined) : undefined;
}

function toRow(part: Part, running: RunningTurn | undefined): Row {
  if (part.kind === "user") return { kind: "user", id: part.id, part };
  if (part.kind === "aside") return { kind: "aside", id: part.id, part };
  const isRunning = running?.stepId === part.id;
  return { kind: "step", id: part.id, part, isRunning, isActive: running?.turnId === part.turn };
}
