import { beforeAll, describe, expect, it } from "vitest";
import { createMarkdown, loadTuiLibrary, type Markdown } from "./markdown.ts";
import { createStyle } from "./style.ts";

let markdown: Markdown;
beforeAll(async () => {
  markdown = createMarkdown(await loadTuiLibrary(), createStyle(false));
});

describe("Markdown", () => {
  it("shows control characters instead of obeying them, and where a link leads", () => {
    expect(markdown("\u001b[2Jhi\u0007 [bank](https://evil.example)", 80)).toEqual([
      "␛[2Jhi␇ bank (https://evil.example)",
    ]);
  });

  it("draws lists, quotes and code, without padding, at the width of wide characters", () => {
    expect(markdown("- 一二三四五六\n- b", 10)).toEqual(["• 一二三四", "  五六", "• b"]);
    expect(markdown("> said", 40)).toEqual(["│ said"]);
    expect(markdown("a `b` c", 40)).toEqual(["a `b` c"]);
  });

  it("puts numbers of tables under one another, and rules only where rows need them", () => {
    const table =
      "| what | n |\n|---|---|\n| 一 | 1 |\n| b | 1,234 |\n\nand\n\n| x |\n|---|\n| 12.5% |\n| y |";
    expect(markdown(table, 80)).toEqual([
      "┌──────┬───────┐",
      "│ what │ n     │",
      "├──────┼───────┤",
      "│ 一   │     1 │",
      "│ b    │ 1,234 │",
      "└──────┴───────┘",
      "",
      "and",
      "",
      "┌───────┐",
      "│ x     │",
      "├───────┤",
      "│ 12.5% │",
      "│ y     │",
      "└───────┘",
    ]);
    const wrapped = markdown("| a | b |\n|---|---|\n| many words in here | x |\n| y | z |", 20);
    expect(wrapped.filter((line) => line.startsWith("├"))).toHaveLength(2);
  });
});
