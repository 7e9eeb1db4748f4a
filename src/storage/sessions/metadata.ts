// Metadata of a session: one row a key, with its type, the module that writes it, and what
// becomes of it in a branch or after an undo. Keys of other programs are kept as they are and mean nothing here.
import { isRecord } from "../../lib/is-record.ts";
import { isScope, ownerScope, type Scope } from "../scope.ts";
import { readVersions, type Switch, switchVersions, withVersion } from "./versions.ts";

/** The stretch of a session in which system text and tool list are frozen (context/epoch.ts). */
export interface EpochRecord {
  /** Names the stored prefix. */
  hash: string;
  /** Host and model that it was begun for. */
  model: string;
  startedAt: number;
  /** Position in the session of the first message that is sent. */
  from: number;
  /** Calls of a turn that outgrew the window: their results are no longer sent. */
  leftOut?: string[];
  /** Tokens of the longest message that is sent whole; of longer ones beginning and end. */
  longest?: number;
  /** Versions of prompt files, and of the tool list, that the model has seen. */
  seen: Record<string, string>;
}

/** What a host has counted for a request, with our estimate of that request. */
export interface TokenCount {
  /** Host and model that counted. */
  model: string;
  tokens: number;
  estimate: number;
}

/** Of the last turn, named as in the Python original. */
export interface LastUsage {
  prompt_tokens?: number;
  completion_tokens?: number;
  cached_tokens?: number;
  context_tokens?: number;
}

export interface LastSummary {
  text: string;
  last_active?: string;
  labels?: string[];
  /** What the text is made of, oldest first: summaries of stretches of the conversation, old ones merged. */
  parts?: readonly SummaryPart[];
}

export interface SummaryPart {
  /** Time of its first message, as its line says it; "" where that is not known. */
  since: string;
  messages: number;
  text: string;
}

/** Of the session of a subagent. */
export interface SubagentLink {
  /** Key of the session that gets the result. */
  parent: string;
  label: string;
}

interface MetadataKey<Value> {
  /** The module that writes it. */
  owner: string;
  /** Whether a branch has it. Rights are never inherited. */
  inherits: boolean;
  /** Whether its present value stays when an older state comes back, by an undo or as a branch. */
  keptOnUndo: boolean;
  /** Undefined if it is not a value of this key. */
  read(value: unknown): Value | undefined;
}

const ofConversation = { owner: "api/chat", inherits: false, keptOnUndo: true };
const ofPython = { owner: "the Python original", inherits: true, keptOnUndo: false };

const keys = {
  scope: { owner: "storage/sessions", inherits: true, keptOnUndo: true, read: readScopeValue },
  epoch: { owner: "context", inherits: true, keptOnUndo: false, read: readEpoch },
  counted: { owner: "agent", inherits: true, keptOnUndo: false, read: readTokenCount },
  _last_usage: { owner: "agent", inherits: true, keptOnUndo: false, read: readLastUsage },
  _last_summary: { owner: "memory", inherits: true, keptOnUndo: false, read: readLastSummary },
  /** The last message that has a line in the notes of its day. */
  noted: { owner: "memory", inherits: true, keptOnUndo: true, read: readText },
  forgotten: { owner: "recall", inherits: true, keptOnUndo: true, read: readTexts },
  /** Messages that their senders have deleted: nothing shows or sends what they said. */
  deleted: { owner: "agent", inherits: true, keptOnUndo: true, read: readTexts },
  _nanobot_small_window: { owner: "agent", inherits: true, keptOnUndo: true, read: readTokens },
  _nanobot_model_preset: { owner: "app", inherits: true, keptOnUndo: true, read: readText },
  subagent: { owner: "agent", inherits: false, keptOnUndo: true, read: readSubagentLink },
  trustedUntil: { ...ofConversation, read: readNumber },
  title: { ...ofConversation, read: readText },
  title_user_edited: { ...ofConversation, read: readFlag },
  /** In the list of conversations; a copy is in the same one. */
  folder: { ...ofConversation, inherits: true, read: readText },
  versions: { owner: "storage/sessions", inherits: false, keptOnUndo: true, read: readVersions },
  pinned: { ...ofConversation, read: readFlag },
  archived: { ...ofConversation, read: readFlag },
  seenAt: { ...ofConversation, read: readNumber },
  runtime_checkpoint: { ...ofPython, read: readRecord },
  pending_user_turn: { ...ofPython, read: readFlag },
} satisfies Record<string, MetadataKey<unknown>>;

type Keys = typeof keys;
type ValueOf<Name extends keyof Keys> = Exclude<ReturnType<Keys[Name]["read"]>, undefined>;

/** As it was read: each of these keys has a value of its type, or is absent. */
export type SessionMetadata = { readonly [Name in keyof Keys]?: ValueOf<Name> };
/** A key whose value is undefined is removed. */
export type MetadataPatch = { [Name in keyof Keys]?: ValueOf<Name> | undefined };

const rows: ReadonlyArray<[string, MetadataKey<unknown>]> = Object.entries(keys);

