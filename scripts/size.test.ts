import { describe, expect, test } from "vitest";
import { caps } from "./modules.ts";
import { describeTotals, findGuideProblems, findSizeProblems } from "./size.ts";
import { type Source, toSource } from "./sources.ts";

function sourceOf(path: string, lines: number): Source {
  return toSource(path, "const x = 1;\n".repeat(lines));
}

function importsOf(path: string, count: number): Source {
  return toSource(
    path,
    Array.from({ length: count }, (_, i) => `import { x${i} } from "./x${i}.ts";\n`).join(""),
  );
}

test("the limits are those of the design", () => {
  expect(caps).toEqual({ sourceLines: 400, testLines: 600, folderFiles: 24, imports: 15, guideLines: 120 });
});

test("a folder may have 24 source files and not one more; its tests do not count", () => {
  const files = Array.from({ length: 25 }, (_, index) => sourceOf(`src/lib/x${index}.ts`, 1));
  const tests = files.map(({ path }) => sourceOf(path.replace(".ts", ".test.ts"), 1));
  expect(findSizeProblems([...files.slice(1), ...tests])).toEqual([]);
  expect(findSizeProblems(files)).toEqual(["src/lib: 25 files, at most 24; group them by noun"]);
});

describe("a file", () => {
  test.each([
    ["src/lib/x.ts", 400],
    ["web/src/x.tsx", 400],
    ["src/lib/x.test.ts", 600],
    ["test/walk.test.ts", 600],
    ["scripts/check.ts", 600],
  ])("%s may have %i lines and not one more", (path, cap) => {
    expect(findSizeProblems([sourceOf(path, cap)])).toEqual([]);
    expect(findSizeProblems([sourceOf(path, cap + 1)])).toEqual([
      `${path}: ${cap + 1} lines, at most ${cap}; split it by noun`,
    ]);
  });

  test("may have 15 imports and not one more", () => {
    expect(findSizeProblems([importsOf("src/lib/x.ts", 15)])).toEqual([]);
    expect(findSizeProblems([importsOf("src/lib/x.ts", 16)])).toEqual([
      "src/lib/x.ts: 16 imports, at most 15",
    ]);
  });

  test("may have more imports where it is a list, builds the app, or is a test", () => {
    const lists = ["src/tools/index.ts", "src/app/build-app.ts", "src/index.ts", "src/lib/x.test.ts"];
    expect(findSizeProblems(lists.map((path) => importsOf(path, 40)))).toEqual([]);
  });
});

describe("the whole", () => {
  test("is described in one line", () => {
    const sources = [sourceOf("src/lib/x.ts", 3), sourceOf("src/cli/x.ts", 2), sourceOf("test/x.test.ts", 4)];
    expect(describeTotals(sources)).toBe("lines: source 5; tests, scripts and benchmarks 4");
  });
});

test("AGENTS.md may have 120 lines and not one more", () => {
  expect(findGuideProblems("line\n".repeat(120))).toEqual([]);
  expect(findGuideProblems("line\n".repeat(121))).toEqual(["AGENTS.md: 121 lines, at most 120"]);
});
