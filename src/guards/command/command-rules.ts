// The owner's rules about commands: words that are allowed or denied, and the patterns of the Python original. They hold
// for every program that a line could start.
import type { ReadLine, ShellWord, SimpleCommand } from "./read-line.ts";
import { findOperands, toProgram } from "./started-programs.ts";

export interface CommandRules {
  /** All of its words are readable, and a rule names them. */
  isAllowed(command: SimpleCommand): boolean;
  /** The rule that forbids a command of the line. */
  findDenial(source: string, line: ReadLine): string | undefined;
  /** A rule that forbids it if what cannot be read is what the rule is about. */
  findDoubt(line: ReadLine): string | undefined;
  /** Patterns that are no regular expressions here. */
  problems: string[];
}

export interface RuleTexts {
  allow: readonly string[];
  deny: readonly string[];
  /** Where there are any, every command has to match one as a whole. */
  allowPatterns?: readonly string[];
  denyPatterns?: readonly string[];
}

/** Programs that do nothing with their words but print or search them. */
const speakers = new Set(
  "echo printf cat ls head tail wc grep egrep fgrep rg which type man help test [ true cd".split(" "),
);

export function createCommandRules(texts: RuleTexts): CommandRules {
  const { allow, deny, allowPatterns = [], denyPatterns = [] } = texts;
  const problems: string[] = [];
  const allowed = allow.map(splitRule);
  const denied = deny.map((rule) => ({ rule, words: splitRule(rule), named: toNamed(splitRule(rule)) }));
  const onlyThese = allowPatterns.flatMap((pattern) => toExpression(pattern, "^(?:", ")$"));
  const neverThese = denyPatterns.flatMap((pattern) => toExpression(pattern, "", ""));

  function toExpression(pattern: string, before: string, after: string): RegExp[] {
    try {
      // The original looks at lower-case text, and Python writes this flag into the pattern.
      return [new RegExp(before + pattern.replace(/^\(\?i\)/, "") + after, "is")];
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
      problems.push(pattern);
      return [];
    }
  }

  return {
    problems,
    isAllowed: ({ words, settings }) =>
      settings.length === 0 &&
      words.every(({ isKnown }) => isKnown) &&
      allowed.some((rule) => matchesWhole(rule, words)),
    findDenial(source, { commands }) {
      const rule = denied.find(({ words }) => commands.some((command) => matchesStart(words, command.words)));
      if (rule !== undefined) return rule.rule;
      const lines = commands.map(({ words }) => words.map(({ text }) => text).join(" ")).filter(Boolean);
      const pattern = neverThese.find((expression) =>
        [source, ...lines].some((line) => expression.test(line)),
      );
      if (pattern !== undefined) return pattern.source;
      const isListed =
        onlyThese.length === 0 ||
        lines.every((line) => onlyThese.some((expression) => expression.test(line)));
      return isListed ? undefined : "only what tools.exec.allowPatterns names";
    },
    findDoubt({ commands, isReadable }) {
      if (!isReadable) return [...deny, ...denyPatterns, ...allowPatterns][0];
      return denied.find(({ named }) => commands.some((command) => mentions(command, named)))?.rule;
    },
  };
}

/** Whether the words of a rule stand among the arguments of a program that may do more with them than print them. */
function mentions({ words: [program, ...args], settings }: SimpleCommand, named: RegExp): boolean {
  if (program === undefined) return settings.some((text) => named.test(text));
  if (speakers.has(toProgram(program))) return false;
  return named.test([...settings, ...args.map(({ text }) => text)].join(" "));
}

function splitRule(rule: string): string[] {
  return rule.split(/\s+/).filter((word) => word !== "");
}

function toNamed(words: string[]): RegExp {
  const plain = words.filter((word) => !word.startsWith("-") && word !== "*").map(toPattern);
  return new RegExp(`(?<![\\w.-])${plain.join("(?![\\w-]).*(?<![\\w.-])")}(?![\\w-])`, "is");
}

/** `*` in a word matches anything in that word. */
function toPattern(word: string): string {
  return word.replaceAll(/[^\w*]/gu, "\\$&").replaceAll("*", ".*");
}

function isWord(pattern: string, { text, isKnown }: ShellWord): boolean {
  return isKnown && new RegExp(`^${toPattern(pattern)}$`, "s").test(text);
}

/** `*` as the last word matches all words that follow. */
function matchesWhole(rule: string[], words: readonly ShellWord[]): boolean {
  const isOpen = rule.length > 1 && rule.at(-1) === "*";
  const fixed = isOpen ? rule.slice(0, -1) : rule;
  const isLong = isOpen ? words.length >= fixed.length : words.length === fixed.length;
  const named = words.map((word, index) => (index === 0 ? toSystemName(word) : word));
  return (
    isLong && fixed.every((pattern, index) => isWord(pattern, named[index] ?? { text: "", isKnown: false }))
  );
}

/** Only a program of the system goes by its name alone: one of the workspace may be called like it. */
function toSystemName(word: ShellWord): ShellWord {
  return /^(\/usr(\/local)?)?\/s?bin\/[^/]+$/.test(word.text) ? { ...word, text: toProgram(word) } : word;
}

/** Options of the rule may be anywhere behind the program, its other words where a subcommand may. */
function matchesStart(rule: string[], words: readonly ShellWord[]): boolean {
  const [program, ...rest] = rule.filter((word, index) => word !== "*" || index < rule.length - 1);
  const [first, ...args] = words;
  if (program === undefined || first === undefined) return false;
  if (!isWord(program, { ...first, text: toProgram(first) })) return false;
  const options = rest.filter((word) => word.startsWith("-"));
  const names = rest.filter((word) => !word.startsWith("-"));
  if (!options.every((option) => args.some((word) => isWord(option, word)))) return false;
  if (names.length === 0) return true;
  return findOperands(args).some((at) => {
    const operands = args.slice(at).filter(({ text }) => !text.startsWith("-"));
    return names.every((name, index) => isWord(name, operands[index] ?? { text: "", isKnown: false }));
  });
}
