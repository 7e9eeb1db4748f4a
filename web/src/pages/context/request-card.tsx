// The next request as a stacked bar and as a list. Each piece opens its text.
import { useState } from "react";
import type { ContextRow, ContextView } from "../../../../src/api/context/context.ts";
import { useTopic } from "../../app/preferences.tsx";
import { Badge, Section } from "../../components/card.tsx";
import { Dialog } from "../../components/dialog.tsx";
import { useNumbers } from "../../components/format.tsx";
import { Loaded } from "../../components/states.tsx";
import { useQuery } from "../../wire/hooks.tsx";
import * as contextTexts from "../../words/context.ts";
import { toPieces } from "./stack.ts";

/** One for each kind of piece that a request can have. */
const fills = [
  "bg-series-1",
  "bg-series-2",
  "bg-series-3",
  "bg-series-6",
  "bg-series-7",
  "bg-series-4",
  "bg-series-5",
  "bg-series-8",
  "bg-series-9",
  "bg-series-10",
  "bg-series-11",
];

export function RequestCard({ view }: { view: ContextView }) {
  const words = useTopic(contextTexts);
  const nameOf = useRowName();
  const numbers = useNumbers();
  const [opened, setOpened] = useState<ContextRow>();
  const pieces = toPieces(view.rows);
  return (
    <Section title={words.request}>
      <p className="mb-3 text-small text-muted">{words.requestHint}</p>
      {/* Only for the pointer: the list has the same, with names. */}
      <div aria-hidden className="mb-4 flex h-9 gap-px overflow-hidden rounded-control">
        {pieces.map(({ id, row, below }, index) => (
          <button
            key={id}
            type="button"
            tabIndex={-1}
            title={`${nameOf(row, below.length)}: ${numbers.count(row.tokens)}`}
            onClick={() => setOpened(row.name === "" ? below[0] : row)}
            className={`min-w-[3px] transition-opacity hover:opacity-75 ${fills[index % fills.length]}`}
            style={{ flexGrow: row.tokens / view.tokens, flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="text-small">
        {pieces.map(({ id, row, below }, index) => {
          const fill = fills[index % fills.length] ?? "";
          const line = { row, count: below.length, fill, total: view.tokens };
          return (
            <li key={id} className="border-t border-line">
              <Line {...line} onOpen={row.name === "" ? undefined : () => setOpened(row)} />
              {below.length > 0 && (
                <details className="pb-1 pl-[18px] text-muted">
                  <summary className="w-fit text-tiny">{words.madeOf(below.length)}</summary>
                  {below.map((part) => (
                    <Line
                      key={part.name}
                      row={part}
                      total={view.tokens}
                      onOpen={part.kind === "tool" ? () => setOpened(part) : undefined}
                    />
                  ))}
                </details>
              )}
            </li>
          );
        })}
      </ul>
      {opened && (
        <TextDialog
          sessionKey={view.session}
          row={opened}
          title={nameOf(opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Section>
  );
}

interface LineProps {
  row: ContextRow;
  total: number;
  /** The number of its parts. */
  count?: number;
  fill?: string;
  /** Absent: the row has no text. */
  onOpen: (() => void) | undefined;
}

function Line({ row, total, count = 0, fill, onOpen }: LineProps) {
  const words = useTopic(contextTexts);
  const numbers = useNumbers();
  const name = useRowName()(row, count);
  return (
    <div className="flex items-center gap-2 py-1.5">
      {fill && <span aria-hidden className={`size-2.5 shrink-0 rounded-[3px] ${fill}`} />}
      {onOpen ? (
        <button type="button" onClick={onOpen} className="rounded text-left font-medium hover:text-accent">
          {name}
        </button>
      ) : (
        <span>{name}</span>
      )}
      {row.cached && fill && (
        <span title={words.isCachedHint}>
          <Badge tone="good">{words.isCached}</Badge>
        </span>
      )}
      {fill && isFile(row) && (
        <span className="hidden min-w-0 truncate text-muted md:inline">{row.source}</span>
      )}
      <span className="ml-auto pl-2 tabular-nums">{numbers.count(row.tokens)}</span>
      <span className="hidden w-12 shrink-0 text-right text-muted tabular-nums sm:inline">
        {numbers.share(row.tokens / total)}
      </span>
    </div>
  );
}

/** Other sources are clear from the name of the row. */
function isFile({ source }: ContextRow): boolean {
  return /\.\w/.test(source);
}

function useRowName(): (row: ContextRow, below?: number) => string {
  const words = useTopic(contextTexts);
  return ({ kind, name, messages = 0 }, below = 0) => {
    if (kind === "layer") return words.layers[name] ?? name;
    if (kind === "history") return words.history[name]?.(messages) ?? name;
    if (kind === "tool" && name === "") return words.tools(below);
    return words.message[name] ?? name;
  };
}

interface TextDialogProps {
  sessionKey: string;
  row: ContextRow;
  title: string;
  onClose(): void;
}

function TextDialog({ sessionKey, row: { kind, name }, title, onClose }: TextDialogProps) {
  const words = useTopic(contextTexts);
  const query = useQuery("context.text", { sessionKey, kind, name });
  return (
    <Dialog title={title} width="wide" onClose={onClose}>
      <Loaded query={query}>
        {({ pieces, isCut }) => (
          <>
            {pieces.length === 0 && <p className="text-muted">{words.textGone}</p>}
            {isCut && <p className="mb-2 text-small text-muted">{words.textCut}</p>}
            {pieces.map(({ role, text }, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a message of a request has no other name than its place.
              <section key={index} className="mb-4 last:mb-0">
                {role && <h3 className="mb-1 text-small text-muted">{words.roles[role] ?? role}</h3>}
                <pre className="rounded-card bg-code px-4 py-3 font-mono text-small leading-5 break-words whitespace-pre-wrap">
                  {text}
                </pre>
              </section>
            ))}
          </>
        )}
      </Loaded>
    </Dialog>
  );
}
