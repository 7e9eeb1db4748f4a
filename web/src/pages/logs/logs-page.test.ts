import { expect, test } from "vitest";
import { matches, parseLine } from "./logs-page.tsx";

const line = parseLine(
  '{"time":"2026-08-01T10:00:00.000Z","level":"warn","event":"turn-failed","reason":"太慢"}',
  3,
);

test("a line is taken apart", () => {
  expect(line).toMatchObject({ id: 3, level: "warn", event: "turn-failed", fields: [["reason", "太慢"]] });
});

test.each(["", "{", "null", "5", '{"level":"warn"}', '{"time":5,"event":"x"}'])(
  "%j is shown as it is",
  (text) => {
    expect(parseLine(text, 0)).toMatchObject({ event: text, level: "info", fields: [] });
  },
);

test("lines are chosen by their level and by all of the words", () => {
  expect(matches(line, "info", "")).toBe(true);
  expect(matches(line, "error", "")).toBe(false);
  expect(matches(line, "warn", "FAILED 太慢")).toBe(true);
  expect(matches(line, "warn", "failed fast")).toBe(false);
});
