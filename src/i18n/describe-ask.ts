// A question for approval in the words of a language, for every surface: its notes, its choices, the sources behind it.
import { kindOf } from "../lib/labels.ts";
import { revealLine } from "../lib/visible-text.ts";
import { retell } from "./retell.ts";
import type { Words } from "./words.ts";

/** What is said of a request. */
interface Question {
  title: string;
  reason: string;
  risk?: keyof Words["approval"]["risks"];
  labels?: readonly string[];
  subject?: string;
  isExact?: boolean;
}

/** What is about to happen, in one line. */
export function describeTitle({ title }: Question, words: Words): string {
  return words.approval.question(revealLine(retell(title, words, "question")));
}

/** Why it is asked, what it could cost, what a lasting yes would cover; a line each. */
export function describeNotes(request: Question, words: Words): string[] {
  const { reason, risk, labels, subject, isExact } = request;
  const { approval } = words;
  const covers = isExact === true ? approval.alwaysCovers : approval.sessionCovers;
  return [
    ...(reason === "" ? [] : [approval.reason(revealLine(retell(reason, words, "question")))]),
    ...(labels === undefined ? [] : [approval.sources(describeLabels(labels, words))]),
    ...(risk === undefined ? [] : [approval.risk(approval.risks[risk])]),
    ...(subject === undefined ? [] : [covers(revealLine(subject))]),
  ];
}

export function describeChoices({ subject, isExact }: Question, { approval }: Words): string {
  if (subject === undefined) return approval.choicesOnce;
  return isExact === true ? approval.choices : approval.choicesSession;
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
