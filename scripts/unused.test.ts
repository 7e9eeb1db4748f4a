import { expect, test } from "vitest";
import { toSource } from "./sources.ts";
import { findUnusedExports } from "./unused.ts";

test("an export that no other file names is reported, a type only where nothing uses it", () => {
  const sources = [
    toSource("src/lib/a.ts", "export const used = 1;\nexport const alone = 2;\nuse(alone);\n"),
    toSource("src/lib/b.ts", "export interface Options {}\nexport function open(options: Options) {}\n"),
    toSource("src/lib/c.ts", 'export type Left = string;\n// Options\nuse("alone");\n'),
    toSource("src/lib/d.ts", 'import { used } from "./a.ts";\nconst { open } = await import("./b.ts");\n'),
  ];
  expect(findUnusedExports(sources)).toEqual([
    "src/lib/a.ts: no other file uses alone; do not export it, or remove it",
    "src/lib/c.ts: no other file uses Left; do not export it, or remove it",
  ]);
});

test("what tests use may be exported, and what other programs import", () => {
  const sources = [
    toSource("src/lib/a.ts", "export class Tested {}\n"),
    toSource("src/lib/a.test.ts", "new Tested();\nexport const ofTheTest = 1;\n"),
    toSource("src/index.ts", "export const version = 1;\n"),
  ];
  expect(findUnusedExports(sources)).toEqual([]);
});
