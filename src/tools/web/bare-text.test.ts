import fc from "fast-check";
import { expect, it } from "vitest";
import { sampled } from "../../../test/support/long-form.ts";
import { toBareText } from "./page-text.ts";

it.each([
  ["<p>One</p><p>Two<br>lines</p>", "One\n\nTwo\nlines"],
  ["a <b>bold</b> <i>word</i>", "a bold word"],
  ["<ul><li>one</li><li>two</li></ul>", "one\ntwo"],
  ["<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"],
  ["Fish &amp; chips &lt;3 &#20013;&#x6587;&nbsp;&hellip; &unknown;", "Fish & chips <3 中文 … &unknown;"],
  ["<SCRIPT type=x>steal()</script >seen<style>p{}</style>", "seen"],
  ["a<!-- hidden > still --> b", "a b"],
  ["1 < 2 and 3 > 2", "1 < 2 and 3 > 2"],
  ["<!doctype html><html><head><title>T</title></head><body>B</body></html>", "B"],
  ["never closed <script>x", "never closed"],
  ["never closed <!-- x", "never closed"],
  ["never closed <a href='x", "never closed"],
  ["早上好<p>世界", "早上好\n世界"],
  ["&#0;&#x110000;a", "a"],
  ["", ""],
])("makes of %j the text %j", (html, text) => {
  expect(toBareText(html)).toBe(text);
});

it("leaves no tag, whatever it is given", () => {
  const piece = fc.constantFrom(
    "<",
    ">",
    "</",
    "<p",
    "<b>",
    "<script>",
    "</script",
    "<!--",
    "-->",
    "&",
    "&lt;",
    "x ",
    "'",
    '"',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
      const withoutEntities = pieces.filter((part) => !part.startsWith("&")).join("");
      expect(toBareText(withoutEntities)).not.toMatch(/<\/?(p|b|script)\b[^<]*>/);
    }),
  );
});

it.each(["<", "<a ", "<script>", "<!--", "<div>", "&#", " \n", "<p>a<b>b<i>c", "<p", "</"])(
  "comes to an end with hundreds of thousands of %j",
  (piece) => {
    expect(toBareText(piece.repeat(sampled(200_000, 1_000_000))).length).toBeGreaterThanOrEqual(0);
  },
);
