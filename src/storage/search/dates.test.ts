import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toLocalIso } from "../../lib/clock.ts";
import { asksWhen, findDates, nearness, saysWhen, takeDates, toDateTokens } from "./dates.ts";

/** A Sunday. */
const now = +new Date(2026, 10, 15, 9, 30);
const day = (ms: number) => toLocalIso(ms).slice(0, 10);

function read(text: string): string[] {
  return findDates(text, now).map(({ from, to }) => `${day(from)} ${day(to)}`);
}

describe("dates in a question", () => {
  test.each([
    ["What did I say yesterday?", "2026-11-14 2026-11-15"],
    ["the day before yesterday", "2026-11-13 2026-11-14"],
    ["what happened last night", "2026-11-14 2026-11-15"],
    ["today", "2026-11-15 2026-11-16"],
    ["three days ago", "2026-11-12 2026-11-13"],
    ["two weeks ago", "2026-10-29 2026-11-05"],
    ["a couple of weeks ago", "2026-10-29 2026-11-05"],
    ["last week", "2026-11-02 2026-11-09"],
    ["this week", "2026-11-09 2026-11-16"],
    ["last weekend", "2026-11-07 2026-11-09"],
    ["last month", "2026-10-01 2026-11-01"],
    ["last year", "2025-01-01 2026-01-01"],
    ["last Tuesday", "2026-11-10 2026-11-11"],
    ["on Thursday", "2026-11-12 2026-11-13", "2026-11-19 2026-11-20"],
    ["next Tuesday", "2026-11-17 2026-11-18"],
    ["tomorrow", "2026-11-16 2026-11-17"],
    ["the day after tomorrow", "2026-11-17 2026-11-18"],
    ["next week", "2026-11-16 2026-11-23"],
    ["next month", "2026-12-01 2027-01-01"],
    ["next March", "2027-03-01 2027-04-01"],
    ["last May", "2026-05-01 2026-06-01"],
    ["in December", "2025-12-01 2026-01-01", "2026-12-01 2027-01-01"],
    ["last summer", "2026-06-01 2026-09-01"],
    ["in 2021", "2021-01-01 2022-01-01"],
    ["on 3 June, 2023", "2023-06-03 2023-06-04"],
    ["on June 3rd 2023", "2023-06-03 2023-06-04"],
    ["by July 10", "2026-07-10 2026-07-11"],
    ["in March 2024", "2024-03-01 2024-04-01"],
    ["2024-03-05", "2024-03-05 2024-03-06"],
    ["昨天说了什么", "2026-11-14 2026-11-15"],
    ["前天", "2026-11-13 2026-11-14"],
    ["上周", "2026-11-02 2026-11-09"],
    ["上周三", "2026-11-04 2026-11-05"],
    ["上星期天", "2026-11-08 2026-11-09"],
    ["上上周", "2026-10-26 2026-11-02"],
    ["两周前", "2026-10-29 2026-11-05"],
    ["三天前", "2026-11-12 2026-11-13"],
    ["上个月", "2026-10-01 2026-11-01"],
    ["去年", "2025-01-01 2026-01-01"],
    ["去年五月", "2025-05-01 2025-06-01"],
    ["2023年5月8日", "2023-05-08 2023-05-09"],
    ["五月二十三号", "2026-05-23 2026-05-24"],
    ["十二月", "2025-12-01 2026-01-01", "2026-12-01 2027-01-01"],
    ["明天", "2026-11-16 2026-11-17"],
    ["后天", "2026-11-17 2026-11-18"],
    ["下周", "2026-11-16 2026-11-23"],
    ["下周三", "2026-11-18 2026-11-19"],
    ["下个月", "2026-12-01 2027-01-01"],
    ["明年三月", "2027-03-01 2027-04-01"],
  ])("%s", (text, ...ranges) => {
    expect(read(text)).toEqual(ranges);
    expect(saysWhen(text)).toBe(true);
  });

  test("are taken out of what else is asked, whose letters stay as they are", () => {
    const { rest } = takeDates("What did parseLine do last Tuesday in Rome?", now);
    expect(rest.replaceAll(/\s+/g, " ")).toBe("What did parseLine do in Rome?");
  });

  test("are asked for", () => {
    const asking = ["When did we meet?", "how long was it", "我们什么时候见面", "你哪天去的？"];
    expect(asking.filter((text) => !asksWhen(text))).toEqual([]);
    expect(asksWhen("Tell me when you are ready")).toBe(false);
    expect(saysWhen("I may march on")).toBe(false);
  });

  test("become tokens of days and months, of which a message has few, whatever it lists", () => {
    const tokens = (text: string) => [...toDateTokens(findDates(text, now))];
    expect(tokens("yesterday")).toEqual(["@2026-11", "@2026-11-14"]);
    expect(tokens("last weekend")).toEqual(["@2026-11", "@2026-11-07", "@2026-11-08"]);
    expect(tokens("in May 2024")).toEqual(["@2024-05"]);
    expect(tokens("in 2024")).toEqual([]);
    const calendar = Array.from({ length: 300 }, (_, index) => `2024-03-${1 + (index % 28)}`).join(" ");
    expect(tokens(calendar).length).toBeLessThan(100);
  });

  test("are not found where none is meant", () => {
    expect(read("I may go, and you might march on second thought")).toEqual([]);
    expect(read("version 2024.1 of the 3 mice")).toEqual([]);
  });

  test("may be several", () => {
    expect(read("yesterday or in 2021")).toHaveLength(2);
  });

  test("are ranges of a sane length, whatever is asked and whenever", () => {
    const piece = fc.constantFrom(
      "last",
      "in",
      "may",
      "2023",
      "31",
      "february",
      "weeks ago",
      "上",
      "周",
      "三",
      "月",
      "年前",
    );
    const text = fc.array(fc.oneof(piece, fc.string({ maxLength: 8 }))).map((parts) => parts.join(" "));
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 4e12 }), (question, at) => {
        for (const { from, to } of findDates(question, at)) {
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(367 * 86_400_000);
        }
      }),
    );
  });
});

describe("nearness", () => {
  const range = { from: +new Date(2026, 4, 1), to: +new Date(2026, 5, 1) };
  const at = (date: number, month = 4) => nearness(+new Date(2026, month, date), [range]);

  test("is whole within the range and less the farther away, sooner before it than after it", () => {
    expect(at(15)).toBe(1);
    expect(at(4, 5)).toBeLessThan(1);
    expect(at(4, 5)).toBeGreaterThan(at(20, 5));
    expect(at(4, 5)).toBeGreaterThan(nearness(range.from - 3 * 86_400_000, [range]));
    expect(nearness(range.from, [])).toBe(0);
  });
});
