import { describe, expect, test } from "vitest";
import { caps, rooms, totals } from "./rooms.ts";
import { countTotals, describeTotals, findGuideProblems, findSizeProblems } from "./size.ts";
import { type Source, toSource } from "./sources.ts";

function sourceOf(path: string, lines: number): Source {
  return toSource(path, "const x = 1;\n".repeat(lines));
}

/** As many files as it takes, none over the cap for a file. */
function sourcesOf(room: string, lines: number): Source[] {
  const root = room === "web" ? "web/src" : `src/${room}`;
  const full = Array.from({ length: Math.floor(lines / 400) }, (_, index) =>
    sourceOf(`${root}/x${index}.ts`, 400),
  );
  return [...full, sourceOf(`${root}/rest.ts`, lines % 400)];
}

function importsOf(path: string, count: number): Source {
  return toSource(
    path,
    Array.from({ length: count }, (_, i) => `import { x${i} } from "./x${i}.ts";\n`).join(""),
  );
}

test("the limits are those of the design", () => {
  expect(caps).toEqual({ sourceLines: 400, testLines: 600, imports: 15, guideLines: 120 });
  expect(totals).toEqual({ heart: 15_000, rim: 48_500, web: 12_700 });
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
      `${path}: ${cap + 1} lines, at most ${cap}; find the missing noun`,
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

describe("a room", () => {
  test.each(rooms.filter(({ name }) => name !== "index"))(
    "$name may have $budget lines and not one more",
    (room) => {
      expect(findSizeProblems(sourcesOf(room.name, room.budget))).toEqual([]);
      expect(findSizeProblems(sourcesOf(room.name, room.budget + 1))).toEqual([
        `src/${room.name}: ${room.budget + 1} lines, its budget is ${room.budget} (scripts/rooms.ts)`,
      ]);
    },
  );

  test("is not charged for its tests", () => {
    const tests = Array.from({ length: 20 }, (_, index) => sourceOf(`src/bus/x${index}.test.ts`, 500));
    expect(findSizeProblems(tests)).toEqual([]);
  });
});

describe("the whole", () => {
  test.each(["heart", "rim", "web"] as const)("has a limit for the %s", (part) => {
    const room = { heart: "lib", rim: "cli", web: "web" }[part];
    const isTotal = (problem: string) => problem.startsWith(`${part}:`);
    expect(findSizeProblems(sourcesOf(room, totals[part])).filter(isTotal)).toEqual([]);
    expect(findSizeProblems(sourcesOf(room, totals[part] + 1)).filter(isTotal)).toEqual([
      `${part}: ${totals[part] + 1} lines, at most ${totals[part]}`,
    ]);
  });

  test("counts every room in exactly one part", () => {
    const sources = [...rooms.map(({ name }) => `src/${name}/x.ts`), "web/src/x.ts"].map((path) =>
      sourceOf(path, 1),
    );
    const counted = countTotals(sources);
    expect(counted.heart + counted.rim + counted.web).toBe(sources.length);
  });

  test("is told in one line", () => {
    const sources = [sourceOf("src/lib/x.ts", 3), sourceOf("src/cli/x.ts", 2), sourceOf("test/x.test.ts", 4)];
    expect(describeTotals(sources)).toBe(
      "lines: heart 3 of 15000, rim 2 of 48500, web 0 of 12700; tests, scripts and benchmarks 4",
    );
  });
});

test("AGENTS.md may have 120 lines and not one more", () => {
  expect(findGuideProblems("line\n".repeat(120))).toEqual([]);
  expect(findGuideProblems("line\n".repeat(121))).toEqual(["AGENTS.md: 121 lines, at most 120"]);
});
