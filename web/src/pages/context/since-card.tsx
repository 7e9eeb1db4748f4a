// What was cached, what the next request repeats, and what has changed since the last one.
import type { ContextView } from "../../../../src/server/protocol/context.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { Diff } from "../../components/diff.tsx";
import { formatCount, formatShare } from "../../components/number.ts";
import { Time } from "../../components/time.tsx";
import { useWords } from "../../words/use-words.ts";
import { splitCached } from "./stack.ts";

type Since = NonNullable<ContextView["since"]>;

const tones = { added: "good", changed: "warn", removed: "bad" } as const;

export function CacheCard({ view }: { view: ContextView }) {
  const words = useWords().context;
  const { language } = usePreferences();
  const { lastTurn, rows } = view;
  const { cached, fresh } = splitCached(rows);
  const count = (tokens: number) => formatCount(tokens, language);
  const figures = [
    ...(lastTurn
      ? [
          [words.lastTurn, count(lastTurn.read)],
          [
            words.ofWhichCached,
            `${count(lastTurn.cached)} (${formatShare(lastTurn.cached / Math.max(1, lastTurn.read), language)})`,
          ],
          [words.written, count(lastTurn.written)],
        ]
      : []),
    [words.nextRepeats, count(cached)],
    [words.nextNew, count(fresh)],
  ];
  return (
    <Card className="p-5">
      <h2 className="mb-3 font-semibold">{words.cache}</h2>
      {!lastTurn && <p className="mb-2 text-small text-muted">{words.nothingSent}</p>}
      <dl className="grid grid-cols-[1fr_auto] gap-x-4 gap-y-1.5 text-small">
        {figures.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-muted">{name}</dt>
            <dd className="text-right font-medium tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

export function SinceCard({ since }: { since: Since }) {
  const words = useWords().context;
  const changes = [...since.files, ...since.tools];
  return (
    <Card className="min-w-0 p-5">
      <div className="mb-3 flex items-baseline justify-between gap-3">
        <h2 className="font-semibold">{words.since}</h2>
        <Time at={since.at} className="text-small text-muted" />
      </div>
      <p className="text-small">{describeBreak(since.break, words)}</p>
      {changes.length === 0 && <p className="mt-2 text-small text-muted">{words.nothingChanged}</p>}
      <ul className="mt-2 flex flex-col gap-1.5 text-small">
        {changes.map(({ name, change }) => (
          <li key={name} className="flex items-center gap-2">
            <Badge tone={tones[change]}>{words.changes[change]}</Badge>
            <span className="truncate font-mono text-small">{name}</span>
          </li>
        ))}
      </ul>
      {since.notes.length > 0 && (
        <details className="mt-3">
          <summary className="text-small font-medium">{words.told}</summary>
          <pre className="mt-2 max-h-72 overflow-auto rounded-card bg-code px-3.5 py-2.5 font-mono text-small leading-5 break-words whitespace-pre-wrap">
            {since.notes.join("\n")}
          </pre>
        </details>
      )}
      {since.diff !== undefined && (
        <details className="mt-3">
          <summary className="mb-2 text-small font-medium">{words.systemDiff}</summary>
          <Diff text={since.diff} label={words.systemDiff} />
        </details>
      )}
    </Card>
  );
}

function describeBreak(found: Since["break"], words: ReturnType<typeof useWords>["context"]): string {
  if (found === undefined) return words.holds;
  const { place, why, layer = "", line = 0, messages = 0 } = found;
  const where = words.places[place](words.layers[layer] ?? layer, line, messages);
  return words.breaks(where, words.reasons[why] ?? why);
}
