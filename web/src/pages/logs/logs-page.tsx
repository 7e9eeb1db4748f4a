// The log page: live, by level and words, with pause and copy.
import { Copy, Pause, Play, ScrollText } from "lucide-react";
import { Fragment, useEffect, useMemo, useRef, useState } from "react";
import type { Problem } from "../../../../src/server/protocol.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { showToast } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { copyText } from "../../components/export-text.ts";
import { Input, Tabs } from "../../components/field.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { useStore, useWire } from "../../wire/hooks.tsx";
import * as logsTexts from "../../words/logs.ts";

const mostShown = 500;

export function LogsPage() {
  const words = useTopic(logsTexts);
  const { shell } = useWords();
  const { lines, problem } = useLog();
  const [level, setLevel] = useState<Level>("info");
  const [filter, setFilter] = useState("");
  const [frozen, setFrozen] = useState<readonly string[]>();
  const seen = frozen ?? lines;
  const shown = useMemo(
    () =>
      seen
        ?.map(parseLine)
        .filter((line) => matches(line, level, filter))
        .slice(-mostShown),
    [seen, level, filter],
  );
  const copy = async () => {
    await copyText((shown ?? []).map(({ text }) => text).join("\n"));
    showToast({ text: shell.copied });
  };
  const waiting = frozen === undefined ? 0 : (lines?.length ?? 0) - frozen.length;
  const actions = (
    <>
      <Button
        icon={frozen ? Play : Pause}
        aria-pressed={frozen !== undefined}
        onClick={() => setFrozen(frozen ? undefined : lines)}
      >
        {frozen ? words.resume : words.pause}
        {waiting > 0 && ` · ${words.paused(waiting)}`}
      </Button>
      <Button icon={Copy} disabled={!shown?.length} onClick={copy}>
        {words.copy}
      </Button>
    </>
  );
  return (
    <Page name="logs" about={words.about} actions={actions}>
      <div className="flex flex-wrap items-center gap-3">
        <Tabs label={words.level} tabs={words.levels} value={level} onChange={setLevel} />
        <Input
          type="search"
          aria-label={words.filter}
          placeholder={words.filter}
          className="max-w-72"
          value={filter}
          onChange={({ target }) => setFilter(target.value)}
        />
      </div>
      {problem && <ErrorState message={problem.message} />}
      {!seen && !problem && <SkeletonLines count={10} />}
      {seen && shown && <Lines shown={shown} isEmpty={seen.length === 0} isHeld={frozen !== undefined} />}
    </Page>
  );
}

function Lines({ shown, isEmpty, isHeld }: { shown: LogLine[]; isEmpty: boolean; isHeld: boolean }) {
  const words = useTopic(logsTexts);
  const box = useRef<HTMLDivElement>(null);
  const last = shown.at(-1)?.text;
  // Stays at the end while new lines arrive, unless the user scrolled up.
  useEffect(() => {
    const element = box.current;
    if (element === null || isHeld || last === undefined) return;
    const isNearEnd = element.scrollHeight - element.scrollTop - element.clientHeight < 200;
    if (isNearEnd || element.scrollTop === 0) element.scrollTop = element.scrollHeight;
  }, [last, isHeld]);
  if (shown.length === 0)
    return (
      <EmptyState icon={ScrollText} title={isEmpty ? words.empty : words.nothingMatches}>
        {isEmpty ? words.emptyHint : words.nothingMatchesHint}
      </EmptyState>
    );
  return (
    <Card>
      <div
        ref={box}
        role="log"
        aria-label={words.lines}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolled by the keyboard.
        tabIndex={0}
        className="max-h-[65dvh] overflow-auto py-2 text-small"
      >
        {shown.map((line) => (
          <Line key={line.id} line={line} />
        ))}
      </div>
    </Card>
  );
}

const tones = { debug: "text-muted", info: "text-accent", warn: "text-warn", error: "text-bad" };

function Line({ line: { time, level, event, fields } }: { line: LogLine }) {
  const words = useTopic(logsTexts);
  const clock = time === "" ? "" : new Date(time).toLocaleTimeString(undefined, { hour12: false });
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 px-4 py-1 hover:bg-raised md:grid-cols-[4.5rem_4.5rem_minmax(0,1fr)]">
      <time dateTime={time} title={time} className="text-muted tabular-nums">
        {clock}
      </time>
      <span className={tones[level]}>{words.marks[level]}</span>
      <span className="min-w-0 break-words max-md:col-span-2">
        {words.events[level === "error" && event === "turn-end" ? "turn-failed" : event] ?? toSentence(event)}
        {fields.length > 0 && (
          <details className="text-muted">
            <summary className="w-fit text-tiny">{words.details}</summary>
            <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 py-1 font-mono text-tiny">
              <dt>event</dt>
              <dd>{event}</dd>
              {fields.map(([name, value]) => (
                <Fragment key={name}>
                  <dt>{name}</dt>
                  <dd className="break-words whitespace-pre-wrap">{value}</dd>
                </Fragment>
              ))}
            </dl>
          </details>
        )}
      </span>
    </div>
  );
}

/** `job-started` is "Job started"; a line that is no event stays as it is. */
function toSentence(event: string): string {
  if (!/^[a-z0-9-]+$/.test(event)) return event;
  const words = event.replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface Log {
  lines: readonly string[] | undefined;
  problem: Problem | undefined;
}

function useLog(): Log {
  const { connection, store } = useWire();
  const isOnline = useStore((state) => state.link === "online");
  const added = useStore((state) => state.logs);
  const [begun, setBegun] = useState<{ lines: string[]; last: string | undefined }>();
  const [problem, setProblem] = useState<Problem>();
  // Each new connection has to follow the log again.
  useEffect(() => {
    if (!isOnline) return;
    void connection.ask("logs.follow", { isOn: true }).then((outcome) => {
      if (outcome.ok) setBegun({ lines: outcome.result.lines, last: store.get().logs.at(-1) });
      setProblem(outcome.ok ? undefined : outcome.problem);
    });
    return () => void connection.ask("logs.follow", { isOn: false });
  }, [connection, store, isOnline]);
  if (begun === undefined) return { lines: undefined, problem };
  const since = begun.last === undefined ? added : added.slice(added.lastIndexOf(begun.last) + 1);
  return { lines: [...begun.lines, ...since], problem };
}

const levels = ["debug", "info", "warn", "error"] as const;
type Level = (typeof levels)[number];

interface LogLine {
  /** Its position among the lines that were read. */
  id: number;
  /** The line as it was written. */
  text: string;
  time: string;
  level: Level;
  event: string;
  /** Its other fields, those that are no text as JSON. */
  fields: Array<[name: string, value: string]>;
}

/** A line that is no JSON is shown as it is. */
export function parseLine(text: string, id: number): LogLine {
  const plain: LogLine = { id, text, time: "", level: "info", event: text, fields: [] };
  try {
    const { time, level, event, ...rest } = JSON.parse(text) as Record<string, unknown>;
    if (typeof time !== "string" || typeof event !== "string") return plain;
    const known = levels.find((name) => name === level) ?? "info";
    const fields = Object.entries(rest).map(([name, value]): [string, string] => [
      name,
      typeof value === "string" ? value : JSON.stringify(value),
    ]);
    return { id, text, time, level: known, event, fields };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof TypeError) return plain;
    throw error;
  }
}

export function matches(line: LogLine, least: Level, words: string): boolean {
  if (levels.indexOf(line.level) < levels.indexOf(least)) return false;
  const text = line.text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
