import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MarkdownStream } from "./markdown.ts";
import { createStyle } from "./style.ts";

function render(text: string, { isColoured = false, columns = 80 } = {}): string {
  return renderChunks([text], { isColoured, columns });
}

function renderChunks(chunks: string[], { isColoured = false, columns = 80 } = {}): string {
  const stream = new MarkdownStream({ style: createStyle(isColoured), columns: () => columns });
  return chunks.map((chunk) => stream.write(chunk)).join("") + stream.end();
}

describe("marks within a line", () => {
  it.each([
    ["a **bold** word", "a bold word"],
    ["an *italic* and _another_ word", "an italic and another word"],
    ["***both***", "both"],
    ["~~gone~~ but 2~3", "gone but 2~3"],
    ["**这是粗体**，后面是字", "这是粗体，后面是字"],
    ["snake_case_name stays", "snake_case_name stays"],
    ["2 * 3 * 4 = 24", "2 * 3 * 4 = 24"],
    ["**not closed", "**not closed"],
    ["**bold with `**code**` inside** end", "bold with `**code**` inside end"],
    ["\\*escaped\\* and \\d", "*escaped* and \\d"],
    ["[label](https://a.example/x_y_(z))", "label (https://a.example/x_y_(z))"],
    ["[https://a.example](https://a.example)", "https://a.example"],
    ["see https://a.example/a_b_c*d, please", "see https://a.example/a_b_c*d, please"],
    ["<https://a.example>", "https://a.example"],
    ["a < b and [x] and hello", "a < b and [x] and hello"],
    ["![picture](cat.png)", "picture (cat.png)"],
  ])("%s", (text, shown) => {
    expect(render(text)).toBe(shown);
  });

  it("keeps code as it is: without its ticks in colour, with them without", () => {
    expect(render("run `rm *x*` now")).toBe("run `rm *x*` now");
    expect(stripVTControlCharacters(render("run `rm *x*` now", { isColoured: true }))).toBe("run rm *x* now");
    expect(stripVTControlCharacters(render("`` a`b ``", { isColoured: true }))).toBe("a`b");
  });

  it("paints bold text, and writes no colour at all where none is wanted", () => {
    expect(render("**x**", { isColoured: true })).toBe("\u001b[1mx\u001b[22m");
    expect(render("# T\n**x** `y` [l](u)\n> q\n```\nz\n```\n")).not.toContain("\u001b");
  });
});

describe("blocks", () => {
  it("shows headings, lists, tasks, quotes and rules", () => {
    const text = "# One\n- a\n  * b\n1. c\n- [ ] open\n- [x] done\n> said **he**\n>> twice\n---\nend";
    const rule = "─".repeat(40);
    expect(render(text)).toBe(
      `# One\n• a\n  • b\n1. c\n• ☐ open\n• ☑ done\n│ said he\n│ │ twice\n${rule}\nend`,
    );
  });

  it("leaves everything between fences untouched", () => {
    const code = "```python\n# no heading\n**no bold** | a | b\n    - x\n````";
    expect(render(`${code}\n**bold**`)).toBe(`${code}\nbold`);
  });

  it("closes a fence only by its own kind, at least as long", () => {
    expect(render("````\n```\n**x**\n````\n**y**")).toBe("````\n```\n**x**\n````\ny");
    expect(render("~~~\n```\n**x**\n~~~\n**y**")).toBe("~~~\n```\n**x**\n~~~\ny");
  });

  it("aligns a table by columns, wide characters counted twice", () => {
    const text = "| 名字 | Size |\n|:--|--:|\n| 小猫 | 1 |\n| a `|` b | 200 |\nafter";
    expect(render(text)).toBe(
      [" 名字    │ Size", "─────────┼──────", " 小猫    │    1", " a `|` b │  200", "after"].join("\n"),
    );
  });

  it("turns a table that is too wide into a list per row", () => {
    const text = "| name | text |\n|---|---|\n| a | a rather long text |\n| b | another |\n";
    expect(render(text, { columns: 20 })).toBe(
      "name: a\ntext: a rather long text\n\nname: b\ntext: another\n",
    );
  });

  it("shows lines with bars that are no table as they are", () => {
    expect(render("| just | bars\n| and | more\nend")).toBe("| just | bars\n| and | more\nend");
  });
});

