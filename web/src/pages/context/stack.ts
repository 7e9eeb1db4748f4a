// The rows of a request put together as the page shows them: what is counted, grouped and coloured. Knows no component.
import type { ContextRow } from "../../../../src/api/context/context.ts";

/** One piece of the bar, and one row of the table with what lies below it. */
export interface Piece {
  id: string;
  row: ContextRow;
  /** Parts of a layer, or the single tools. */
  below: ContextRow[];
  /** Its colour. */
  series: 1 | 2 | 3 | 4 | 5;
}

/** Layers, all tools as one, the conversation, the next message. Neighbours differ in colour. */
export function toPieces(rows: readonly ContextRow[]): Piece[] {
  const pieces: Piece[] = [];
  const tools: ContextRow[] = [];
  let layers = 0;
  const add = (row: ContextRow, series: Piece["series"], below: ContextRow[] = []) =>
    pieces.push({ id: `${row.kind}:${row.name}`, row, below, series });
  for (const row of rows) {
    if (row.kind === "tool") tools.push(row);
    if (row.kind === "part") pieces.at(-1)?.below.push(row);
    if (row.kind === "layer") add(row, ([1, 2, 3] as const)[layers++ % 3] ?? 1);
    const isSaid = row.kind === "history" || row.kind === "message";
    if (isSaid && tools.length > 0) add(sumRows(tools), 4, tools.splice(0));
    if (row.kind === "history") add(row, row.name === "sent" ? 5 : 2);
    if (row.kind === "message") add(row, row.name === "text" ? 1 : 3);
  }
  if (tools.length > 0) add(sumRows(tools), 4, tools);
  return pieces.filter(({ row }) => row.tokens > 0);
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
