// Dream's first phase: a model reads what happened and says, a line each, what is worth keeping and what is stale. Its
// answer is read strictly, and what comes from untrusted sources may only become a marked line of MEMORY.md.
import type { Phrase } from "../i18n/phrase.ts";
import type { Ids } from "../lib/ids.ts";
import { cutMiddle, isBlank, takeHead, toPlainLine } from "../lib/text.ts";
import { toPhrase } from "../llm/errors/provider-error.ts";
import type { Message, ModelReply, ModelSettings, Provider } from "../llm/types.ts";
import { stripThinking } from "../llm/wire/think-tags.ts";
import { isSkillName } from "../skills/manifest.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";

export const dreamFiles = { SOUL: "SOUL.md", USER: "USER.md", MEMORY: "memory/MEMORY.md" } as const;

type DreamTarget = keyof typeof dreamFiles | "SKILL";

export interface Directive {
  /** As the second phase reads it: `[USER] has a cat named Luna`. */
  line: string;
  /** A fact, a reason, or `name: description` of a skill. */
  text: string;
  target: DreamTarget;
  /** It says that something is stale. */
  isRemoval: boolean;
  /** The name of a skill to be written. */
  skill?: string;
  /** The name of a skill of the assistant's own to be changed. */
  revises?: string;
  /** The entries that it rests on. */
  cursors: number[];
  labels: string[];
}

/** Entries of one degree of trust, and what they may change. */
export interface DreamPass {
  entries: HistoryEntry[];
  labels: string[];
  targets: DreamTarget[];
  /** Names of skills that it may propose to change. */
  revisable?: readonly string[];
}

export interface DreamModel {
  provider: Provider;
  settings: ModelSettings;
  contextWindow: number;
}

/** Who is asked, and in whose name. */
export interface DreamVoice {
  model: DreamModel;
  sessionKey: string;
  ids: Ids;
  signal: AbortSignal;
}

export type DreamFailure =
  | { reason: "model" | "disk"; phrase: Phrase }
  | { reason: "unclear" | "unfinished"; detail: string };

export type Analysis = { directives: Directive[] } | { failure: DreamFailure };

const longestLine = 1_000;
const longestDirective = 500;
const mostDirectives = 40;

/** What came from outside is looked at on its own, so that it cannot speak for anything else. */
export function toPasses(
  entries: readonly HistoryEntry[],
  isOwner: boolean,
  revisable: readonly string[] = [],
): DreamPass[] {
  const isLabelled = ({ labels }: HistoryEntry) => readLabels(labels).length > 0;
  const [outside, own] = [entries.filter(isLabelled), entries.filter((entry) => !isLabelled(entry))];
  const labels = [...new Set(outside.flatMap((entry) => readLabels(entry.labels)))];
  const passes: DreamPass[] = [
    {
      entries: own,
      labels: [],
      targets: isOwner ? ["USER", "SOUL", "MEMORY", "SKILL"] : ["USER", "MEMORY"],
      revisable: isOwner ? revisable : [],
    },
    { entries: outside, labels, targets: ["MEMORY"] },
  ];
  return passes.filter((pass) => pass.entries.length > 0);
}

/** Without tools: whatever the material says, nothing can be done here. */
export async function analyse(voice: DreamVoice, prompt: Message[], pass: DreamPass): Promise<Analysis> {
  const { model, sessionKey, ids, signal } = voice;
  const attribution = { cause: "dream" as const, sessionKey, turnId: ids.next() };
  const request = { ...model.settings, messages: prompt, attribution };
  for await (const event of model.provider.stream(request, signal))
    if (event.type === "reply-end") return judge(event.reply, pass);
  throw new Error("the provider ended its stream without a reply");
}

function judge({ message, stop, error }: ModelReply, pass: DreamPass): Analysis {
  if (error !== undefined) return { failure: { reason: "model", phrase: toPhrase(error) } };
  if (stop !== "stop") return { failure: { reason: "unfinished", detail: stop } };
  const text = stripThinking(message.content ?? "").text;
  const lines = text.split("\n").flatMap((line) => parseLine(takeHead(line, longestLine), pass) ?? []);
  if (lines.length === 0) return { failure: { reason: "unclear", detail: toPlainLine(text, 100) } };
  return { directives: lines.filter((line) => line !== "nothing").slice(0, mostDirectives) };
}