describe("while it arrives", () => {
  it("shows a paragraph word by word and holds back only an open mark", () => {
    const stream = new MarkdownStream({ style: createStyle(false), columns: () => 80 });
    expect(stream.write("Some text and ")).toBe("Some text and ");
    expect(stream.write("**bo")).toBe("");
    expect(stream.write("ld** or")).toBe("bold or");
    expect(stream.end()).toBe("");
  });

  it("can be used again after its end", () => {
    const stream = new MarkdownStream({ style: createStyle(false), columns: () => 80 });
    stream.write("```\ncode");
    stream.end();
    expect(stream.write("**x** ") + stream.end()).toBe("x ");
  });

  it("holds back no more than a bounded stretch", () => {
    const stream = new MarkdownStream({ style: createStyle(false), columns: () => 80 });
    const text = `**${"x".repeat(5000)}`;
    expect(stream.write(text).length).toBeGreaterThan(4000);
    expect(stream.write(`${"#".repeat(3)} `).length).toBeGreaterThan(0);
  });

  const marks = [
    ..."*|**|***|_|__|~~|~|`|``|```|\\|[|](|)|<|>|!|#|##|-|+|1.|:|---|h|https://|x_y|a|b c|中文|🐈|\u0301".split(
      "|",
    ),
    ..."|\n\n\n \n\r\n\t\r\u001b[31m\u202e".split(""),
    "| a | b |\n",
    "|---|:-:|\n",
    "- [x] ",
    "> ",
    "```js\n",
    "mailto:",
  ];
  const pieces = fc.constantFrom(...marks);
  const documents = fc.oneof(
    fc.array(pieces, { maxLength: 60 }).map((list) => list.join("")),
    // A few marks only, so that they meet often.
    fc
      .shuffledSubarray(marks, { minLength: 1, maxLength: 4 })
      .chain((few) => fc.array(fc.constantFrom(...few), { maxLength: 20 }))
      .map((list) => list.join("")),
    fc.string({ unit: "binary", maxLength: 200 }),
    // Long enough to pass the bound on what is held back.
    fc
      .tuple(
        fc.array(pieces, { maxLength: 8 }),
        fc.constantFrom("x", " ", "**a ", "`b", "https://", "["),
        fc.nat(1500),
      )
      .map(([head, unit, times]) => head.join("") + unit.repeat(times / unit.length + 1) + head.join("")),
  );
  const cut = (text: string, cuts: number[]) => {
    const places = [0, ...cuts.map((part) => part % (text.length + 1)).sort((a, b) => a - b), text.length];
    return places.slice(1).map((place, index) => text.slice(places[index], place));
  };

  it("comes out the same however it is cut into chunks", () => {
    fc.assert(
      fc.property(
        documents,
        fc.array(fc.nat(), { maxLength: 12 }),
        fc.boolean(),
        (text, cuts, isColoured) => {
          const whole = stripVTControlCharacters(render(text, { isColoured }));
          expect(stripVTControlCharacters(renderChunks(cut(text, cuts), { isColoured }))).toBe(whole);
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("comes out the same character by character", () => {
    fc.assert(
      fc.property(documents, (text) => {
        expect(renderChunks(text.split(""))).toBe(render(text));
      }),
      { numRuns: 500 },
    );
  });

  it("never lets a control character of the text through", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: "binary" }))), (list) => {
        const shown = render(list.join(""));
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there.
        expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202d\u202e]/);
        expect(shown.isWellFormed()).toBe(true);
      }),
    );
  });
});
