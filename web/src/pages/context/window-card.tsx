// How much of the model's window the next request takes, what is kept for the answer, and when older messages go.
import type { ContextView } from "../../../../src/api/context/context.ts";
import { useNumbers } from "../../components/number.ts";
import { Section } from "../../components/section.tsx";
import { Time } from "../../components/time.tsx";
import { useWords } from "../../words/use-words.ts";

export function WindowCard({ view }: { view: ContextView }) {
  const words = useWords().context;
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
        {words.used(count(tokens), share(tokens / window))}
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
        {epoch.startedAt !== undefined && (
          <p>
            {words.epochSince} <Time at={epoch.startedAt} />
          </p>
        )}
      </div>
    </Section>
  );
}
