import fc from "fast-check";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { cases } from "../../../../test/support/long-form.ts";
import { Markdown } from "./markdown.tsx";

const draw = (text: string) => renderToStaticMarkup(<Markdown text={text} />);

describe("Markdown", () => {
  test.each([
    ["emphasis", "**a** *b* ~~c~~ `d`", ["<strong", "<em>b</em>", "<del>c</del>", "<code"]],
    ["headings one lower than the page's", "# A\n\n## B", ["<h2", "<h3"]],
    ["lists", "1. a\n2. b\n\n- c\n  - d", ["<ol", "<ul", "<li"]],
    ["tasks", "- [x] done\n- [ ] open", ['type="checkbox"', 'checked=""']],
    ["tables", "| a | b |\n|---|--:|\n| 1 | 2 |", ["<table", "<th", "text-right"]],
    ["quotes and rules", "> a\n\n---", ["<blockquote", "<hr"]],
    ["code", "```ts\nconst a = 1;\n```", ["<pre", "const a = 1;", ">ts<"]],
    ["entities as what they mean", "a &amp; b &lt;c&gt;", ["a &amp; b &lt;c&gt;"]],
    ["pictures of the gateway", "![x](/api/files/1)", ['<img src="/api/files/1"']],
    ["Chinese", "**你好**，世界", ["<strong", "你好", "，世界"]],
    [
      "an address up to a Chinese mark",
      "见 https://a.example/b，谢谢。",
      [">https://a.example/b</a>，谢谢。"],
    ],
    ["what is strong before a Chinese mark", "**重点：**内容", ["<strong", ">重点：</strong>内容"]],
    ["what is strong in Chinese quotes", "是**“*引*用”**的", ["“<em>引</em>用”</strong>的"]],
  ])("draws %s", (_name, text, wanted) => {
    for (const part of wanted) expect(draw(text)).toContain(part);
  });

  test("breaks lines where they end in what is said, and not in what is written", () => {
    expect(renderToStaticMarkup(<Markdown isSaid text={"one\ntwo"} />)).toContain("one<br/>two");
    expect(draw("one\ntwo")).not.toContain("<br");
  });

  test("draws footnotes where there are notes, and leaves other brackets alone", () => {
    const drawn = draw("Tea[^1] is old[^b].\n\n[^1]: From *China*.\n[^b]: Very.");
    expect(drawn).toContain("<button");
    expect(drawn).toMatch(/data-footnote="1"[^>]*><sup[^>]*>1<\/sup>From <em>China<\/em>\./);
    expect(drawn).toContain('data-footnote="b"');
    expect(draw("a set [^a-z] of signs")).toContain("[^a-z]");
    expect(draw("a set [^1] of signs")).not.toContain("<button");
  });

  test("leaves formulas to their own element, and money alone", () => {
    expect(draw("It is $x^2$ there")).toContain("<span>x^2</span>");
    expect(draw("$$\n\\frac{a}{b}\n$$")).toContain("\\frac{a}{b}");
    expect(draw("from $5 to $10")).toContain("from $5 to $10");
  });

  test("shows HTML as text", () => {
    expect(draw("<img src=x onerror=alert(1)> <script>alert(1)</script>")).not.toMatch(/<(img|script)/);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "JaVaScRiPt:x",
    "//evil.example/x",
    "/api/leave",
    "vbscript:x",
  ])("leads nowhere by %s", (href) => {
    expect(draw(`[here](${href})`)).not.toContain("href");
    expect(draw(`[here](<${href}>)`)).not.toContain("href");
  });

  test.each([
    "https://evil.example/x.png",
    "//evil.example/x.png",
    "data:image/svg+xml;base64,AAAA",
    "x.png",
  ])("fetches no picture from %s", (href) => expect(draw(`![x](${href})`)).not.toContain("<img"));

  test("becomes no markup, whatever the text", () => {
    const piece = fc.constantFrom(
      ..."<>&\"'`$*_[]()!\\\n#|-: ".split(""),
      ...[
        "javascript:",
        "<script>",
        "onerror=",
        "&#60;",
        "```",
        "$$",
        "![a](",
        "[a](",
        "<a href=",
        "<svg onload=",
      ],
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const html = draw(pieces.join(""));
        expect(html).not.toMatch(/<(script|svg onload|iframe)/i);
        expect(html).not.toMatch(/(href|src)="(?!https?:|mailto:|\/api\/)/i);
        expect(html).not.toMatch(/<[^>]*\son\w+=/i);
      }),
      { numRuns: cases(500) },
    );
  });
});
