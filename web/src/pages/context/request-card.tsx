// The next request as a stacked bar and as a table; a piece of either opens its text.
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import type { ContextRow, ContextView } from "../../../../src/server/protocol/context.ts";
import { usePreferences } from "../../app/preferences.tsx";
import { Badge, Card } from "../../components/card.tsx";
import { formatCount, formatShare } from "../../components/number.ts";
import { useWords } from "../../words/use-words.ts";
import { type Piece, toPieces } from "./stack.ts";
import { TextDialog } from "./text-dialog.tsx";

const fills = {
  1: "bg-series-1",
  2: "bg-series-2",
  3: "bg-series-3",
  4: "bg-series-4",
  5: "bg-series-5",
};

export function RequestCard({ view }: { view: ContextView }) {
  const words = useWords().context;
  const nameOf = useRowName();
  const [opened, setOpened] = useState<ContextRow>();
  const [unfolded, setUnfolded] = useState<string>();
  const pieces = toPieces(view.rows);
  const choose = ({ row, id, below }: Piece) => {
    if (row.name !== "") return setOpened(row);
    setUnfolded((before) => (below.length > 0 && before !== id ? id : undefined));
  };
  return (
    <Card className="p-5">
      <h2 className="font-semibold">{words.request}</h2>
      <p className="mb-3 text-small text-muted">{words.requestHint}</p>
      <Bar pieces={pieces} total={view.tokens} onChoose={choose} />
      <table className="w-full text-small">
        <thead className="text-left text-muted">
          <tr>
            <th scope="col" className="pb-1 font-medium">
              {words.columns.name}
            </th>
            <th scope="col" className="hidden pb-1 pl-4 font-medium md:table-cell">
              {words.columns.source}
            </th>
            <th scope="col" className="pb-1 pl-4 text-right font-medium">
              {words.columns.tokens}
            </th>
            <th scope="col" className="hidden pb-1 pl-4 text-right font-medium sm:table-cell">
              {words.columns.share}
            </th>
          </tr>
        </thead>
        {pieces.map((piece) => (
          <PieceRows
            key={piece.id}
            piece={piece}
            total={view.tokens}
            isUnfolded={unfolded === piece.id}
            onChoose={() => choose(piece)}
            onUnfold={() => setUnfolded(unfolded === piece.id ? undefined : piece.id)}
            onOpen={setOpened}
          />
        ))}
      </table>
      {opened && (
        <TextDialog
          sessionKey={view.sessionKey}
          row={opened}
          title={nameOf(opened)}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Card>
  );
}

interface BarProps {
  pieces: Piece[];
  total: number;
  onChoose(piece: Piece): void;
}

/** Only for the pointer: the table below it has the same, with names. */
function Bar({ pieces, total, onChoose }: BarProps) {
  const nameOf = useRowName();
  const { language } = usePreferences();
  return (
    <div aria-hidden className="mb-5 flex h-9 gap-px overflow-hidden rounded-control">
      {pieces.map((piece) => {
        const { row, below } = piece;
        return (
          <button
            key={piece.id}
            type="button"
            tabIndex={-1}
            title={`${nameOf(row, below.length)}: ${formatCount(row.tokens, language)}`}
            onClick={() => onChoose(piece)}
            className={`min-w-[3px] transition-opacity hover:opacity-75 ${fills[piece.series]}`}
            style={{ flexGrow: row.tokens / total, flexBasis: 0 }}
          />
        );
      })}
    </div>
  );
}

interface PieceRowsProps {
  piece: Piece;
  total: number;
  isUnfolded: boolean;
  onChoose(): void;
  onUnfold(): void;
  onOpen(row: ContextRow): void;
}

function PieceRows({ piece, total, isUnfolded, onChoose, onUnfold, onOpen }: PieceRowsProps) {
  const words = useWords().context;
  const nameOf = useRowName();
  const { row, below, series } = piece;
  const label = nameOf(row, below.length);
  return (
    <tbody>
      <tr className="border-t border-line">
        <th scope="row" className="py-1.5 text-left font-normal">
          <span className="flex items-center gap-2">
            <span aria-hidden className={`size-2.5 shrink-0 rounded-[3px] ${fills[series]}`} />
            <button
              type="button"
              onClick={onChoose}
              className="rounded text-left font-medium hover:text-accent"
            >
              {label}
            </button>
            {below.length > 0 && (
              <button
                type="button"
                aria-expanded={isUnfolded}
                aria-label={label}
                onClick={onUnfold}
                className="grid size-6 place-items-center rounded text-muted hover:bg-raised"
              >
                <ChevronRight
                  aria-hidden
                  className={`size-4 transition-transform ${isUnfolded ? "rotate-90" : ""}`}
                />
              </button>
            )}
            {row.isCached && (
              <span title={words.isCachedHint}>
                <Badge tone="good">{words.isCached}</Badge>
              </span>
            )}
          </span>
        </th>
        <td className="hidden max-w-56 truncate pl-4 text-muted md:table-cell">{row.source}</td>
        <Figures tokens={row.tokens} total={total} />
      </tr>
      {isUnfolded &&
        below.map((part) => (
          <tr key={part.name} className="text-muted">
            <th scope="row" className="py-1 pl-6 text-left font-normal" colSpan={2}>
              {part.kind === "tool" ? (
                <button type="button" onClick={() => onOpen(part)} className="rounded hover:text-accent">
                  {part.name}
                </button>
              ) : (
                part.name
              )}
            </th>
            <Figures tokens={part.tokens} total={total} />
          </tr>
        ))}
    </tbody>
  );
}

function Figures({ tokens, total }: { tokens: number; total: number }) {
  const { language } = usePreferences();
  return (
    <>
      <td className="pl-4 text-right tabular-nums">{formatCount(tokens, language)}</td>
      <td className="hidden pl-4 text-right text-muted tabular-nums sm:table-cell">
        {formatShare(tokens / total, language)}
      </td>
    </>
  );
}

function useRowName(): (row: ContextRow, below?: number) => string {
  const words = useWords().context;
  return ({ kind, name, messages = 0 }, below = 0) => {
    if (kind === "layer") return words.layers[name] ?? name;
    if (kind === "tool") return name === "" ? words.tools(below) : name;
    if (kind === "history") return words.history[name]?.(messages) ?? name;
    return words.message[name] ?? name;
  };
}
