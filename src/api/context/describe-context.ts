// What `/context` and `nanobot context` show: the next request as Markdown tables, and how it differs from the last.
import type { Words } from "../../i18n/words.ts";
import { toLocalIso } from "../../lib/clock.ts";
import { toOneLine } from "../../lib/text.ts";
import type { ContextRow, ContextView } from "./context.ts";

type ContextWords = Words["context"];

const longestCell = 40;
/** Of one layer: with hundreds of skills a table is no help. */
const mostParts = 25;

export function describeContext({ rows, ...facts }: ContextView, { context: words }: Words): string {
  const { session, model, tokens, budget, window, correction, epoch } = facts;
  const hash = epoch.hash.slice(0, 8);
  const isNew = epoch.reason !== undefined;
  const cached = rows.filter((row) => row.cached && row.kind !== "part");
  const head = [
    words.request(session, model),
    words.size(format(tokens), format(budget), format(window)),
    correction === 1 ? "" : words.corrected(correction.toFixed(2)),
    epoch.reason === undefined
      ? words.epochSince(hash, toTime(epoch.startedAt ?? 0))
      : words.newEpoch(words.reasons[epoch.reason]),
    words.cached(format(sumTokens(cached))),
  ];
  return joinBlocks([
    head.filter((line) => line !== "").join("\n"),
    drawTable(words.layerHead, takeLayers(rows), (row) => [
      ...toCells(row, row.name),
      row.kind === "part" ? "" : describeSource(row, words),
      isNew ? words.newHash(hash) : hash,
    ]),
    drawTable(words.toolHead, ofKind(rows, "tool"), (row) => [...toCells(row, row.name), row.source]),
    drawTable(words.saidHead, [...ofKind(rows, "history"), ...ofKind(rows, "message")], (row) =>
      toCells(row, describeSaid(row, words)),
    ),
  ]);
}

export function describeContextDiff({ diff, epoch, rows }: ContextView, { context: words }: Words): string {
  const { last, files, tools, notes, system } = diff;
  if (last === undefined) return words.nothingSent;
  const isNew = epoch.reason !== undefined;
  const changes = [...files, ...tools].map(({ name, change }) => `- ${name}: ${words.changes[change]}`);
  const news = rows.filter(({ cached, kind }) => !cached && kind !== "part");
  return joinBlocks([
    words.lastRequest(toTime(last.at), last.model, last.epoch.slice(0, 8)),
    changes.length === 0 ? words.noChanges : [isNew ? words.merged : words.announced, ...changes].join("\n"),
    `${describeBreak(diff.break, words)} ${words.tail(format(sumTokens(news)))}`,
    isNew || notes.length === 0 ? "" : `${words.told}\n${fence(notes.join("\n"))}`,
    system === undefined ? "" : `${words.systemDiff}\n${fence(system, "diff")}`,
  ]);
}

function describeBreak(found: ContextView["diff"]["break"], words: ContextWords): string {
  if (found === undefined) return words.holds;
  const { place, why, layer = "", line = 0, messages = 0 } = found;
  const { places, reasons, breaks } = words;
  const where = { ...places, system: places.system(layer, line), history: places.history(messages) }[place];
  return breaks(where, reasons[why]);
}

function takeLayers(rows: ContextRow[]): ContextRow[] {
  let parts = 0;
  return rows.filter(({ kind }) => {
    parts = kind === "part" ? parts + 1 : 0;
    return (kind === "layer" || kind === "part") && parts <= mostParts;
  });
}

function ofKind(rows: ContextRow[], kind: ContextRow["kind"]): ContextRow[] {
  return rows.filter((row) => row.kind === kind);
}

function describeSaid({ name, messages = 0 }: ContextRow, { said }: ContextWords): string {
  const phrase = said[name as keyof typeof said];
  return typeof phrase === "function" ? phrase(messages) : phrase;
}

/** A layer of several files names them in the rows below it. */
function describeSource({ source }: ContextRow, words: ContextWords): string {
  const count = source.split(", ").length;
  return count > 1 ? words.files(count) : source;
}

function toCells({ kind, tokens, characters }: ContextRow, name: string): string[] {
  return [`${kind === "part" ? "· " : ""}${name}`, format(tokens), format(characters)];
}

function drawTable(head: string[], rows: ContextRow[], draw: (row: ContextRow) => string[]): string {
  if (rows.length === 0) return "";
  const rule = head.map((_, index) => (index === 1 || index === 2 ? "--:" : "---"));
  // Names come from files and servers.
  const toCell = (text: string) => toOneLine(text, longestCell).replaceAll("|", "\\|");
  return [head, rule, ...rows.map(draw)].map((cells) => `| ${cells.map(toCell).join(" | ")} |`).join("\n");
}

/** Longer than any fence in the text. */
function fence(text: string, language = ""): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  const mark = "`".repeat(longest + 1);
  return `${mark}${language}\n${text}\n${mark}`;
}

function joinBlocks(blocks: string[]): string {
  return blocks.filter((block) => block !== "").join("\n\n");
}

function sumTokens(rows: ContextRow[]): number {
  return rows.reduce((total, { tokens }) => total + tokens, 0);
}

function format(count: number): string {
  return count.toLocaleString("en-US");
}

/** `2026-11-15 09:30` */
function toTime(ms: number): string {
  return toLocalIso(ms).slice(0, 16).replace("T", " ");
}
