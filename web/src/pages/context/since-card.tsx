// What was cached, what the next request repeats, and what has changed since the last one.
import type { ContextDiff, ContextView } from "../../../../src/api/context/context.ts";
import { Badge } from "../../components/card.tsx";
import { Diff } from "../../components/diff.tsx";
import { useNumbers } from "../../components/number.ts";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { splitCached } from "./stack.ts";

const tones = { added: "good", changed: "warn", removed: "bad" } as const;

export function CacheCard({ view: { lastTurn, rows } }: { view: ContextView }) {
  const words = useWords().context;
  const numbers = useNumbers();
  const { cached, fresh } = splitCached(rows);
  const { read, cached: hit, written } = lastTurn ?? { read: 0, cached: 0, written: 0 };
  const figures: Array<[string, number]> = [
    [words.lastTurn, read],
    [words.ofWhichCached, hit],
    [words.written, written],
    [words.nextRepeats, cached],
    [words.nextNew, fresh],
  ];
  return (
    <Section title={words.cache} aside={read > 0 && <Badge tone="good">{numbers.share(hit / read)}</Badge>}>
      {!lastTurn && <p className="mb-2 text-small text-muted">{words.nothingSent}</p>}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-small">
        {figures.slice(lastTurn ? 0 : 3).map(([name, count]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium tabular-nums">{numbers.count(count)}</dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}

export function SinceCard({ since, at }: { since: ContextDiff; at: number }) {
  const words = useWords().context;
  const changes = [...since.files, ...since.tools];
  return (
    <Section title={words.since} aside={<Time at={at} className="text-small text-muted" />}>
      <p className="text-small">{describeBreak(since.break, words)}</p>
      {changes.length === 0 && <p className="mt-2 text-small text-muted">{words.nothingChanged}</p>}
      <ul className="mt-2 flex flex-col gap-1.5 text-small">
        {changes.map(({ name, change }) => (
          <li key={name} className="flex items-center gap-2">
            <Badge tone={tones[change]}>{words.changes[change]}</Badge>
            <span className="truncate font-mono">{name}</span>
          </li>
        ))}
      </ul>
      <Folded title={words.told} text={since.notes.join("\n")} />
      <Folded title={words.systemDiff} text={since.system ?? ""} />
    </Section>
  );
}

function Folded({ title, text }: { title: string; text: string }) {
  if (text === "") return null;
  return (
    <details className="mt-3">
      <summary className="mb-2 text-small font-medium">{title}</summary>
      <Diff text={text} label={title} />
    </details>
  );
}

function describeBreak(found: ContextDiff["break"], words: ReturnType<typeof useWords>["context"]): string {
  if (found === undefined) return words.holds;
  const { place, why, layer = "", line = 0, messages = 0 } = found;
  const where = words.places[place](words.layers[layer] ?? layer, line, messages);
  return words.breaks(where, words.reasons[why] ?? why);
}
