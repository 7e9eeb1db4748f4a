// Texts made to stop a page: each is drawn, within the time that a test has, and never deeper than a browser can draw.
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { sampled } from "../../../../test/support/long-form.ts";
import { isColourable } from "../code.tsx";
import { parseAnsi } from "../terminal.tsx";
import { isDrawable, Markdown } from "./markdown.tsx";

const size = sampled(40_000, 100_000);
const draw = (text: string) => renderToStaticMarkup(<Markdown text={text} />);
const fill = (piece: string, length = size) => piece.repeat(Math.ceil(length / piece.length));

function depthOf(html: string): number {
  let [depth, most] = [0, 0];
  for (const [tag, name = ""] of html.matchAll(/<\/?(\w+)[^>]*>/g)) {
    if (/^(hr|br|img|input)$/.test(name)) continue;
    depth += tag.startsWith("</") ? -1 : 1;
    most = Math.max(most, depth);
  }
  return most;
}

const marks = [
  "*a ",
  "_a ",
  "~a ",
  "**a *b ",
  "*a_ ",
  "[",
  "![",
  "[a](",
  "`a ",
  "<a ",
  "<!--",
  "a@",
  "a.",
  "&",
];
const blocks = [
  "> ",
  ">",
  "- ",
  "1. ",
  "> - ",
  "- a\n",
  "# a\n",
  "a\n\n",
  "|a",
  "|\n",
  "```\n",
  "[a]: <",
  "\t",
];
const formulas = ["$", "$a ", "$$", "$$a\n", "a\n$$b\n", "\\(", "\\[a\n\n", "$$a$$\n", "a $5 "];

describe("Markdown of an enemy", () => {
  test.each([...marks, ...blocks, ...formulas])("is drawn when it repeats %j without end", (piece) => {
    const html = draw(`${fill(piece)}the end`);
    expect(html).toContain("the end");
    expect(depthOf(html)).toBeLessThan(100);
  });

  test("is drawn when lists are in lists", () => {
    const lines = Array.from({ length: 300 }, (_, depth) => `${"  ".repeat(depth)}- a`);
    expect(depthOf(draw(lines.join("\n")))).toBeLessThan(100);
  });

  test("stays text beyond what a page can hold", () => {
    const html = draw(`**a** ${fill("word\n\n", 3_000_000)}**b**`);
    expect(html).toContain("<strong");
    expect(html).toContain("**b**");
    expect(html.match(/<p/g)?.length).toBeLessThan(6_000);
    expect(draw(`|a|\n|-|\n${fill("|b|\n", 40_000)}`)).not.toContain("<table");
    expect(draw(`|a|\n|-|\n${fill("|b|\n", 400)}`)).toContain("<table");
  });

  test("is drawn when many long paragraphs are full of marks", () => {
    for (const piece of marks) {
      const html = draw(`${`${fill(piece, 7_900)}\n\n`.repeat(12)}the end`);
      expect(html).toContain("the end");
    }
  });

  test("draws honest text as before", () => {
    const paragraph = `A **bold** word, \`code\`, _more_ and $x^2$. ${"Then words. ".repeat(50)}\n\n`;
    const html = draw(paragraph.repeat(100));
    expect(html.match(/<strong/g)).toHaveLength(100);
    expect(html).not.toContain("**");
  });
});

test("a formula that would be drawn for ever stays text", () => {
  expect(isDrawable("\\frac{a}{\\sqrt{b}}")).toBe(true);
  for (const text of [fill("x+", 5_000), "{".repeat(60), "\\left(".repeat(60), `${"x^{".repeat(60)}1`])
    expect(isDrawable(text)).toBe(false);
});

test("code that would be coloured for ever is not coloured", () => {
  expect(isColourable("const a = 1;\n".repeat(300))).toBe(true);
  for (const code of [fill("a", 2_000), fill("a\n", 20_000)]) expect(isColourable(code)).toBe(false);
});

test("a line without end goes through the terminal, written over or not", () => {
  const long = fill("a", 1_000_000);
  expect(parseAnsi(long)).toEqual([{ text: long, className: "" }]);
  expect(parseAnsi(`${fill("b\r")}${long}`)).toEqual([{ text: long, className: "" }]);
});
