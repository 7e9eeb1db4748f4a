// Dream's first phase: a model reads what happened and says, a line each, what is worth keeping and what is stale. Its
// answer is read strictly, and what comes from untrusted sources may only become a marked line of MEMORY.md.
import { toPlainLine } from "../lib/text.ts";
import { stripThinking } from "../llm/think-tags.ts";
import type { Message, ModelReply, ModelSettings, Provider } from "../llm/types.ts";
import { isSkillName } from "../skills/manifest.ts";
import { readLabels } from "./dream-material.ts";
import type { HistoryEntry } from "./history-log.ts";

export const dreamFiles = { SOUL: "SOUL.md", USER: "USER.md", MEMORY: "memory/MEMORY.md" } as const;

export type DreamTarget = keyof typeof dreamFiles | "SKILL";

export interface Directive {
  target: DreamTarget;
  isRemoval: boolean;
  /** A fact, a reason, or `name: description` of a skill. */
  text: string;
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
}

export type Analysis = { directives: Directive[] } | { failure: DreamFailure };

export type DreamFailure = { reason: "model" | "unclear" | "unfinished" | "disk"; detail: string };

const longestDirective = 500;
const mostDirectives = 40;

/** What came from outside is looked at by itself, so that it cannot speak for anything else. */
export function toPasses(entries: readonly HistoryEntry[], isOwner: boolean): DreamPass[] {
  const isLabelled = ({ labels }: HistoryEntry) => readLabels(labels).length > 0;
  const own = isOwner ? (["USER", "SOUL", "MEMORY", "SKILL"] as const) : (["USER", "MEMORY"] as const);
  const passes: DreamPass[] = [
    { entries: entries.filter((entry) => !isLabelled(entry)), labels: [], targets: [...own] },
    {
      entries: entries.filter(isLabelled),
      labels: [...new Set(entries.flatMap(({ labels }) => readLabels(labels)))],
      targets: ["MEMORY"],
    },
  ];
  return passes.filter((pass) => pass.entries.length > 0);
}

export interface AnalysisRequest {
  model: DreamModel;
  messages: Message[];
  sessionKey: string;
  turnId: string;
  signal: AbortSignal;
}

/** Without tools: whatever the material says, nothing can be done here. */
export async function analyse(request: AnalysisRequest, pass: DreamPass): Promise<Analysis> {
  const { model, messages, sessionKey, turnId, signal } = request;
  const attribution = { cause: "dream" as const, sessionKey, turnId };
  for await (const event of model.provider.stream({ ...model.settings, messages, attribution }, signal))
    if (event.type === "reply-end") return judge(event.reply, pass);
  throw new Error("the provider ended its stream without a reply");
}

function judge({ message, stop, error }: ModelReply, pass: DreamPass): Analysis {
  if (error !== undefined) return { failure: { reason: "model", detail: error.message } };
  if (stop !== "stop") return { failure: { reason: "unfinished", detail: stop } };
  const text = stripThinking(message.content ?? "").text;
  const lines = text.split("\n").flatMap((line) => parseLine(line, pass) ?? []);
  if (lines.length === 0) return { failure: { reason: "unclear", detail: toPlainLine(text, 100) } };
  const directives = lines.flatMap((line) => (line === "skip" ? [] : (admit(line, pass) ?? [])));
  return { directives: directives.slice(0, mostDirectives) };
}

/** Undefined for what is none of the forms that were asked for. */
function parseLine(line: string, { entries, labels }: DreamPass): Directive | "skip" | undefined {
  const match = /^\s*(?:[-*]\s+)?\[(?:(SKIP)|(USER|SOUL|MEMORY)(-REMOVE)?|(SKILL))\]\s*(.*)$/.exec(line);
  if (match === null) return undefined;
  const [, skip, file, removal, skill, rest = ""] = match;
  if (skip !== undefined) return "skip";
  const [, said = "", cited = ""] = /^(.*?)\s*(?:\((#\d+(?:,\s*#\d+)*)\))?\s*$/.exec(rest) ?? [];
  const text = toPlainLine(said, longestDirective);
  if (text === "") return undefined;
  const [, name = ""] = /^([^\s:]+): \S/.exec(text) ?? [];
  if (skill !== undefined && !isSkillName(name)) return undefined;
  const known = entries.map(({ cursor }) => cursor);
  const cursors = (cited.match(/\d+/g) ?? []).map(Number).filter((cursor) => known.includes(cursor));
  return {
    target: (file ?? skill) as DreamTarget,
    isRemoval: removal !== undefined,
    text,
    cursors: cursors.length === 0 ? known : cursors,
    labels,
  };
}

function admit(directive: Directive, { targets, labels }: DreamPass): Directive | undefined {
  if (targets.includes(directive.target) && !(directive.isRemoval && labels.length > 0)) return directive;
  // A fact about the user that stood beside a stranger's words is worth keeping, but not as the user's own.
  const isMarkable = directive.target === "USER" && !directive.isRemoval && labels.length > 0;
  return isMarkable ? { ...directive, target: "MEMORY" } : undefined;
}

export function describeDirective({ target, isRemoval, text }: Directive): string {
  return `[${target}${isRemoval ? "-REMOVE" : ""}] ${text}`;
}
