import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { countLines, moduleOf, readSources, resolveImport, toSource } from "./sources.ts";

const real = fc.constantFrom(
  (target: string) => `import { a } from "${target}";`,
  (target: string) => `import type { A, B } from '${target}';`,
  (target: string) => `import {\n  type A,\n  b as c, // the other one\n} from "${target}";`,
  (target: string) => `import * as all from "${target}";`,
  (target: string) => `import first, { second } from "${target}";`,
  (target: string) => `import "${target}";`,
  (target: string) => `export { a, b } from "${target}";`,
  (target: string) => `export type * from "${target}";`,
  (target: string) => `const { a } = await import("${target}");`,
  (target: string) => `const lazy = () => import(\n  \`${target}\`,\n);`,
  (target: string) => `let later: typeof import("${target}") | undefined;`,
  (target: string) => `import data from "${target}" with { type: "json" };`,
);
const decoy = fc.constantFrom(
  '// import { a } from "./decoy.ts";',
  '/* import("./decoy.ts")\n export * from "./decoy.ts"; */',
  "const text = 'import { a } from \"./decoy.ts\";';",
  'const text = `\nimport { a } from "./decoy.ts";\n`;',
  'const address = "http://decoy"; // it\'s only a quote',
  "const quote = /[\"'`/]/g;",
  "const isQuote = (text: string) => {\n  return /`/.test(text);\n};",
  "const half = total / 2; // 'tis / \"that",
  "const said = `$" + "{name} says \"import('./decoy.ts')\"`;",
  'store.import("./decoy.ts");',
  'export function from(text: string): string {\n  return text + "from";\n}',
  "const url = import.meta.url;",
);

describe("imports of a source", () => {
  test("are found in every form, and not in comments, strings, templates or regular expressions", () => {
    const piece = fc.oneof(
      fc.tuple(real, fc.stringMatching(/^\.{1,2}\/[a-z]{1,8}\.ts$|^[a-z]{1,8}$/)).map(([write, target]) => ({
        code: write(target),
        targets: [target],
      })),
      decoy.map((code) => ({ code, targets: [] as string[] })),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.map(({ code }) => code).join("\n");
        const found = toSource("src/lib/x.ts", text).imports.map(({ target }) => target);
        expect(found).toEqual(pieces.flatMap(({ targets }) => targets));
      }),
    );
  });

  test("carry their clause on one line", () => {
    const [imported] = toSource("src/lib/x.ts", 'import {\n  a,\n} from "./y.ts";').imports;
    expect(imported).toEqual({ target: "./y.ts", clause: "import { a, } from" });
  });

  test("are resolved against the file; packages are not", () => {
    const source = toSource("src/llm/wire/x.ts", "");
    expect(resolveImport(source, "../../lib/text.ts")).toBe("src/lib/text.ts");
    expect(resolveImport(source, "./y.ts")).toBe("src/llm/wire/y.ts");
    expect(resolveImport(source, "node:fs")).toBeUndefined();
  });
});

test("a path belongs to the module below src/", () => {
  expect(moduleOf("src/llm/hosts.ts")).toBe("llm");
  expect(moduleOf("src/channels/feishu/send.ts")).toBe("channels");
  expect(moduleOf("src/index.ts")).toBe("index");
  expect(moduleOf("web/src/app.tsx")).toBe("web");
  expect(moduleOf("scripts/check.ts")).toBe("");
});

test("a line counts with or without a newline at the end of the file", () => {
  expect(["", "a", "a\n", "a\nb", "a\nb\n"].map(countLines)).toEqual([0, 1, 1, 2, 2]);
});

describe("reading a tree", () => {
  const root = mkdtempSync(join(tmpdir(), "nanobot-sources-"));
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  test("takes code of every kind, tells tests from the product, and skips fixtures and what is installed", () => {
    const paths = [
      "src/lib/a.ts",
      "src/lib/a.test.ts",
      "src/lib/node_modules/b.ts",
      "web/src/page.tsx",
      "test/fixtures/c.ts",
      "scripts/d.mjs",
      "src/lib/notes.md",
    ];
    for (const path of paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), "export const x = 1;\n");
    }
    const seen = readSources(root).map(({ path, isTest }) => `${path} ${isTest ? "test" : "product"}`);
    expect(seen.sort()).toEqual([
      "scripts/d.mjs test",
      "src/lib/a.test.ts test",
      "src/lib/a.ts product",
      "web/src/page.tsx product",
    ]);
  });
});
