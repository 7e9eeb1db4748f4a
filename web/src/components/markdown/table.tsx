// A table of a Markdown text; wide ones scroll by themselves.
import type { Token, Tokens } from "marked";
import type { ReactNode } from "react";
import { useWords } from "../../words/use-words.ts";
import { ScrollBox } from "../scroll-box.tsx";

export interface MarkdownTableProps {
  table: Tokens.Table;
  renderInline(tokens: readonly Token[] | undefined): ReactNode;
}

const aligned = { left: "text-left", center: "text-center", right: "text-right" };

export function MarkdownTable({ table, renderInline }: MarkdownTableProps) {
  const words = useWords().shell;
  // Chinese may break anywhere: without a width of its own a cell would be one letter wide.
  const classOf = ({ text, align }: Tokens.TableCell) =>
    `px-3 py-1.5 align-top ${text.length > 6 ? "min-w-32" : "min-w-14"} ${aligned[align ?? "left"]}`;
  return (
    <ScrollBox label={words.table} className="max-w-full rounded-card border border-line">
      <table className="w-full text-small">
        <thead className="bg-side">
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other name than its place.
              <th key={column} className={`font-semibold ${classOf(cell)}`}>
                {renderInline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {table.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row has no other name than its place.
            <tr key={line} className="border-t border-line">
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell has no other name than its place.
                <td key={column} className={classOf(cell)}>
                  {renderInline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}
