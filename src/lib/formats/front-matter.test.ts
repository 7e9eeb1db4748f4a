import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { parseYaml, splitFrontMatter } from "./front-matter.ts";

describe("splitFrontMatter", () => {
  it.each([
    ["---\na: 1\n---\nBody", "a: 1\n", "Body"],
    ["\ufeff---\r\na: 1\r\n---\r\nBody\r\n", "a: 1\n", "Body"],
    ["---  \na: 1\n---\t\n\n\nBody", "a: 1\n", "Body"],
    ["\n\n---\na: 1\n---", "a: 1\n", ""],
    ["---\n---\nBody", "", "Body"],
    ["---\na: |\n  ---\n---\nBody", "a: |\n  ---\n", "Body"],
    ["---\na: 1\n...\nBody", "a: 1\n", "Body"],
    ["---\na: 1\nBody", undefined, "---\na: 1\nBody"],
    ["Body\n---\na: 1\n---", undefined, "Body\n---\na: 1\n---"],
    ["----\nBody\n----", undefined, "----\nBody\n----"],
    ["", undefined, ""],
  ])("%j", (text, yaml, body) => {
    expect(splitFrontMatter(text)).toEqual({ yaml, body });
  });

  test("what is put together is taken apart again", () => {
    const line = fc
      .string({ unit: "grapheme" })
      .filter((text) => !/[\r\n\u2028\u2029]|^(---|\.\.\.)\s*$/.test(text));
    fc.assert(
      fc.property(fc.array(line), fc.string(), (lines, body) => {
        const yaml = lines.map((text) => `${text}\n`).join("");
        const split = splitFrontMatter(`---\n${yaml}---\n${body}`);
        expect(split).toEqual({ yaml, body: body.replaceAll(/\r\n?/g, "\n").trim() });
      }),
    );
  });
});

describe("parseYaml", () => {
  it.each([
    ["a: 1\nb: [x, 'y']", { a: 1, b: ["x", "y"] }],
    ["a: yes\nb: 2026-08-01", { a: "yes", b: "2026-08-01" }],
    ['{"a": {"b": [1, 2,],},}', { a: { b: [1, 2] } }],
    ["a: 1\na: 2", { a: 2 }],
    ["x: &x {a: 1}\ny: *x", { x: { a: 1 }, y: { a: 1 } }],
    ["", null],
    ["a: b: c", undefined],
    ["a: [", undefined],
    ["a: &a [*a]", undefined],
    ["a: *nobody", undefined],
    [`a: ${"[".repeat(8000)}${"]".repeat(7000)}`, undefined],
    [`a: ${"x".repeat(17_000)}`, undefined],
  ])("%.60j", async (text, value) => {
    expect(await parseYaml(text)).toEqual(value);
  });

  test("a few lines that would grow to millions of values are nothing", async () => {
    const level = (name: string, of: string) => `${name}: &${name} [${Array(10).fill(`*${of}`).join(",")}]`;
    const bomb = ["a: &a [x]", level("b", "a"), level("c", "b"), level("d", "c"), level("e", "d")].join("\n");
    expect(await parseYaml(bomb)).toBeUndefined();
  });

  test("reaches no prototype", async () => {
    const value = (await parseYaml("__proto__: { always: true }\nb: 1")) as Record<string, unknown>;
    expect(Object.hasOwn(value, "__proto__")).toBe(true);
    expect(value.always).toBeUndefined();
  });

  test("any text gives plain data or nothing", async () => {
    const pieces = fc.constantFrom(
      "a",
      ":",
      " ",
      "\n",
      "-",
      "[",
      "]",
      "{",
      "}",
      "&x",
      "*x",
      "|",
      ">",
      "'",
      '"',
      "?",
      "!!",
      "#",
      "%",
      "\t",
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces, { maxLength: 80 }).map((parts) => parts.join("")),
    );
    await fc.assert(
      fc.asyncProperty(texts, async (text) => {
        const value = await parseYaml(text);
        if (value !== undefined) expect(JSON.parse(JSON.stringify(value))).toEqual(value);
      }),
    );
  });
});
