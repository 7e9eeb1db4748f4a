// `nanobot memory forget`: shows everything that holds the words, asks, and takes it out of memory and recall.
import type { Client } from "../api/client.ts";
import { describeFound } from "../api/memory/describe-memory.ts";
import type { ForgetPreview, Forgotten, MemoryPlace } from "../api/memory/memory.ts";
import type { Words } from "../i18n/words.ts";
import { nanobot } from "../lib/program-command.ts";
import { toPlainLine } from "../lib/text.ts";
import { CommandFailure } from "./command-failure.ts";
import type { MemoryOptions } from "./command-line.ts";
import { renderReport } from "./draw/markdown.ts";
import { confirm } from "./skills/confirm.ts";
import { tell } from "./tell.ts";
import type { CommandContext } from "./terminal.ts";

/** What every action about memory is given. */
export interface MemoryRequest {
  client: Client;
  /** What stands behind the action. */
  text: string;
  options: MemoryOptions;
  context: CommandContext;
}

const mostShown = 20;
const longestShown = 300;

export async function forgetWords(request: MemoryRequest): Promise<number> {
  const { client, text, options, context } = request;
  const { words, stdout, isInteractive } = context.terminal;
  const preview = await client.call("memory.preview", { words: text });
  const { lines, messages, summaries } = preview.counts;
  if (lines + messages + summaries === 0)
    return tell(request, report({ lines: [], messages: [], summaries: [] }), words.memory.forget.nothing);
  if (options.json !== true) stdout.write(await renderReport(describe(preview, words), context.terminal));
  if (!isInteractive && options.yes !== true) throw new CommandFailure(words.memory.forget.needsYes);
  const question = { text: words.memory.forget.ask, isAnswered: options.yes === true };
  if (!(await confirm(question, context))) throw new CommandFailure(words.memory.forget.refused);
  const forgotten = await client.call("memory.forget", { words: text, digest: preview.digest });
  const { version } = forgotten;
  const told = [words.memory.forget.done(lines, messages + summaries)];
  if (version !== undefined) told.push(words.memory.forget.undo(`${nanobot} memory restore ${version.id}`));
  return tell(request, report(forgotten), told.join("\n"));
}

function report({ version, ...forgotten }: Forgotten): Record<string, unknown> {
  return { ...forgotten, version: version?.id ?? null };
}

function describe({ lines, messages, summaries, counts }: ForgetPreview, words: Words): string {
  const { forget } = words.memory;
  const shownLines = lines.map(
    ({ file, number, line }) => `- ${file}:${number}: ${toPlainLine(line, longestShown)}`,
  );
  const quote = (place: MemoryPlace) =>
    describeFound([{ ...place, text: toPlainLine(place.text, longestShown) }], words);
  const block = (heading: (count: number) => string, rows: string[], count: number): string[] => {
    if (count === 0) return [];
    const more = count > mostShown ? [`- ${forget.more(count - mostShown)}`] : [];
    return [heading(count), "", ...rows.slice(0, mostShown), ...more, ""];
  };
  return [
    ...block(forget.lines, shownLines, counts.lines),
    ...block(forget.messages, messages.map(quote), counts.messages),
    ...block(forget.summaries, summaries.map(quote), counts.summaries),
  ].join("\n");
}
