// The owner's own rules about commands: words that are allowed or denied, and the patterns of the Python original.
import type { ShellWord } from "./shell-word.ts";

export interface CommandRules {
  /** Without these words nothing in the line was asked about. All of them have to be readable in the line. */
  isAllowed(words: ShellWord[]): boolean;
  /** The rule that forbids it. */
  findDenial(command: string, segments: ShellWord[][]): string | undefined;
  /** Patterns that are no regular expressions here. */
  problems: string[];
}

export interface RuleTexts {
  allow: readonly string[];
  deny: readonly string[];
  /** Where there are any, every segment has to match one as a whole. */
  allowPatterns?: readonly string[];
  denyPatterns?: readonly string[];
}

export function createCommandRules({
  allow,
  deny,
  allowPatterns = [],
  denyPatterns = [],
}: RuleTexts): CommandRules {
  const problems: string[] = [];
  const allowed = allow.map(toWordTests);
  const denied = deny.map((rule): [string, WordTest[]] => [rule, toWordTests(rule)]);
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
    isAllowed: (words) =>
      words.every(({ kind }) => kind === "text") && allowed.some((rule) => matches(rule, words, false)),
    findDenial(command, segments) {
      const forms = segments.flatMap(toForms);
      const rule = denied.find(([, tests]) => forms.some((words) => matches(tests, words, true)));
      if (rule !== undefined) return rule[0];
      const lines = segments.map((words) => words.map(({ text }) => text).join(" "));
      const pattern = neverThese.find((expression) =>
        [command, ...lines].some((line) => expression.test(line)),
      );
      if (pattern !== undefined) return pattern.source;
      const isListed =
        onlyThese.length === 0 ||
        lines.every((line) => onlyThese.some((expression) => expression.test(line)));
      return isListed ? undefined : "only what tools.exec.allowPatterns names";
    },
  };
}

/** As it stands, and without the options that may stand before a subcommand. */
function toForms(words: ShellWord[]): ShellWord[][] {
  const isValue = (index: number) => /^-[Cc]$/.test(words[index - 1]?.text ?? "");
  return [words, words.filter(({ text }, index) => !text.startsWith("-") && !isValue(index))];
}

type WordTest = "rest" | RegExp;

/** `*` in a word stands for anything in that word, and as the last word for all words that follow. */
function toWordTests(rule: string): WordTest[] {
  const words = rule.split(/\s+/).filter((word) => word !== "");
  return words.map((word, index) => {
    if (word === "*" && index === words.length - 1) return "rest";
    return new RegExp(`^${word.replaceAll(/[^\w*]/gu, "\\$&").replaceAll("*", ".*")}$`, "s");
  });
}

/** `isStart`: more words may follow. */
function matches(rule: WordTest[], words: ShellWord[], isStart: boolean): boolean {
  const tests = rule.filter((test) => test !== "rest");
  if (tests.length === 0 || words.length < tests.length) return false;
  const isOpen = isStart || tests.length < rule.length;
  return (
    (isOpen || words.length === tests.length) &&
    tests.every((test, index) => words[index]?.kind === "text" && test.test(words[index].text))
  );
}
