// What `/context` and `nanobot context` tell: the next request as Markdown tables, and how it differs from the last.
import type { NamedChange } from "../context/comparison.ts";
import type { ContextRow, Inspection } from "../context/inspection.ts";
import { toLocalIso } from "../lib/clock.ts";
import { toOneLine } from "../lib/text.ts";
import type { Words } from "../lib/words.ts";

type ContextWords = Words["context"];

const longestCell = 40;

export function describeContext(inspection: Inspection, { context: words }: Words): string {
  const { rows, epoch } = inspection;
  const shortHash = epoch.hash.slice(0, 8);
  const name = epoch.reason === undefined ? shortHash : words.newEpochShort(shortHash);
  const layers = rows.filter(({ kind }) => kind === "layer" || kind === "part");
  const tools = rows.filter(({ kind }) => kind === "tool");
  const said = rows.filter(({ kind }) => kind === "history" || kind === "message");
  return [
    describeHead(inspection, words),
    drawTable([words.layer, ...words.figures, words.source, words.epoch], layers, (row) => [
      describeSource(row, words),
      name,
    ]),
    drawTable([words.tool, ...words.figures, words.source], tools, (row) => [row.source]),
    drawTable(
      [words.conversation, ...words.figures],
      said.map((row) => withName(row, words)),
      () => [],
    ),
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

function describeHead(inspection: Inspection, words: ContextWords): string {
  const { session, model, tokens, budget, window, epoch, rows, correction } = inspection;
  const cached = sum(rows.filter((row) => row.cached && row.kind !== "part"));
  return [
    words.request(session, model),
    words.size(format(tokens), format(budget), format(window)),
    correction === 1 ? words.estimated : words.corrected(correction.toFixed(2)),
    epoch.reason === undefined
      ? words.epochSince(epoch.hash.slice(0, 8), toTime(epoch.startedAt))
      : words.newEpoch(words.reasons[epoch.reason]),
    words.cached(format(cached)),
  ].join("\n");
}

export function describeContextDiff({ diff, epoch, rows }: Inspection, { context: words }: Words): string {
  const { last, notes, system } = diff;
  if (last === undefined) return words.nothingSent;
  const isNew = epoch.reason !== undefined;
  const fate = isNew ? words.merged : words.announced;
  const changes = [
    ...diff.files.map((change) => describeChange(change, words)),
    ...diff.tools.map((change) => describeChange(change, words, words.tool)),
  ].map((line) => `- ${line}`);
  return [
    words.lastRequest(toTime(last.at), last.model, last.epoch.slice(0, 8)),
    changes.length === 0 ? words.noChanges : [fate, ...changes].join("\n"),
    describeBreak(diff.break, words),
    words.tail(format(sum(rows.filter(({ cached, kind }) => !cached && kind !== "part")))),
    isNew || notes.length === 0 ? "" : `${words.told}\n${fence(notes.join("\n"))}`,
    system === undefined ? "" : `${words.systemDiff}\n${fence(system, "diff")}`,
  ]
    .filter((block) => block !== "")
    .join("\n\n");
}

function describeBreak(found: Inspection["diff"]["break"], words: ContextWords): string {
  if (found === undefined) return words.holds;
  const { place, why, layer = "", line = 0, messages = 0 } = found;
  const where = {
    start: words.places.start,
    tools: words.places.tools,
    system: words.places.system(layer, line),
    history: words.places.history(messages),
    nowhere: words.places.nowhere,
  }[place];
  return words.breaks(where, words.reasons[why]);
}

function describeChange({ name, change }: NamedChange, words: ContextWords, kind = ""): string {
  const what = kind === "" ? name : `${kind} ${name}`;
  return words.changes[change](what);
}

/** A layer of several files names them in the rows below it. */
function describeSource({ kind, source }: ContextRow, words: ContextWords): string {
  if (kind === "part") return "";
  const count = source.split(", ").length;
  return count > 1 ? words.files(count) : source;
}

function withName(row: ContextRow, words: ContextWords): ContextRow {
  const count = row.messages ?? 0;
  const names: Record<string, string> = {
    sent: words.sentBefore(count),
    unsent: words.notYetSent(count),
    text: words.nextMessage,
    runtime: words.runtimeContext,
  };
  return { ...row, name: names[row.name] ?? row.name };
}

function drawTable(head: string[], rows: ContextRow[], more: (row: ContextRow) => string[]): string {
  if (rows.length === 0) return "";
  const body = rows.map((row) => [
    `${row.kind === "part" ? "· " : ""}${row.name}`,
    format(row.tokens),
    format(row.characters),
    ...more(row),
  ]);
  const rule = head.map((_, index) => (index === 1 || index === 2 ? "--:" : "---"));
  return [head, rule, ...body].map((cells) => `| ${cells.map(toCell).join(" | ")} |`).join("\n");
}

/** Names come from files and servers. */
function toCell(text: string): string {
  return toOneLine(text, longestCell).replaceAll("|", "\\|");
}

/** Longer than any fence in the text. */
function fence(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

function sum(rows: ContextRow[]): number {
  return rows.reduce((total, { tokens }) => total + tokens, 0);
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

/** `2026-11-15 09:30` */
function toTime(ms = 0): string {
  return toLocalIso(ms).slice(0, 16).replace("T", " ");
}
