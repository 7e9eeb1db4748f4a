import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { formatFigure, median, percentile } from "../bench/report.ts";
import { type Ended, runProgram } from "./support/start-program.ts";

describe("a figure", () => {
  test("is a line of name, value, unit and the ratio to its baseline", () => {
    const figure = { name: "agent-message", value: 61.4321, unit: "ms", baseline: 40 };
    expect(formatFigure(figure)).toBe("agent-message 61.4 ms (1.54)");
  });

  test.each([
    [0.012345, "x 0.0123 ms"],
    [1.5, "x 1.5 ms"],
    [1234.5, "x 1235 ms"],
    [2730, "x 2730 ms"],
    [0, "x 0 ms"],
  ])("of %d without a baseline reads %s", (value, line) => {
    expect(formatFigure({ name: "x", value, unit: "ms" })).toBe(line);
  });
});

describe("the statistics", () => {
  test("find the middle and the tail of what was measured", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 2, 3])).toBe(2.5);
    expect(
      percentile(
        Array.from({ length: 101 }, (_, index) => index),
        99,
      ),
    ).toBe(99);
    expect(() => median([])).toThrow("at least one value");
  });

  test("lie within what was measured, grow with the percent, and leave the list alone", () => {
    const values = fc.array(fc.double({ noNaN: true, min: 0, max: 1e9 }), { minLength: 1 });
    fc.assert(
      fc.property(
        values,
        fc.integer({ min: 0, max: 100 }),
        fc.integer({ min: 0, max: 100 }),
        (list, a, b) => {
          const before = [...list];
          const [low, high] = [percentile(list, Math.min(a, b)), percentile(list, Math.max(a, b))];
          expect(low).toBeGreaterThanOrEqual(Math.min(...list));
          expect(high).toBeLessThanOrEqual(Math.max(...list));
          expect(high).toBeGreaterThanOrEqual(low);
          expect(list).toEqual(before);
        },
      ),
    );
  });
});

describe("npm run bench", () => {
  let folder = "";
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), "nanobot-bench-test-")));
    for (const file of ["run.ts", "report.ts"]) {
      cpSync(join(import.meta.dirname, "../bench", file), join(folder, file));
    }
    writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
    writeFileSync(
      join(folder, "where.ts"),
      [
        "// Where a relative path leads.",
        'import { resolve } from "node:path";',
        "export async function bench(argv: string[]): Promise<void> {",
        "  console.log(argv.map((path) => resolve(path)).join());",
        "}",
      ].join("\n"),
    );
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  function bench(argv: string[], env: NodeJS.ProcessEnv = {}): Promise<Ended> {
    const argvOfNode = [process.execPath, join(folder, "run.ts"), ...argv];
    return runProgram(argvOfNode, { cwd: folder, env: { ...process.env, ...env } });
  }

  test("lists the benchmarks with what each measures", async () => {
    expect(await bench([])).toMatchObject({ code: 0, stdout: "where      Where a relative path leads.\n" });
  });

  test("runs one, with paths counted from where the command was typed", async () => {
    const typed = join(folder, "typed");
    mkdirSync(typed);
    expect(await bench(["where", "a.jsonl", "../b"], { INIT_CWD: typed })).toMatchObject({
      code: 0,
      stdout: `${join(typed, "a.jsonl")},${join(folder, "b")}\n`,
    });
  });

  test("answers an unknown name with the known ones", async () => {
    expect(await bench(["../where"])).toMatchObject({
      code: 2,
      stderr: 'There is no benchmark "../where". Known: where.\n',
    });
  });

  test("says which file of conversations is missing", async () => {
    const argv = [
      process.execPath,
      join(import.meta.dirname, "../bench/run.ts"),
      "recall",
      "no-such-file.json",
    ];
    expect(await runProgram(argv)).toMatchObject({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining("There is no no-such-file.json."),
    });
  });

  test("knows the project's own benchmarks", async () => {
    const { stdout } = await runProgram([process.execPath, join(import.meta.dirname, "../bench/run.ts")]);
    expect(stdout).toMatch(/^start +\S.*$/m);
  });
});
