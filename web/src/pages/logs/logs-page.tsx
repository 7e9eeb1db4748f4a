// The log, live: by level and words, paused to read, copied to send.
import { Copy, Pause, Play, ScrollText } from "lucide-react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useToasts } from "../../app/toasts.tsx";
import { Button } from "../../components/button.tsx";
import { Card, Page } from "../../components/card.tsx";
import { Input } from "../../components/field.tsx";
import { EmptyState, ErrorState, SkeletonLines } from "../../components/states.tsx";
import { Tabs } from "../../components/tabs.tsx";
import { useWords } from "../../words/use-words.ts";
import { type Level, type LogLine, matches, parseLine } from "./log-line.ts";
import { useLog } from "./use-log.ts";

const mostShown = 500;

export function LogsPage() {
  const words = useWords().logs;
  const pages = useWords().shell.pages;
  const { showToast } = useToasts();
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
    await navigator.clipboard.writeText((shown ?? []).map(({ text }) => text).join("\n"));
    showToast({ text: words.copied });
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
    <Page title={pages.logs} about={words.about} actions={actions}>
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
  const words = useWords().logs;
  const box = useRef<HTMLDivElement>(null);
  const last = shown.at(-1)?.text;
  // Stays at the end while new lines come, unless somebody reads further up.
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
        className="max-h-[65dvh] overflow-auto py-2 font-mono text-tiny"
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
  const clock = time === "" ? "" : new Date(time).toLocaleTimeString(undefined, { hour12: false });
  return (
    <div className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-x-3 md:grid-cols-[4.5rem_3rem_minmax(0,1fr)] px-4 py-0.5 hover:bg-raised">
      <time dateTime={time} title={time} className="text-muted">
        {clock}
      </time>
      <span className={tones[level]}>{level}</span>
      <span className="break-words max-md:col-span-2">
        <span className="font-medium">{event}</span> <span className="break-all text-muted">{fields}</span>
      </span>
    </div>
  );
}
