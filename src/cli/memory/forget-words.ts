// `nanobot memory forget`: shows everything that holds the words, asks, and takes it out of memory and recall.

import type { Words } from "../../i18n/words.ts";
import { nanobot } from "../../lib/program-command.ts";
import { toPlainLine } from "../../lib/text.ts";
import { describeFound } from "../../recall/describe-found.ts";
import type { Forgettable } from "../../recall/forget.ts";
import type { MatchedEntry } from "../../recall/recall.ts";
import { CommandFailure } from "../command-failure.ts";
import { renderReport } from "../draw/markdown.ts";
import { confirm } from "../skills/confirm.ts";
import { tell } from "../tell.ts";
import type { MemoryRequest } from "./open-memory.ts";

const mostShown = 20;
const longestShown = 300;

export async function forgetWords(request: MemoryRequest): Promise<number> {
  const { trail, text, options, context } = request;
  const { words, stdout, isInteractive } = context.terminal;
  const found = await trail.findForgettable(text);
  const { lines, messages, summaries } = found;
  if (lines.length + messages.length + summaries.length === 0)
    return tell(request, report(found), words.memory.forget.nothing);
  if (options.json !== true) stdout.write(await renderReport(describe(found, words), context.terminal));
  if (!isInteractive && options.yes !== true) throw new CommandFailure(words.memory.forget.needsYes);
  const question = { text: words.memory.forget.ask, isAnswered: options.yes === true };
  if (!(await confirm(question, context))) throw new CommandFailure(words.memory.forget.refused);
  const version = await trail.forget(found, text);
  const told = [words.memory.forget.done(lines.length, messages.length + summaries.length)];
  if (version !== undefined) told.push(words.memory.forget.undo(`${nanobot} memory restore ${version.id}`));
  return tell(request, report(found, version?.id), told.join("\n"));
}

function report({ lines, messages, summaries }: Forgettable, version?: string): Record<string, unknown> {
  const toReference = ({ reference, name, at }: MatchedEntry) => ({ reference, name, at });
  return {
    lines,
    messages: messages.map(toReference),
    summaries: summaries.map(toReference),
    version: version ?? null,
  };
}

function describe({ lines, messages, summaries }: Forgettable, words: Words): string {
  const { forget } = words.memory;
  const shownLines = lines.map(
    ({ file, number, line }) => `- ${file}:${number}: ${toPlainLine(line, longestShown)}`,
  );
  return [
    ...block(forget.lines(lines.length), shownLines, words),
    ...block(
      forget.messages(messages.length),
      messages.map((one) => quote(one, words)),
      words,
    ),
    ...block(
      forget.summaries(summaries.length),
      summaries.map((one) => quote(one, words)),
      words,
    ),
  ].join("\n");
}

function block(heading: string, rows: string[], { memory }: Words): string[] {
  if (rows.length === 0) return [];
  const more = rows.length > mostShown ? [`- ${memory.forget.more(rows.length - mostShown)}`] : [];
  return [heading, "", ...rows.slice(0, mostShown), ...more, ""];
}

function quote(entry: MatchedEntry, words: Words): string {
  return describeFound(
    { hits: [{ ...entry, text: toPlainLine(entry.text, longestShown) }], sessions: [] },
    words,
  );
}
