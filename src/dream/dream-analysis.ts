// Dream's first phase: a model reads what happened and says, a line each, what is worth keeping and what is stale. Its
// answer is read strictly, and what comes from untrusted sources may only become a marked line of MEMORY.md.
import type { Phrase } from "../i18n/phrase.ts";
import type { Ids } from "../lib/ids.ts";
import { takeHead, toPlainLine } from "../lib/text.ts";
import { toPhrase } from "../llm/provider-error.ts";
import { stripThinking } from "../llm/think-tags.ts";
import type { Message, ModelReply, ModelSettings, Provider } from "../llm/types.ts";
import { isSkillName } from "../skills/manifest.ts";
import type { HistoryEntry } from "../storage/documents/history-log.ts";
import { readLabels } from "./dream-material.ts";

export const dreamFiles = { SOUL: "SOUL.md", USER: "USER.md", MEMORY: "memory/MEMORY.md" } as const;

export type DreamTarget = keyof typeof dreamFiles | "SKILL";

export interface Directive {
  /** As the second phase reads it: `[USER] has a cat named Luna`. */
  line: string;
  /** A fact, a reason, or `name: description` of a skill. */
  text: string;
  /** The name of a skill to be written. */
  skill?: string;
  /** The entries that it rests on. */
  cursors: number[];
  labels: string[];
}

/** Entries of one degree of trust, and what they may change. */
export interface DreamPass {
  entries: HistoryEntry[];
  labels: string[];
  targets: DreamTarget[];
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

/** What came from outside is looked at by itself, so that it cannot speak for anything else. */
export function toPasses(entries: readonly HistoryEntry[], isOwner: boolean): DreamPass[] {
  const isLabelled = ({ labels }: HistoryEntry) => readLabels(labels).length > 0;
  const [outside, own] = [entries.filter(isLabelled), entries.filter((entry) => !isLabelled(entry))];
  const labels = [...new Set(outside.flatMap((entry) => readLabels(entry.labels)))];
  const passes: DreamPass[] = [
    { entries: own, labels: [], targets: isOwner ? ["USER", "SOUL", "MEMORY", "SKILL"] : ["USER", "MEMORY"] },
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
  /^\s*(?:[-*]\s+)?\[(?:SKIP|(USER|SOUL|MEMORY|SKILL)(-REMOVE)?)\]\s*(.*?)\s*(?:\((#\d+(?:,\s*#\d+)*)\))?\s*$/;

/** "nothing" for what may not be done; undefined for what is none of the forms that were asked for. */
function parseLine(line: string, { entries, labels, targets }: DreamPass): Directive | "nothing" | undefined {
  const match = form.exec(line);
  if (match === null) return undefined;
  const [, named, removal = "", said = "", cited = ""] = match;
  const isOutside = labels.length > 0;
  // A fact about the user that stood beside a stranger's words is kept, but not as the user's own.
  const target = (isOutside && named === "USER" ? "MEMORY" : named) as DreamTarget;
  const text = toPlainLine(said, longestDirective);
  const skill = /^([^\s:]+): \S/.exec(text)?.[1] ?? "";
  const isSkill = target === "SKILL";
  const isAllowed = isSkill ? removal === "" && isSkillName(skill) : removal === "" || !isOutside;
  if (!targets.includes(target) || text === "" || !isAllowed) return "nothing";
  const known = entries.map(({ cursor }) => cursor);
  const meant = (cited.match(/\d+/g) ?? []).map(Number).filter((cursor) => known.includes(cursor));
  const cursors = meant.length === 0 ? known : meant;
  return { line: `[${target}${removal}] ${text}`, text, cursors, labels, ...(isSkill && { skill }) };
}