/** Changes the record, which must be a fresh one: values that do not fit their key are removed, all else stays. */
export function readMetadata(record: unknown): SessionMetadata {
  if (!isRecord(record)) return {};
  // 0.1.0 did not write that a conversation is the owner's; one that it answered in has an epoch.
  if (record.scope === undefined && record.epoch !== undefined) record.scope = ownerScope;
  for (const [name, { read }] of rows) {
    if (!(name in record)) continue;
    const value = read(record[name]);
    if (value === undefined) delete record[name];
    else record[name] = value;
  }
  return record;
}

/** Of one in which nothing was said, or that was nobody's, from now on. What another was allowed in it is over. */
export function toClaimedMetadata(old: Scope | undefined, scope: Scope): MetadataPatch {
  const gone = old === undefined ? [] : rows.filter(([, { inherits }]) => !inherits);
  return { ...Object.fromEntries(gone.map(([name]) => [name, undefined])), scope };
}

/** Of a branch that begins with an older state of a session. */
export function toBranchMetadata(old: SessionMetadata, now: SessionMetadata): MetadataPatch {
  return withoutForgotten(old, now, ({ inherits }) => inherits);
}

/** Of a session that goes back to an older state; what it was is kept as another version. */
export function toRewoundMetadata(
  old: SessionMetadata,
  now: SessionMetadata,
  { position, closed }: Pick<Switch, "position" | "closed">,
): MetadataPatch {
  const versions = withVersion(now.versions ?? [], position, closed);
  return withoutForgotten(old, { ...now, versions }, () => true);
}

/** Of a session in whose place another version of it comes back. */
export function toSwitchedMetadata(old: SessionMetadata, now: SessionMetadata, place: Switch): MetadataPatch {
  const versions = switchVersions(now.versions ?? [], old.versions ?? [], place);
  const forgotten = joinForgotten(old, now);
  const known = { ...now, versions, ...(forgotten.length > 0 && { forgotten }) };
  return withoutForgotten(old, known, () => true);
}

/** What was forgotten in one version is in none of them. */
export function joinForgotten(...all: readonly SessionMetadata[]): string[] {
  return [...new Set(all.flatMap(({ forgotten = [] }) => forgotten))];
}

function withoutForgotten(
  old: SessionMetadata,
  now: SessionMetadata,
  isKept: (key: MetadataKey<unknown>) => boolean,
): MetadataPatch {
  const present = now as Readonly<Record<string, unknown>>;
  const chosen = rows.flatMap(([name, key]): Array<[string, unknown]> => {
    if (!isKept(key)) return [[name, undefined]];
    return key.keptOnUndo ? [[name, present[name]]] : [];
  });
  const isSame = (name: keyof Keys) => JSON.stringify(old[name]) === JSON.stringify(now[name]);
  return {
    ...old,
    ...Object.fromEntries(chosen),
    scope: now.scope ?? ownerScope,
    // A summary and a frozen prompt may hold what was forgotten since.
    ...(!isSame("forgotten") && !isSame("_last_summary") && { _last_summary: undefined }),
    ...(old.epoch?.hash !== now.epoch?.hash && { epoch: undefined }),
  };
}

/** What says something else is nobody's but the owner's. */
function readScopeValue(value: unknown): Scope | undefined {
  if (value === undefined) return undefined;
  return isScope(value) ? value : ownerScope;
}

function readEpoch(value: unknown): EpochRecord | undefined {
  if (!isRecord(value)) return undefined;
  const { hash, model, startedAt, from, seen } = value;
  const isNamed = typeof hash === "string" && /^[0-9a-f]{32}$/.test(hash) && typeof model === "string";
  const isPlaced = typeof startedAt === "number" && Number.isSafeInteger(from) && Number(from) >= 0;
  return isNamed && isPlaced && isRecord(seen) ? (value as unknown as EpochRecord) : undefined;
}

function readTokenCount(value: unknown): TokenCount | undefined {
  const isWhole =
    isRecord(value) && typeof value.model === "string" && hasNumbers(value, "tokens", "estimate");
  return isWhole ? (value as unknown as TokenCount) : undefined;
}

function readLastUsage(value: unknown): LastUsage | undefined {
  const names = ["prompt_tokens", "completion_tokens", "cached_tokens", "context_tokens"];
  if (!isRecord(value)) return undefined;
  return hasNumbers(value, ...names.filter((name) => name in value)) ? value : undefined;
}

function readLastSummary(value: unknown): LastSummary | undefined {
  return isRecord(value) && typeof value.text === "string" ? (value as unknown as LastSummary) : undefined;
}

function readSubagentLink(value: unknown): SubagentLink | undefined {
  const isWhole = isRecord(value) && typeof value.parent === "string" && typeof value.label === "string";
  return isWhole ? (value as unknown as SubagentLink) : undefined;
}

function readTokens(value: unknown): number | undefined {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

function readTexts(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.map(String) : undefined;
}

function readText(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

function readNumber(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

function readFlag(value: unknown): boolean | undefined {
  return typeof value === "boolean" ? value : undefined;
}

function readRecord(value: unknown): Record<string, unknown> | undefined {
  return isRecord(value) ? value : undefined;
}

function hasNumbers(value: Record<string, unknown>, ...names: string[]): boolean {
  return names.every((name) => typeof value[name] === "number");
}
