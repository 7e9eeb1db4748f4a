import { expect, it } from "vitest";
import type { LastSummary } from "../storage/sessions/metadata.ts";
import { addPart, keepParts } from "./carried-summary.ts";

const longText = (number: number) =>
  [
    `- FACT-${number} was decided`,
    ...Array.from({ length: 60 }, (_, at) => `- detail ${at} ${"x".repeat(60)}`),
  ].join("\n");

function carry(rounds: number): LastSummary {
  let known: LastSummary | undefined;
  for (let number = 1; number <= rounds; number++) {
    const since = `2026-11-${String(number).padStart(2, "0")}T10:00:00`;
    known = { ...addPart(known, { since, messages: 60, text: longText(number) }) };
  }
  return known ?? { text: "" };
}

it("a single summary is carried as it is", () => {
  expect(carry(1).text).toBe(longText(1));
});

it("the first of ten summaries is still there, with all others, within the budget", () => {
  const { text, parts } = carry(10);
  for (let number = 1; number <= 10; number++) expect(text).toContain(`FACT-${number} `);
  expect(text.length).toBeLessThan(9_000);
  expect(text).toContain("[from 2026-11-01 10:00, 60 messages]");
  expect(parts).toHaveLength(10);
});

it("of very many, neighbours are merged, and together they represent all messages", () => {
  const { text, parts = [] } = carry(25);
  expect(parts.length).toBeLessThanOrEqual(12);
  expect(parts.reduce((sum, { messages }) => sum + messages, 0)).toBe(25 * 60);
  expect(text.length).toBeLessThan(9_500);
  for (const number of [1, 25]) expect(text).toContain(`FACT-${number} `);
});

it("a summary of a version that carried only the last one is the first stretch", () => {
  const { text } = addPart({ text: "- older" }, { since: "", messages: 2, text: "- newer" });
  expect(text).toBe("[earlier]\n- older\n\n[2 messages]\n- newer");
});

it("what is forgotten takes only its own stretch along", () => {
  const rest = keepParts(carry(3), (text) => !text.includes("FACT-2 "));
  expect(rest?.text).toContain("FACT-1 ");
  expect(rest?.text).not.toContain("FACT-2 ");
  expect(keepParts({ text: "- the code" }, () => false)).toBeUndefined();
});
