// `nanobot memory`: what was ever said and written here, found by words; where a line of memory came from, what was
// changed in it, and the ways back. Needs no model, except to dream.
import type { Client } from "../../api/client.ts";
import {
  describeChange,
  describeDream,
  describeExplanation,
  describeFound,
  describeVersions,
} from "../../api/memory/describe-memory.ts";
import type { ForgetPreview, Forgotten, MemoryPlace } from "../../api/memory/memory.ts";
import type { MemoryFile } from "../../api/memory/person-memory.ts";
import type { Words } from "../../i18n/words.ts";
import { nanobot } from "../../lib/program-command.ts";
import { toPlainLine } from "../../lib/text.ts";
import { longestQuery } from "../../recall/recall.ts";
import type { MemoryOptions } from "../command-line/options.ts";
import { renderReport } from "../draw/markdown.ts";
import { reportWithClient } from "../open-client.ts";
import { confirm } from "../terminal/confirm.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Report } from "../terminal/report.ts";
import type { CommandContext } from "../terminal/terminal.ts";

const restoreCommand = `${nanobot} memory restore`;

export function runMemory(options: MemoryOptions, context: CommandContext): Promise<number> {
  const { action } = options;
  const { memory } = context.terminal.words;
  const text = options.words.join(" ").trim().slice(0, longestQuery);
  const needsWords = action === "search" || action === "why" || action === "forget";
  if (needsWords && text === "")
    throw new CommandFailure(memory.needsWords(`${nanobot} memory ${action}`), 2);
  if (action === "restore" && text === "")
    throw new CommandFailure(memory.versions.needsId(restoreCommand), 2);
  return reportWithClient(options, context, ({ client }) => act({ client, text, options, context }));
}

async function act(request: MemoryRequest): Promise<Report> {
  const { client, text, options, context } = request;
  const { words } = context.terminal;
  switch (options.action) {
    case "show":
      return showFiles(request);
    case "search": {
      const results = await client.call("memory.search", { query: text }, { signal: context.signal });
      return { json: results, markdown: describeFound(results.hits, words) };
    }
    case "why": {
      const explanation = await client.call("memory.why", { text });
      return { json: explanation, markdown: describeExplanation(explanation, words) };
    }
    case "log": {
      const { versions } = await client.call("memory.log", {});
      return { json: versions, markdown: describeVersions(versions, words, restoreCommand) };
    }
    case "diff":
      return showChange(request);
    case "restore": {
      const version = await client.call("memory.restore", { id: text });
      const { restored } = words.memory.versions;
      const markdown = restored(text, version.summary, `${restoreCommand} ${version.id}`);
      return { json: version, markdown };
    }
    case "forget":
      return forgetWords(request);
    case "dream": {
      const { reasons: _, ...outcome } = await client.call("memory.dream", {}, { signal: context.signal });
      const code = ["failed", "refused", "no-model"].includes(outcome.kind) ? 1 : 0;
      return { json: outcome, markdown: describeDream(outcome, words), code };
    }
  }
}

/** What is known about the person, or the files whose names hold the words. */
async function showFiles({ client, text, context }: MemoryRequest): Promise<Report> {
  const { files } = await client.call("memory.files", {});
  const isWanted = ({ path, kind }: MemoryFile) =>
    text === "" ? kind === "memory" : path.toLowerCase().includes(text.toLowerCase());
  const shown = await Promise.all(
    files.filter(isWanted).map(({ path }) => client.call("memory.read", { path })),
  );
  const sections = shown.map(({ path, text: content }) => `**${path}**\n\n${content.trim()}\n`);
  const none = context.terminal.words.memory.noFile(files.map(({ path }) => path).join(", "));
  return {
    json: shown.map(({ path, text: content }) => ({ path, text: content })),
    markdown: sections.join("\n") || none,
  };
}

/** Without an id, of the newest version. */
async function showChange(request: MemoryRequest): Promise<Report> {
  const { client, text } = request;
  const { words } = request.context.terminal;
  const { versions } = await client.call("memory.log", { most: 1 });
  const id = text === "" ? versions[0]?.id : text;
  if (id === undefined) return { json: null, markdown: words.memory.versions.none };
  const change = await client.call("memory.change", { id });
  return { json: change, markdown: describeChange(change.version, change.files, words) };
}

interface MemoryRequest {
  client: Client;
  /** What was typed after the action. */
  text: string;
  options: MemoryOptions;
  context: CommandContext;
}

const mostShown = 20;
const longestShown = 300;

/** Shows everything that holds the words, asks, and takes it out of memory and recall. */
async function forgetWords({ client, text, options, context }: MemoryRequest): Promise<Report> {
  const { words, stdout, isInteractive } = context.terminal;
  const preview = await client.call("memory.preview", { words: text });
  const { lines, messages, summaries } = preview.counts;
  if (lines + messages + summaries === 0)
    return {
      json: toPrinted({ lines: [], messages: [], summaries: [] }),
      markdown: words.memory.forget.nothing,
    };
  if (options.json !== true)
    stdout.write(await renderReport(describePreview(preview, words), context.terminal));
  if (!isInteractive && options.yes !== true) throw new CommandFailure(words.memory.forget.needsYes);
  const question = { text: words.memory.forget.ask, isAnswered: options.yes === true };
  if (!(await confirm(question, context))) throw new CommandFailure(words.memory.forget.refused);
  const forgotten = await client.call("memory.forget", { words: text, digest: preview.digest });
  const { version } = forgotten;
  const sentences = [words.memory.forget.done(lines, messages + summaries)];
  if (version !== undefined) sentences.push(words.memory.forget.undo(`${restoreCommand} ${version.id}`));
  return { json: toPrinted(forgotten), markdown: sentences.join("\n") };
}

function toPrinted({ version, ...forgotten }: Forgotten): Record<string, unknown> {
  return { ...forgotten, version: version?.id ?? null };
}

function describePreview({ lines, messages, summaries, counts }: ForgetPreview, words: Words): string {
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
