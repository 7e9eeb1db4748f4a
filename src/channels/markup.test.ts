import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toHtml, toMrkdwn, toPlain } from "./markup.ts";

describe("Markdown for a chat platform", () => {
  it.each([
    ["**bold** and *slanted*, ~~gone~~", "<b>bold</b> and <i>slanted</i>, <s>gone</s>"],
    ["# 标题", "<b>标题</b>"],
    ["- one\n- two", "• one\n• two"],
    ["`a < b` and 2*3*4", "<code>a &lt; b</code> and 2*3*4"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["[site](https://x.org/?a=1&b=2)", '<a href="https://x.org/?a=1&amp;b=2">site</a>'],
    ["[bad](javascript:alert(1))", "[bad](javascript:alert(1))"],
    ["```ts\nif (a < b) {}\n```", '<pre><code class="language-ts">if (a &lt; b) {}</code></pre>'],
    ["```\nopen", "<pre><code>open</code></pre>"],
    ["> said", "<blockquote>said</blockquote>"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "<pre>| a | b |\n| 1 | 2 |</pre>"],
    ["**bold with `code`**", "<b>bold with <code>code</code></b>"],
    ["<b>raw</b>", "&lt;b&gt;raw&lt;/b&gt;"],
  ])("%j becomes %j", (markdown, html) => expect(toHtml(markdown)).toBe(html));

  it.each([
    ["**你好** [站点](https://x.org)", "你好 站点 (https://x.org)"],
    ["## Title\n* a\n```\ncode_here\n```", "Title\n• a\ncode_here"],
  ])("%j becomes the plain %j", (markdown, plain) => expect(toPlain(markdown)).toBe(plain));

  it("never lets a tag of the text through, and closes every tag of its own in order", () => {
    const text = fc.string({
      unit: fc.constantFrom("*", "_", "`", "~", "<", ">", "a", " ", "[", "]", "\n", "&"),
    });
    fc.assert(
      fc.property(text, (markdown) => {
        const open: string[] = [];
        for (const [, slash, name = ""] of toHtml(markdown).matchAll(/<(\/?)([a-z]+)[^>]*>/g)) {
          if (slash === "") open.push(name);
          else expect(open.pop()).toBe(name);
        }
        expect(open).toEqual([]);
        expect(toHtml(markdown).replaceAll(/<\/?(b|i|s|code|pre|a|blockquote)( [^>]*)?>/g, "")).not.toMatch(
          /[<>]/,
        );
      }),
    );
  });

  it("takes time in proportion to the text", () => {
    for (const sign of ["*", "_", "`", "[", "**a", "~~"]) {
      expect(toHtml(sign.repeat(4_000)).length).toBeGreaterThan(0);
    }
  });
});

describe("Slack's mrkdwn", () => {
  it.each([
    ["# Title", "*Title*"],
    ["**bold** *it* ~~no~~ `a<b`", "*bold* _it_ ~no~ `a&lt;b`"],
    ["[site](https://x.org/?a=1&b=2) & <@U1>", "<https://x.org/?a=1&amp;b=2|site> &amp; &lt;@U1&gt;"],
    ["- one\n> two", "• one\n> two"],
    ["```js\n1 < 2\n```", "```\n1 &lt; 2\n```"],
    ["| a | b |\n|---|---|\n| 1 | 2 |", "```\n| a | b |\n| 1 | 2 |\n```"],
  ])("%j becomes %j", (markdown, shown) => {
    expect(toMrkdwn(markdown)).toBe(shown);
  });
});
