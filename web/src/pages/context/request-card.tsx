// The next request as a stacked bar and as a list; a piece of either opens its text, or what it is made of.
import { useState } from "react";
import type { ContextRow, ContextView } from "../../../../src/api/context/context.ts";
import { Badge } from "../../components/card.tsx";
import { useNumbers } from "../../components/number.ts";
import { Section } from "../../components/section.tsx";
import { useWords } from "../../words/use-words.ts";
import { toPieces } from "./stack.ts";
import { TextDialog } from "./text-dialog.tsx";

const fills = ["", "bg-series-1", "bg-series-2", "bg-series-3", "bg-series-4", "bg-series-5"];

export function RequestCard({ view }: { view: ContextView }) {
  const words = useWords().context;
  const nameOf = useRowName();
  const numbers = useNumbers();
  const [opened, setOpened] = useState<ContextRow>();
  const pieces = toPieces(view.rows);
  return (
    <Section title={words.request}>
      <p className="mb-3 text-small text-muted">{words.requestHint}</p>
      {/* Only for the pointer: the list has the same, with names. */}
      <div aria-hidden className="mb-4 flex h-9 gap-px overflow-hidden rounded-control">
        {pieces.map(({ id, row, below, series }) => (
          <button
            key={id}
            type="button"
            tabIndex={-1}
            title={`${nameOf(row, below.length)}: ${numbers.count(row.tokens)}`}
            onClick={() => setOpened(row.name === "" ? below[0] : row)}
            className={`min-w-[3px] transition-opacity hover:opacity-75 ${fills[series]}`}
            style={{ flexGrow: row.tokens / view.tokens, flexBasis: 0 }}
          />
        ))}
      </div>
      <ul className="text-small">
        {pieces.map(({ id, row, below, series }) => {
          const line = { row, count: below.length, fill: fills[series] ?? "", total: view.tokens };
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
  /** What it is made of. */
  count?: number;
  fill?: string;
  /** Absent: there is no text of its own. */
  onOpen: (() => void) | undefined;
}

function Line({ row, total, count = 0, fill, onOpen }: LineProps) {
  const words = useWords().context;
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

/** What else a row may come from is said by its name. */
function isFile({ source }: ContextRow): boolean {
  return /\.\w/.test(source);
}

function useRowName(): (row: ContextRow, below?: number) => string {
  const words = useWords().context;
  return ({ kind, name, messages = 0 }, below = 0) => {
    if (kind === "layer") return words.layers[name] ?? name;
    if (kind === "history") return words.history[name]?.(messages) ?? name;
    if (kind === "tool" && name === "") return words.tools(below);
    return words.message[name] ?? name;
  };
}
