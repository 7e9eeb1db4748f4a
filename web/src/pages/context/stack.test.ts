// The rows of a request as the page shows them.
import { describe, expect, it } from "vitest";
import type { ContextRow } from "../../../../src/api/context/context.ts";
import { splitCached, toPieces } from "./stack.ts";

const row = (kind: ContextRow["kind"], name: string, tokens: number, cached = true): ContextRow => ({
  kind,
  name,
  source: kind === "tool" ? "built in" : "",
  characters: tokens * 4,
  tokens,
  cached,
});

const rows = [
  row("layer", "identity", 100),
  row("layer", "skills", 200),
  row("part", "weather", 60),
  row("part", "mail", 140),
  row("tool", "exec", 300),
  row("tool", "grep", 100),
  { ...row("history", "sent", 500), messages: 4 },
  row("message", "text", 0, false),
  row("message", "runtime", 50, false),
];

describe("the pieces of a request", () => {
  it("are its layers, its tools as one, the conversation and the message, without what is empty", () => {
    const pieces = toPieces(rows);
    expect(pieces.map(({ id, row }) => [id, row.tokens])).toEqual([
      ["layer:identity", 100],
      ["layer:skills", 200],
      ["tool:", 400],
      ["history:sent", 500],
      ["message:runtime", 50],
    ]);
    expect(pieces[1]?.below.map(({ name }) => name)).toEqual(["weather", "mail"]);
    expect(pieces[2]?.below.map(({ name }) => name)).toEqual(["exec", "grep"]);
  });

  it("add up to the request, parts not counted twice, also where nothing was said", () => {
    const { cached, fresh } = splitCached(rows);
    expect([cached, fresh]).toEqual([1_200, 50]);
    const total = (pieces: ReturnType<typeof toPieces>) =>
      pieces.reduce((sum, { row }) => sum + row.tokens, 0);
    expect(total(toPieces(rows))).toBe(cached + fresh);
    expect(total(toPieces(rows.slice(0, 6)))).toBe(700);
  });
});
