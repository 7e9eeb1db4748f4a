// Sentences for people are in the catalogues alone. What the sources put into coded sentences is no sentence of our own,
// which only English readers would understand, and foreign text only as a quotation.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { expect, test } from "vitest";
import { english } from "../src/i18n/en/index.ts";

interface Node {
  type: string;
  start: number;
  [field: string]: unknown;
}

const root = join(import.meta.dirname, "..");
const makers = ["phrase", "fail", "failAt", "UserError"];

/** Every parameter of a phrase that holds three words or more, or an error's message that is not called `quote`. */
function findEnglish(path: string, source: string): string[] {
  if (!/\/i18n\/(phrase|user-error)\.ts"/.test(source)) return [];
  const program = parseSync(path, source).program as unknown as Node;
  const maker = new Set(listNodes(program).filter(isImportOfPhrases).flatMap(namesOf));
  return listNodes(program)
    .filter(({ type, callee }) => /^(Call|New)Expression$/.test(type) && maker.has(nameOf(callee)))
    .flatMap((call) => listNodes(call.arguments))
    .filter(({ type }) => type === "Property")
    .filter((property) => hasSentence(property) || hasMessage(property))
    .map(({ start, key }) => `${path}:${source.slice(0, start).split("\n").length} ${nameOf(key)}`);
}

function listNodes(value: unknown, found: Node[] = []): Node[] {
  if (typeof value !== "object" || value === null) return found;
  if ("type" in value) found.push(value as Node);
  for (const inner of Object.values(value)) listNodes(inner, found);
  return found;
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

/** Where sentences are not for people, or are in both languages, with the reason. */
const elsewhere: Array<[path: string, reason: string]> = [
  ["src/agent/dependencies.ts", "prompts"],
  ["src/agent/subagents.ts", "prompts"],
  ["src/context/", "prompts"],
  ["src/dream/", "prompts"],
  ["src/guards/approval/judges.ts", "results of tools, for the model; the person gets the phrase"],
  ["src/guards/files/file-error.ts", "results of tools, for the model; the person gets the phrase"],
  ["src/guards/files/real-path.ts", "results of tools, for the model; the person gets the phrase"],
  ["src/guards/sandbox/sandbox.ts", "results of tools, for the model"],
  ["src/guards/approval/with-approval.ts", "results of tools, for the model"],
  ["src/lib/network/guarded-fetch.ts", "results of tools, for the model"],
  ["src/mcp/deferred.ts", "results of tools, for the model"],
  ["src/mcp/foreign-tool.ts", "results of tools, for the model"],
  ["src/memory/consolidator.ts", "prompts"],
  ["src/runner/", "prompts, and results of tools"],
  ["src/schedule/goals.ts", "prompts"],
  [
    "src/server/",
    "errors of the HTTP APIs, for programs: English, with a code that the page has a sentence for",
  ],
  ["src/storage/sessions/format/", "results of tools that were lost, for the model"],
  ["src/tools/", "results of tools, for the model"],
  ["web/src/words/", "the catalogue of the page"],
];

/** Descriptions of tools, operations and settings have a page of their own; errors of ours are broken invariants. */
function isForOthers(node: Node): boolean {
  const { type, callee, key } = node as Node & { callee?: { property?: unknown }; key?: unknown };
  if (type === "Property") return ["about", "description"].includes(nameOf(key));
  const called = nameOf(callee) || nameOf(callee?.property);
  return (
    /^(Call|New)Expression$/.test(type) &&
    ["Error", "RangeError", "TypeError", "ToolError", "describe"].includes(called)
  );
}

/** Four words or more that begin with a capital and end like a sentence. */
function isSentence(text: string): boolean {
  const words = text.match(/(?<=^|[\s(])\p{L}[\p{L}'’-]*/gu) ?? [];
  const isSql = /^(SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER)\s/.test(text);
  return words.length >= 4 && /^\p{Lu}.*[.?…]$/su.test(text) && !isSql;
}

function findSentences(path: string, source: string): string[] {
  const look = (value: unknown): string[] => {
    if (Array.isArray(value)) return value.flatMap(look);
    if (typeof value !== "object" || value === null || isForOthers(value as Node)) return [];
    const text = textOf(value).trim();
    const inner = Object.values(value).flatMap(look);
    if (!isSentence(text)) return inner;
    const line = source.slice(0, (value as Node).start).split("\n").length;
    return [`${path}:${line} ${text}`, ...inner];
  };
  return look(parseSync(path, source).program);
}

/** Of a literal; in a template a word represents each of its expressions. */
function textOf(node: unknown): string {
  const { type, value, quasis = [] } = node as Node & { quasis?: Array<{ value: { cooked: string } }> };
  if (type === "JSXText") return String(value);
  if (type === "TemplateLiteral") return quasis.map((part) => part.value.cooked).join("…");
  return type === "Literal" && typeof value === "string" ? value : "";
}

test("sentences for people are in the catalogues alone", () => {
  const listed = execFileSync("git", ["ls-files", "src", "web/src"], { cwd: root, encoding: "utf8" });
  const found = listed
    .split("\n")
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !path.startsWith("src/i18n/"))
    .flatMap((path) => findSentences(path, readFileSync(join(root, path), "utf8")));
  const isElsewhere = (line: string) => elsewhere.some(([path]) => line.startsWith(path));
  expect(found.filter((line) => !isElsewhere(line))).toEqual([]);
  const unused = elsewhere.filter(([path]) => !found.some((line) => line.startsWith(path)));
  expect(unused).toEqual([]);
});

/** The names of the texts in a catalogue, by the last part. */
function listKeys(texts: object): string[] {
  return Object.entries(texts).flatMap(([key, text]) =>
    typeof text === "object" && !Array.isArray(text) ? listKeys(text) : [key],
  );
}

test("every sentence of the catalogue is said somewhere", () => {
  const listed = execFileSync("git", ["ls-files", "src", "web/src"], { cwd: root, encoding: "utf8" });
  const code = listed
    .split("\n")
    .filter((path) => /(?<!\.test)\.tsx?$/.test(path) && !/^src\/i18n\/(en|zh)\//.test(path))
    .map((path) => readFileSync(join(root, path), "utf8"))
    .join("\n");
  const { phrases, ...texts } = english;
  const isUsed = (phrase: string) =>
    code.includes(`"${phrase}"`) || code.includes(`\`${phrase.slice(0, phrase.lastIndexOf(".") + 1)}\${`);
  // Of these the first part alone is written out, before a kind, an action or a name.
  const composed = /^(skills\.(reason|note|rule)\.|storage\.(session|file)-)/;
  expect(Object.keys(phrases).filter((phrase) => !isUsed(phrase) && !composed.test(phrase))).toEqual([]);
  const names = new Set(code.match(/[\w$-]+/g));
  expect(listKeys(texts).filter((key) => !names.has(key))).toEqual([]);
});

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

test.each([
  ['say("The disk is full now.")', 1],
  ["say(`The disk ${name} is full…`)", 1],
  ["const page = <p>Is the disk full now?</p>", 1],
  ['tell({ text: isFull ? "The disk is full now." : "" })', 1],
  ['throw new Error("This can never be the case.")', 0],
  ['const tool = { description: "Tells how full the disk is." }', 0],
  ['z.string().describe("Where the disk is to be found.")', 0],
  ['state.run("SELECT disk FROM disks WHERE id = ?")', 0],
  ['log("the disk is full now.", "Full.", "The disk is full")', 0],
])("finds it, or not: %s", (code, count) => {
  expect(findSentences("a.tsx", code)).toHaveLength(count);
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: source text
