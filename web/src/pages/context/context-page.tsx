// Context: what the next request of a conversation would send to the model.
import { Layers } from "lucide-react";
import type { ContextDiff, ContextView } from "../../../../src/api/context/context.ts";
import { useTopic, useWords } from "../../app/preferences.tsx";
import { navigate, toPath, usePlace } from "../../app/router.tsx";
import { Button } from "../../components/button.tsx";
import { Badge, Page, Section } from "../../components/card.tsx";
import { Diff } from "../../components/code.tsx";
import { Select } from "../../components/field.tsx";
import { Time, useNumbers } from "../../components/format.tsx";
import { EmptyState, Loaded } from "../../components/states.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as contextTexts from "../../words/context.ts";
import { useSessionNames } from "../chat/sessions/sessions.ts";
import { RequestCard } from "./request-card.tsx";
import { splitCached } from "./stack.ts";

export function ContextPage() {
  const words = useTopic(contextTexts);
  const { toChat } = useWords().shell;
  const { rest } = usePlace();
  const nameOf = useSessionNames();
  const query = useQuery("chat.list", {}, { topic: "usage" });
  const sessions = query.data?.sessions ?? [];
  const current = rest[0] ?? sessions[0]?.key;
  const isListed = sessions.some(({ key }) => key === current);
  const choice = current !== undefined && (
    <Select
      aria-label={words.session}
      value={current}
      onChange={({ target }) => navigate(toPath("context", target.value))}
      className="max-w-72"
    >
      {!isListed && <option value={current}>{nameOf(current)}</option>}
      {sessions.map(({ key }) => (
        <option key={key} value={key}>
          {nameOf(key)}
        </option>
      ))}
    </Select>
  );
  return (
    <Page name="context" about={words.about} actions={choice}>
      {current !== undefined ? (
        <Request key={current} sessionKey={current} />
      ) : (
        <Loaded query={query} lines={8}>
          {() => (
            <EmptyState
              icon={Layers}
              title={words.noSessions}
              action={<Button onClick={() => navigate(toPath("chat"))}>{toChat}</Button>}
            >
              {words.noSessionsHint}
            </EmptyState>
          )}
        </Loaded>
      )}
    </Page>
  );
}

/** Asked again after every turn, and when a memory file changes. */
function Request({ sessionKey }: { sessionKey: string }) {
  const query = useQuery("context.inspect", { sessionKey }, { topic: "memory" });
  return (
    <Loaded query={query} lines={8}>
      {(view) => (
        <>
          <WindowCard view={view} />
          <RequestCard view={view} />
          <div className="grid items-start gap-6 md:grid-cols-2">
            <CacheCard view={view} />
            {view.diff.last && <SinceCard since={view.diff} at={view.diff.last.at} />}
          </div>
        </>
      )}
    </Loaded>
  );
}

function WindowCard({ view }: { view: ContextView }) {
  const words = useTopic(contextTexts);
  const { count, share, short } = useNumbers();
  const { tokens, window, budget, target, model, correction, epoch } = view;
  const spans = [
    { name: words.parts.request, size: tokens, tone: tokens > budget ? "bg-bad" : "bg-series-1" },
    { name: words.parts.free, size: Math.max(0, budget - tokens), tone: "bg-raised" },
    { name: words.parts.reserved, size: window - budget, tone: "bg-series-5 opacity-60" },
  ];
  return (
    <Section title={words.window} aside={<span className="text-small text-muted">{model}</span>}>
      <p className="text-title font-semibold tracking-tight tabular-nums">
        {words.used(count(Number(tokens.toPrecision(2))), share(tokens / window))}
      </p>
      <div aria-hidden className="my-3 flex h-3 gap-px overflow-hidden rounded-full bg-line">
        {spans.map(({ name, size, tone }) => (
          <div key={name} className={tone} style={{ flexGrow: size, flexBasis: 0 }} />
        ))}
      </div>
      <dl className="mb-3 flex flex-wrap gap-x-6 gap-y-1 text-small">
        {spans.map(({ name, size, tone }) => (
          <div key={name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-[3px] border border-line ${tone}`} />
            <dt className="text-muted">{name}</dt>
            <dd className="font-medium tabular-nums">{short(size)}</dd>
          </div>
        ))}
      </dl>
      <div className="flex flex-col gap-1 text-small text-muted">
        <p>{words.summarised(count(budget), count(target))}</p>
        {correction !== 1 && <p>{words.corrected(correction.toFixed(2))}</p>}
        {epoch.reason !== undefined && <p>{words.newEpoch(words.reasons[epoch.reason] ?? epoch.reason)}</p>}
        {epoch.startedAt !== undefined && Date.now() - epoch.startedAt > 60_000 && (
          <p>
            {words.epochSince} <Time at={epoch.startedAt} />
          </p>
        )}
      </div>
    </Section>
  );
}

const tones = { added: "good", changed: "warn", removed: "bad" } as const;

function CacheCard({ view: { lastTurn, rows } }: { view: ContextView }) {
  const words = useTopic(contextTexts);
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

function SinceCard({ since, at }: { since: ContextDiff; at: number }) {
  const words = useTopic(contextTexts);
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
      <Folded title={words.announced} text={since.notes.join("\n")} />
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

function describeBreak(found: ContextDiff["break"], words: typeof contextTexts.english): string {
  if (found === undefined) return words.holds;
  const { place, why, layer = "", line = 0, messages = 0 } = found;
  const where = words.places[place](words.layers[layer] ?? layer, line, messages);
  return words.breaks(where, words.reasons[why] ?? why);
}
