// How much of the model's window the next request takes, what is kept for the answer, and when older messages go.
import type { ContextView } from "../../../../src/server/protocol/context.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Card } from "../../components/card.tsx";
import { formatCount, formatShare, formatShort } from "../../components/number.ts";
import { Time } from "../../components/time.tsx";
import { useWords } from "../../words/use-words.ts";

export function WindowCard({ view }: { view: ContextView }) {
  const words = useWords().context;
  const { language } = usePreferences();
  const { tokens, window, budget, target, model, correction, epoch } = view;
  const spans = [
    { name: words.parts.request, tokens, tone: tokens > budget ? "bg-bad" : "bg-series-1" },
    { name: words.parts.free, tokens: Math.max(0, budget - tokens), tone: "bg-raised" },
    { name: words.parts.reserved, tokens: window - Math.max(budget, tokens), tone: "bg-series-5 opacity-60" },
  ];
  const count = (figure: number) => formatCount(figure, language);
  return (
    <Card className="p-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h2 className="font-semibold">{words.window}</h2>
        <span className="text-small text-muted">{model}</span>
      </div>
      <p className="mt-1 text-title font-semibold tracking-tight tabular-nums">
        {words.used(count(tokens), formatShare(tokens / window, language))}
      </p>
      <div aria-hidden className="my-3 flex h-3 gap-px overflow-hidden rounded-full bg-line">
        {spans.map((span) => (
          <div
            key={span.name}
            className={span.tone}
            style={{ width: `${(Math.max(0, span.tokens) / window) * 100}%` }}
          />
        ))}
      </div>
      <dl className="flex flex-wrap gap-x-6 gap-y-1 text-small">
        {spans.map((span) => (
          <div key={span.name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-[3px] border border-line ${span.tone}`} />
            <dt className="text-muted">{span.name}</dt>
            <dd className="font-medium tabular-nums">{formatShort(Math.max(0, span.tokens), language)}</dd>
          </div>
        ))}
      </dl>
      <div className="mt-3 flex flex-col gap-1 text-small text-muted">
        <p>{words.summarised(count(budget), count(target))}</p>
        {correction !== 1 && <p>{words.corrected(correction.toFixed(2))}</p>}
        {epoch.reason !== undefined && <p>{words.newEpoch(words.reasons[epoch.reason] ?? epoch.reason)}</p>}
        {epoch.startedAt !== undefined && (
          <p>
            {words.epochSince} <Time at={epoch.startedAt} />
          </p>
        )}
      </div>
    </Card>
  );
}
