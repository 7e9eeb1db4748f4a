import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer";
import { describe, expect, test } from "vitest";
import { packageRoot } from "./package-root.ts";
import { estimateTokens } from "./tokens.ts";

function readAll(pattern: string): string {
  const files = globSync(pattern, { cwd: packageRoot }).sort();
  return files.map((file) => readFileSync(join(packageRoot, file), "utf8")).join("\n");
}

describe("an estimate", () => {
  test.each([
    ["English prose", "{templates/**,docs/decisions}/*.md"],
    ["source code", "src/{lib,session,runner}/*.ts"],
    ["JSON results of tools", "bench/samples/results.jsonl"],
    ["Chinese", "bench/samples/chinese.md"],
    ["Chinese and English mixed with code", "bench/samples/mixed.md"],
  ])("of %s is within a tenth of what a tokenizer counts", (_, pattern) => {
    const text = readAll(pattern);
    const exact = countTokens(text, { disallowedSpecial: new Set() });
    expect(exact).toBeGreaterThan(500);
    expect(Math.abs(estimateTokens(text) / exact - 1)).toBeLessThan(0.1);
  });

  test.each([
    ["Привет! Сегодня хорошая погода, и мы пошли гулять в парк вместе с друзьями.", 22],
    ["日本語の文章を書いてみます。今日は天気がとてもいいですね。", 18],
    ["안녕하세요. 오늘은 날씨가 정말 좋네요. 점심은 무엇을 먹을까요?", 21],
    ["Tiếng Việt có nhiều dấu thanh và nguyên âm phức tạp", 14],
  ])("of another language is not far off: %s", (text, exact) => {
    expect(countTokens(text)).toBe(exact);
    expect(Math.abs(estimateTokens(text) / exact - 1)).toBeLessThan(0.35);
  });

  test("of any text is finite, grows with it, and is nothing only for nothing", () => {
    expect(estimateTokens("")).toBe(0);
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (text) => {
        const tokens = estimateTokens(text);
        expect(tokens).toBeGreaterThanOrEqual(0);
        expect(tokens).toBeLessThanOrEqual(Math.ceil(1.2 * text.length));
        expect(estimateTokens(text + text)).toBeLessThanOrEqual(2 * tokens + 2);
      }),
    );
  });
});
