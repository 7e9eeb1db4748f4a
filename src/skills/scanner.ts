// Reads the text of a skill as a stranger's: flags what the rules name and what cannot be seen. Judges text alone.
import { createHash } from "node:crypto";
import { toPlainLine } from "../lib/text.ts";
import { type FindingRule, scanRules } from "./scan-rules.ts";

/** Something in a skill's files that should not be there. */
export interface SkillFinding {
  rule: FindingRule;
  /** Relative to the skill's folder. */
  file: string;
  /** From 1; 0 for a file as a whole. */
  line: number;
  excerpt: string;
}

export const mostFindings = 20;
const longestExcerpt = 120;

const invisible = /(?![\t\n\f])[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\ufff9-\ufffb]/gu;

/** Invisible characters where a script or an emoji cannot be written without them. */
const honest = [
  /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu,
  /\p{Extended_Pictographic}[\ufe0e\ufe0f]?[\u{1f3fb}-\u{1f3ff}]?(?:\u200d\p{Extended_Pictographic}\ufe0f?[\u{1f3fb}-\u{1f3ff}]?)*/gu,
  /[^\p{Default_Ignorable_Code_Point}\s][\ufe0e\ufe0f](?!\p{Default_Ignorable_Code_Point})/gu,
  /\p{Script=Han}[\u{e0100}-\u{e01ef}](?!\p{Default_Ignorable_Code_Point})/gu,
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{M}][\u200c-\u200f](?!\p{Default_Ignorable_Code_Point})/gu,
];

/** Differs between two versions of this program when their rules do. */
export function toScannerVersion(): string {
  const patterns = [...scanRules.flatMap((rule) => rule.patterns), ...honest, invisible];
  return createHash("sha256").update(patterns.join("\n")).digest("hex").slice(0, 16);
}

interface Hit {
  rule: FindingRule;
  /** Where in the text. */
  index: number;
  excerpt: string;
}

/** `file` is only for the findings. */
export function scanText(file: string, text: string): SkillFinding[] {
  const given = text.replaceAll(/\r\n?/g, "\n");
  // Full-width letters read like plain ones. Line by line, so that lines keep their numbers.
  const plain = given.replaceAll(/.+/g, (line) => line.normalize("NFKC"));
  const views = { command: joinContinued(plain), sentence: joinParagraphs(plain) };
  const hits = scanRules.flatMap(({ name, kind, patterns }) =>
    patterns.flatMap((source) => findHits(name, views[kind], new RegExp(source, "gim"))),
  );
  const unseen = findHits("invisible-text", hideHonest(given), invisible).map((hit) => ({
    ...hit,
    excerpt: nameCharacter(given, hit.index),
  }));
  return [...toFindings(file, plain, hits), ...toFindings(file, given, unseen)]
    .sort((a, b) => a.line - b.line)
    .slice(0, mostFindings);
}

function findHits(rule: FindingRule, text: string, pattern: RegExp): Hit[] {
  return Array.from(text.matchAll(pattern).take(mostFindings), (match) => ({
    rule,
    index: match.index,
    excerpt: toPlainLine(match[0], longestExcerpt),
  }));
}

/** One for each rule and line. */
function toFindings(file: string, text: string, hits: Hit[]): SkillFinding[] {
  const found = new Map<string, SkillFinding>();
  for (const { rule, index, excerpt } of hits) {
    const line = text.slice(0, index).split("\n").length;
    const key = `${rule} ${line}`;
    if (!found.has(key)) found.set(key, { rule, file, line, excerpt });
  }
  return [...found.values()];
}

// The views have the length of the text, so that a place in one is a place in the other.

/** A command that goes on after a backslash, as the shell reads it. */
function joinContinued(text: string): string {
  return text.replaceAll("\\\n", "  ");
}

/** A sentence that goes on in the next line, as a person reads it. */
function joinParagraphs(text: string): string {
  return text.replaceAll(/\n(?![ \t]*(?:$|\n|[-*+#>|]|\d+[.)]))/g, " ");
}

function hideHonest(text: string): string {
  return honest.reduce(
    (rest, pattern) => rest.replaceAll(pattern, (match) => " ".repeat(match.length)),
    text,
  );
}

function nameCharacter(text: string, index: number): string {
  return `U+${(text.codePointAt(index) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}