const form =
  /^\s*(?:[-*]\s+)?\[(?:SKIP|(USER|SOUL|MEMORY|SKILL)(-REMOVE|-REVISE)?)\]\s*(.*?)\s*(?:\((#\d+(?:,\s*#\d+)*)\))?\s*$/;

/** "nothing" for what may not be done; undefined if it is not one of the forms that were asked for. */
function parseLine(
  line: string,
  { entries, labels, targets, revisable = [] }: DreamPass,
): Directive | "nothing" | undefined {
  const match = form.exec(line);
  if (match === null) return undefined;
  const [, named, kind = "", said = "", cited = ""] = match;
  const isOutside = labels.length > 0;
  // A fact about the user from an entry with untrusted words is kept, but not as the user's own.
  const target = (isOutside && named === "USER" ? "MEMORY" : named) as DreamTarget;
  const text = toPlainLine(said, longestDirective);
  const skill = /^([^\s:]+): \S/.exec(text)?.[1] ?? "";
  const isSkill = target === "SKILL";
  const isRevision = kind === "-REVISE";
  const isAllowed = isRevision
    ? isSkill && revisable.includes(skill)
    : isSkill
      ? kind === "" && isSkillName(skill)
      : kind === "" || !isOutside;
  if (!targets.includes(target) || text === "" || !isAllowed) return "nothing";
  const known = entries.map(({ cursor }) => cursor);
  const meant = (cited.match(/\d+/g) ?? []).map(Number).filter((cursor) => known.includes(cursor));
  const cursors = meant.length === 0 ? known : meant;
  const shown = `[${target}${kind}] ${text}`;
  const directive = { line: shown, text, target, isRemoval: kind === "-REMOVE", cursors, labels };
  return { ...directive, ...(isSkill && (isRevision ? { revises: skill } : { skill })) };
}

interface MaterialPart {
  name: string;
  text: string;
}

const longestEntry = 1_000;
const longestLabel = 60;
const dayMs = 24 * 60 * 60 * 1000;
const oldDays = 14;

/** Whatever is in a part, it cannot end it: the code is made when the text is already there. */
export function frame(code: string, head: readonly string[], parts: readonly MaterialPart[]): string {
  const framed = parts.map(({ name, text }) => `=== ${code} ${name}\n${text}\n`);
  return [`Code: ${code}`, ...head, ...framed, `=== ${code} end`].join("\n");
}

export function showEntry({ cursor, timestamp, content, labels }: HistoryEntry): string {
  const sources = readLabels(labels);
  const from = sources.length === 0 ? "" : ` (source: ${sources.join(", ")})`;
  // Indented, so that no text looks like the next entry.
  const text = cutMiddle(content, longestEntry).replaceAll("\n", "\n  ");
  return `#${cursor} [${toPlainLine(timestamp, 20)}]${from} ${text}`;
}

/** As a file holds them, where others write too: what looks odd still counts as a source. */
function readLabels(labels: unknown): string[] {
  const given = [labels ?? []].flat().map((label) => toPlainLine(String(label), longestLabel));
  return given.filter((label) => label !== "");
}

interface LineDates {
  now: number;
  /** When a line was last written or confirmed. */
  dates: ReadonlyMap<string, number>;
  /** For lines that nothing is known of. */
  otherwise: number;
}

/** Without dates as it stands, so that passages of it can be replaced. */
export function showFile(text: string, limit: number, known?: LineDates): string {
  if (isBlank(text)) return "(empty)";
  const lines = text.trim().split("\n");
  const shown = known === undefined ? lines : lines.map((line) => line + showAge(line, known));
  return cutMiddle(shown.join("\n"), limit);
}

function showAge(line: string, { now, dates, otherwise }: LineDates): string {
  const days = Math.floor((now - (dates.get(line) ?? otherwise)) / dayMs);
  return days < oldDays || isBlank(line) || line.startsWith("#") ? "" : `  <- ${days} days old`;
}
