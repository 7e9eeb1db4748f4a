// The rows of a request as the page shows them: grouped and counted. Knows no component.
import type { ContextRow } from "../../../../src/api/context/context.ts";

/** One piece of the bar, and one row of the list with its parts. */
interface Piece {
  id: string;
  row: ContextRow;
  /** Parts of a layer, or the single tools. */
  below: ContextRow[];
}

/** Layers, all tools as one, the conversation, the next message. */
export function toPieces(rows: readonly ContextRow[]): Piece[] {
  const pieces: Piece[] = [];
  for (const row of rows) {
    const last = pieces.at(-1);
    const isTool = row.kind === "tool";
    if (row.kind === "part" || (isTool && last?.row.kind === "tool")) last?.below.push(row);
    else pieces.push({ id: `${row.kind}:${isTool ? "" : row.name}`, row, below: isTool ? [row] : [] });
  }
  return pieces
    .map((piece) => (piece.row.kind === "tool" ? { ...piece, row: sumRows(piece.below) } : piece))
    .filter(({ row }) => row.tokens > 0);
}

function sumRows(tools: readonly ContextRow[]): ContextRow {
  const sum = (key: "tokens" | "characters") => tools.reduce((total, tool) => total + tool[key], 0);
  return {
    kind: "tool",
    name: "",
    source: [...new Set(tools.map(({ source }) => source))].join(", "),
    characters: sum("characters"),
    tokens: sum("tokens"),
    cached: tools.every(({ cached }) => cached),
  };
}

/** Tokens that repeat the last request, and those that do not. */
export function splitCached(rows: readonly ContextRow[]): { cached: number; fresh: number } {
  const counted = rows.filter(({ kind }) => kind !== "part");
  const cached = counted.filter((row) => row.cached).reduce((sum, { tokens }) => sum + tokens, 0);
  return { cached, fresh: counted.reduce((sum, { tokens }) => sum + tokens, 0) - cached };
}
