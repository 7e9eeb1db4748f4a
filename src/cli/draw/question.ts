// A question for approval as lines of the terminal; everything that could disguise the command is made visible.
import type { Question } from "../../bus/ask.ts";
import { describeNotes, describeTitle } from "../../i18n/describe-ask.ts";
import type { Words } from "../../i18n/words.ts";
import { reveal } from "../../lib/visible-text.ts";
import type { Style } from "./style.ts";
import { paintChange } from "./tool-card.ts";

/** A person decides on what is shown, so hardly anything may be left out. */
const mostDetailLines = 1000;
/** What they show is a diff. */
const changes = new Set<string>(["approval.risk-files", "approval.risk-instructions"]);

export function describeQuestion(question: Question, words: Words, style: Style): string[] {
  const isChange = question.kind === "approval" && changes.has(question.risk.code);
  const detail = reveal(question.detail.replaceAll("\r\n", "\n").trimEnd());
  const lines = detail === "" ? [] : detail.split("\n");
  const shown = lines.slice(0, mostDetailLines).map((line) => (isChange ? paintChange(line, style) : line));
  const hidden = lines.length - shown.length;
  return [
    style.warning(describeTitle(question, words)),
    ...shown.map((line) => `    ${line}`),
    ...(hidden > 0 ? [`    ${style.bad(words.approval.notShown(hidden))}`] : []),
    ...describeNotes(question, words).map((line) => style.quiet(line)),
  ];
}
