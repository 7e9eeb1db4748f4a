import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

const project = join(import.meta.dirname, "..");
let root = "";

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "nanobot-check-"));
  for (const file of [".gitignore", "biome.json", "package.json", "tsconfig.json"]) {
    cpSync(join(project, file), join(root, file));
  }
  mkdirSync(join(root, "node_modules"));
  symlinkSync(join(project, "node_modules/@types"), join(root, "node_modules/@types"));
  write(
    "src/lib/fine.ts",
    'export function greet(name: string): string {\n  return "hello, ".concat(name);\n}\n',
  );
  write("src/lib/fine.test.ts", 'import { greet } from "./fine.ts";\n\ngreet("you");\n');
  write("AGENTS.md", "# Fine\n");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function check(...flags: string[]): { status: number | null; output: string } {
  const argv = [join(project, "scripts/check.ts"), root, ...flags];
  const { status, stdout, stderr } = spawnSync(process.execPath, argv, { encoding: "utf8" });
  return { status, output: stdout + stderr };
}

const body = (lines: number) => "  total += 1;\n".repeat(lines);

/** One limit a row: the step that must fail, the text by which it is recognised, and the file that breaks it. */
const limits = {
  "a function of more than 80 lines": {
    step: "format and lint",
    says: "noExcessiveLinesPerFunction",
    text: `export function long(): number {\n  let total = 0;\n${body(80)}  return total;\n}\n`,
  },
  "more than four positional parameters": {
    step: "format and lint",
    says: "useMaxParams",
    text: "export function sum(a: number, b: number, c: number, d: number, e: number): number {\n  return a + b + c + d + e;\n}\n",
  },
  "a default export": {
    step: "format and lint",
    says: "noDefaultExport",
    text: "export default function fine(): void {}\n",
  },
  "an enum": { step: "format and lint", says: "noEnum", text: "export enum Color {\n  Red = 0,\n}\n" },
  "an any": { step: "format and lint", says: "noExplicitAny", text: "export type Anything = any;\n" },
  "a non-null assertion": {
    step: "format and lint",
    says: "noNonNullAssertion",
    text: "export const first = (list: string[]): string => list[0]!;\n",
  },
  "a value import used as a type": {
    step: "format and lint",
    says: "useImportType",
    text: 'import { greet } from "./fine.ts";\n\nexport type Greet = typeof greet;\n',
  },
  "a print to the console": {
    step: "format and lint",
    says: "noConsole",
    text: 'export function say(): void {\n  console.log("x");\n}\n',
  },
  "text that is not formatted": {
    step: "format and lint",
    says: "Formatter would have printed",
    text: "export const  x = 'y'\n",
  },
  "a type error": {
    step: "types",
    says: "TS2322",
    text: 'export const count: number = "one";\n',
  },
  "an unchecked index": {
    step: "types",
    says: "TS2322",
    text: "export const first = (list: string[]): string => list[0];\n",
  },
  "syntax that type stripping cannot erase": {
    step: "types",
    says: "TS1294",
    text: "export class Point {\n  constructor(readonly x: number) {}\n}\n",
  },
  "an upward import": {
    step: "direction",
    says: "imports upwards, from runner/",
    text: 'export type { Tool } from "../runner/tool.ts";\n',
  },
  "an export that nothing uses": {
    step: "unused exports",
    says: "no other file uses lonely",
    text: "export const lonely = 1;\n",
  },
  "a file of more than 400 lines": { step: "size", says: "401 lines", text: "// line\n".repeat(401) },
} satisfies Record<string, { step: string; says: string; text: string }>;

describe("npm run check", () => {
  test("passes a tree within all limits, and ends with the line counts", () => {
    const { status, output } = check();
    expect(output).toBe(
      [
        "ok   format and lint",
        "ok   types",
        "ok   direction",
        "ok   size",
        "ok   unused exports",
        "lines: source 3; tests, scripts and benchmarks 3",
        "",
      ].join("\n"),
    );
    expect(status).toBe(0);
  });

  // All at once: each start of the check takes as long as a hundred files in it.
  test("fails on each limit, and names the file that breaks it", () => {
    const broken = Object.entries(limits).map(([name, limit]) => ({
      ...limit,
      file: `src/lib/${name.replaceAll(" ", "-")}.ts`,
    }));
    for (const { file, text } of broken) write(file, text);
    write("src/lib/NotKebab.ts", "export const x = 1;\n");
    write("src/lib/one.ts", 'import { two } from "./two.ts";\n\nexport const one = (): number => two();\n');
    write("src/lib/two.ts", 'import { one } from "./one.ts";\n\nexport const two = (): number => one();\n');
    write("AGENTS.md", "line\n".repeat(121));
    const { status, output } = check();
    const steps = output.split(/^(?=ok {3}|FAIL )/m);
    const found = broken.map(({ step, says, file }) => {
      const failed = steps.find((part) => part.startsWith(`FAIL ${step}`)) ?? "";
      // Of biome a paragraph, of the others a line.
      const told = failed.split(step === "format and lint" ? /^(?=\S*src\/\S+)/m : "\n");
      return told.some((part) => part.includes(file) && part.includes(says)) ? file : `${file}: not told`;
    });
    expect(found).toEqual(broken.map(({ file }) => file));
    for (const says of ["useFilenamingConvention", "noImportCycles", "AGENTS.md: 121 lines, at most 120"])
      expect(output).toContain(says);
    expect(status).toBe(1);
  });

  test("does not measure the functions of a test file", () => {
    write("src/lib/long.test.ts", limits["a function of more than 80 lines"].text);
    expect(check().status).toBe(0);
  });

  test("repairs the format with --fix", () => {
    write("test/broken.ts", "export const  x = 'y'\n");
    expect(check("--fix").status).toBe(0);
    expect(readFileSync(join(root, "test/broken.ts"), "utf8")).toBe('export const x = "y";\n');
  });
});
