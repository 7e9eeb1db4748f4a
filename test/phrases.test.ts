// What the sources put into coded sentences: no sentence of our own, which only English readers would understand, and
// foreign text only as a quotation.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const root = join(import.meta.dirname, "..");
const makers = ["phrase", "fail", "failAt", "UserError"];

/** Every parameter of a phrase that holds three words or more, or an error's message that is not called `quote`. */
function findEnglish(path: string, source: string): string[] {
  const program = parseSync(path, source).program as unknown as Node;
  const maker = new Set(listNodes(program).filter(isImportOfPhrases).flatMap(namesOf));
  return listNodes(program)
    .filter(({ type, callee }) => /^(Call|New)Expression$/.test(type) && maker.has(nameOf(callee)))
    .flatMap((call) => listNodes(call.arguments))
    .filter(({ type }) => type === "Property")
    .filter((property) => hasSentence(property) || hasMessage(property))
    .map(({ start, key }) => `${path}:${source.slice(0, start).split("\n").length} ${nameOf(key)}`);
}

function listNodes(value: unknown): Node[] {
  if (Array.isArray(value)) return value.flatMap(listNodes);
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(listNodes);
  return "type" in value ? [value as Node, ...inner] : inner;
}

function isImportOfPhrases({ type, source }: Node): boolean {
  return type === "ImportDeclaration" && /\/i18n\/(phrase|user-error)\.ts$/.test(textOf(source));
}

function namesOf(declaration: Node): string[] {
  const specifiers = declaration.specifiers as Array<Node & { imported: Node; local: Node }>;
  return specifiers
    .filter(({ imported }) => makers.includes(nameOf(imported)))
    .map(({ local }) => nameOf(local));
}

function hasSentence({ value }: Node): boolean {
  return listNodes(value).some((node) => (textOf(node).match(/(?<=^|\s)\p{L}+/gu) ?? []).length >= 3);
}

function hasMessage({ key, value }: Node): boolean {
  const names = listNodes(value).filter(({ type }) => type === "Identifier");
  return nameOf(key) !== "quote" && names.some((node) => nameOf(node) === "message");
}

function nameOf(node: unknown): string {
  return String((node as Partial<Node> | undefined)?.name ?? "");
}

/** Of a literal; in a template a word stands for each of its expressions. */
function textOf(node: unknown): string {
  const { type, value, quasis = [] } = node as Node & { quasis?: Array<{ value: { cooked: string } }> };
  if (type === "TemplateLiteral") return quasis.map((part) => part.value.cooked).join("…");
  return type === "Literal" && typeof value === "string" ? value : "";
}

test("no parameter of a phrase is a sentence of ours, and an error's own words are only quoted", () => {
  const listed = execFileSync("git", ["ls-files", "src"], { cwd: root, encoding: "utf8" });
  const paths = listed
    .split("\n")
    .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.startsWith("src/i18n/"));
  expect(paths.flatMap((path) => findEnglish(path, readFileSync(join(root, path), "utf8")))).toEqual([]);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: source text
test.each([
  ['fail("a.b", { reason: "it does not work" })', ["reason"]],
  ['fail("a.b", { reason: isLate ? "it is late" : code })', ["reason"]],
  ['fail("a.b", { reason: `the ${name} is gone` })', ["reason"]],
  ['fail("a.b", { reason: toOneLine(error.message, 300) })', ["reason"]],
  ['fail("a.b", { message })', ["message"]],
  [
    'new UserError(phrase("a.b", { inner: phrase("c.d", { reason: "it does not work" }) }))',
    ["inner", "reason"],
  ],
  ['fail("a.b", { quote: error.message, path: `${folder}/a b`, kind: "no-program" })', []],
  ['log("a.b", { reason: "it does not work" })', []],
])("finds it: %s", (code, names) => {
  const source = `import { phrase } from "../i18n/phrase.ts";
    import { fail, UserError } from "../i18n/user-error.ts";
    ${code};`;
  const found = new Set(findEnglish("a.ts", source).map((line) => line.split(" ")[1]));
  expect([...found].sort()).toEqual(names);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source text
