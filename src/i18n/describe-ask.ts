// A question in the words of a language, for every surface: its first line, its notes, its choices; and what a person
// typed, as one of the choices.
import { kindOf } from "../lib/labels.ts";
import { reveal, revealLine } from "../lib/visible-text.ts";
import type { Phrase } from "./phrase.ts";
import { createWords, readApprovalAnswer, say, type Words } from "./words.ts";

/** What is said of a question. */
type Question = { phrase: Phrase; choices: readonly Choice[] } & (
  | {
      kind: "approval";
      reasons: readonly Phrase[];
      risk: Phrase;
      labels?: readonly string[];
      subject?: string;
    }
  | { kind: "choice" }
);

interface Choice {
  id: string;
  phrase: Phrase;
}

/** What is typed for a choice; others have their number. */
const keys: Record<string, string> = { yes: "y", once: "y", session: "s", always: "a", no: "N" };

/** What a word of an approval means where the question offers less than it. */
const lesser = { once: ["once", "yes"], session: ["session", "once", "yes"], no: ["no"] };
const meanings = { ...lesser, always: ["always", ...lesser.session] };

/** What is asked, in one line. */
export function describeTitle({ kind, phrase }: Question, words: Words): string {
  const title = revealLine(say(phrase, words));
  return kind === "approval" ? words.approval.question(title) : title;
}

/** Why it is asked, what it could cost, what a lasting yes would cover; a line each. */
export function describeNotes(question: Question, words: Words): string[] {
  if (question.kind !== "approval") return [];
  const { reasons, risk, labels, subject, choices } = question;
  const { approval } = words;
  const isExact = choices.some(({ id }) => id === "always");
  const covers = isExact ? approval.alwaysCovers : approval.sessionCovers;
  const why = reasons.map((reason) => say(reason, words)).join(" ");
  return [
    ...(why === "" ? [] : [approval.reason(revealLine(why))]),
    ...(labels === undefined || labels.length === 0 ? [] : [approval.sources(describeLabels(labels, words))]),
    approval.risk(say(risk, words)),
    ...(subject === undefined ? [] : [covers(revealLine(subject))]),
  ];
}

export interface ShownChoice {
  id: string;
  /** What is typed for it. */
  key: string;
  /** `[y] Allow once` */
  label: string;
}

export function listChoices({ choices }: Pick<Question, "choices">, words: Words): ShownChoice[] {
  return choices.map(({ id, phrase }, index) => {
    const key = keys[id] ?? String(index + 1);
    return { id, key, label: words.approval.choice(key, say(phrase, words)) };
  });
}

/** What may be typed: `[y] Allow once, [N] Don't allow`. */
export function describeChoices(question: Pick<Question, "choices">, words: Words): string {
  return listChoices(question, words)
    .map(({ label }) => label)
    .join(words.approval.between);
}

/** The id of the choice that a person typed, in either language; undefined when it is none of them. */
export function readAnswer({ choices }: Pick<Question, "choices">, text: string): string | undefined {
  const typed = text.trim().toLowerCase();
  const isTyped = ({ id, phrase }: Choice, index: number) => {
    const labels = (["english", "chinese"] as const).map((language) => say(phrase, createWords(language)));
    return [keys[id] ?? String(index + 1), id, ...labels].some((word) => word.toLowerCase() === typed);
  };
  const word = readApprovalAnswer(text);
  const named = choices.find(isTyped)?.id;
  const meant = word && meanings[word].find((meaning) => choices.some(({ id }) => id === meaning));
  return named ?? meant;
}

export function describeLabels(labels: readonly string[], { approval }: Words): string {
  const kinds: Record<string, string> = approval.labels;
  return labels
    .map((label) => {
      const kind = kindOf(label);
      const name = label.slice(kind.length + 1);
      const known = kinds[kind] ?? kind;
      return revealLine(name === "" ? known : `${known} (${name})`);
    })
    .join(", ");
}

/** Lines of the detail of a choice that a chat shows. */
const mostLines = 10;

/** For a chat: the question in one message, with all of what is to be approved, and what may be typed unless it has buttons. */
export function describeQuestion(
  question: Question & { detail: string },
  words: Words,
  { hasButtons = false } = {},
): string {
  const lines = question.detail.split("\n");
  const shown =
    question.kind === "choice" && lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
  const detail = reveal(shown.join("\n")).replaceAll("```", "'''");
  return [
    describeTitle(question, words),
    ...(detail === "" ? [] : [`\`\`\`\n${detail}\n\`\`\``]),
    ...describeNotes(question, words),
    ...(hasButtons ? [] : [describeChoices(question, words)]),
  ].join("\n");
}
