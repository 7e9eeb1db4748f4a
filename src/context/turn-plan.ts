// What the coming request of a session would be: the layers as they are now, the epoch that goes on or the reason why a
// new one begins, the user's message, and where the history has to start. Begins no epoch and writes to no session.
import type { Origin } from "../bus/types.ts";
import type { Clock } from "../lib/clock.ts";
import { joinLabels, labelsOf } from "../lib/labels.ts";
import { takeTail } from "../lib/text.ts";
import type { ImageLimits } from "../llm/hosts/host.ts";
import type { ToolDefinition, UserMessage } from "../llm/types.ts";
import { estimateBudget, type Window } from "../memory/fit.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { ContextBuilder } from "./builder.ts";
import {
  describeChanges,
  type Epoch,
  filesOf,
  type NewEpochReason,
  type Prefix,
  type PrefixStore,
  toPrefix,
  toSeen,
} from "./epoch.ts";
import { fitNotes, fitSession, fitSystem } from "./fit-prompt.ts";
import type { PromptFiles, PromptFileVersion, RenderedLayer } from "./layers/layer.ts";
import { toDay } from "./runtime-context.ts";
import { type RenderedMessage, renderUserMessage } from "./user-message.ts";

/** Share of a request for notes that go with the user's message. */
const noteShare = 0.15;

export interface PlanOptions {
  builder: ContextBuilder;
  files: PromptFiles;
  prefixes: PrefixStore;
  timeZone: string;
  idleMs: number;
  clock: Clock;
  /** Instructions that a message asks for by `$name`, in full. */
  findSkills?(text: string): Promise<string>;
  /** What was said earlier about a message, as a note; "" for nothing. Later: what was not found in time. */
  recall?: {
    recall(input: TurnInput): Promise<Recalled>;
    takeLate(input: TurnInput): Promise<Recalled | undefined>;
  };
  /** Notes of runtime layers about a message. */
  takeNotes?(input: Pick<TurnInput, "text" | "origin">): Promise<LabelledNote[]>;
  /** Sources of untrusted content in the files that a person's prompt is made of. */
  findLabels?(personRoot: string): Promise<string[]>;
}

type SaidFields = RenderedMessage["fields"];
type RecalledReference = NonNullable<SaidFields["recalled"]>[number];

interface LabelledNote {
  note: string;
  /** Sources of untrusted content in it. */
  labels: string[];
}

export interface Recalled extends LabelledNote {
  /** What the note quotes. */
  entries: readonly RecalledReference[];
}

export interface TurnInput {
  session: Session;
  origin: Origin;
  personRoot: string;
  text: string;
  media: string[];
  /** Of the system text, after the assistant's own. */
  layers?: readonly RenderedLayer[];
  /** What the model's host takes. */
  imageLimits?: ImageLimits;
  /** Host and model, as one name. */
  model: string;
  window: Window;
  tools: ToolDefinition[];
  /** The request is only looked at: nothing at all may be written. */
  isPreview?: boolean;
}

export interface TurnPlan {
  /** The epoch of the last request, while its prefix is still stored. */
  last?: Epoch;
  /** Why a new epoch begins; undefined when the last one goes on. */
  reason?: NewEpochReason;
  /** What a new epoch would freeze. */
  fresh: Prefix;
  /** Versions of files and tools that the model will have seen. */
  seen: Record<string, string>;
  userMessage: UserMessage;
  /** What its line will say of it. */
  fields: SaidFields;
  /** The block at the end of the user's message, for surfaces that want to hide it. */
  runtimeContext: string;
  /** What of it is news: changes within an epoch, daily notes at its start. */
  notes: string[];
  /** Sources of untrusted content that come in with this message, in addition to the message's labels. */
  labels: string[];
  /** Position in the session of the first message to be sent. */
  from: number;
  /** More was left to be sent than fits. */
  isTooLong: boolean;
  /** Estimated tokens of everything but history. */
  fixedTokens: number;
}

export async function planTurn(options: PlanOptions, input: TurnInput): Promise<TurnPlan> {
  const { builder } = options;
  const { tools, session, layers: given = [] } = input;
  const recalling = options.recall?.recall(input);
  const noting = input.isPreview === true ? undefined : options.takeNotes?.(input);
  const budget = estimateBudget(input.window);
  const layers = fitSystem(await builder.renderLayers({ ...input, ...input.window }), input);
  const files = filesOf(layers);
  const fresh = toPrefix(layers, tools);
  const last = await loadLast(options, session);
  const ended = findReason(options, input, last);
  const current = ended === undefined ? last : undefined;
  const summary = readSummary(session);
  const daily = await readDailyNotes(options, input.personRoot);
  const noted =
    current === undefined
      ? [...(summary === undefined ? [] : [summary.note]), ...daily.map(showNote)]
      : [
          ...(await describeChanges(current, files, tools)),
          ...daily.filter(({ name, hash }) => current.record.seen[name] !== hash).map(showNews),
        ];
  const recalled = (await recalling) ?? { note: "", labels: [], entries: [] };
  const ofLayers = (await noting) ?? [];
  const said = [...noted.filter(Boolean), ...ofLayers.map(({ note }) => note), recalled.note];
  const skills = (await options.findSkills?.(input.text)) ?? "";
  const [asked = "", ...notes] = fitNotes([skills, ...said], Math.floor(budget * noteShare));
  const runtimeContext = builder.buildRuntimeContext(input.origin, notes.filter(Boolean));
  const ofFiles = (await options.findLabels?.(input.personRoot)) ?? [];
  const begun = current === undefined ? [summary ?? {}, ...layers] : given;
  const { message: userMessage, fields } = await renderUserMessage(builder, input, [asked, runtimeContext]);
  const kept = current && fitSession(input, current, userMessage);
  // A prompt that is made again anyway may itself have become shorter.
  const isKept = kept !== undefined && !kept.isTooLong && kept.from === current?.record.from;
  const fitted = isKept ? kept : fitSession(input, { prefix: fresh, record: undefined }, userMessage);
  const reason = ended ?? (isKept ? undefined : "too-long");
  const seen = toSeen([...files, ...daily], tools);
  return {
    last,
    reason,
    fresh,
    seen,
    userMessage,
    fields: { ...fields, ...pickRecalled(recalled, notes.at(-1) ?? "") },
    runtimeContext,
    notes: noted,
    labels: joinLabels(recalled.labels, ofFiles, ...[...begun, ...ofLayers].map(labelsOf)),
    ...fitted,
  };
}

/** In a small window the note may have been cut. */
export function pickRecalled(
  { entries }: Pick<Recalled, "entries">,
  shown: string,
): Pick<SaidFields, "recalled"> {
  const recalled = entries
    .filter(({ text }) => shown.includes(text))
    .map(({ reference, at, text }) => ({ reference, at, text }));
  return recalled.length === 0 ? {} : { recalled };
}

async function loadLast({ prefixes }: PlanOptions, { metadata }: Session): Promise<Epoch | undefined> {
  const record = metadata.epoch;
  const prefix = record && (await prefixes.load(record.hash));
  return prefix && { record, prefix };
}

function findReason(
  { clock, idleMs }: PlanOptions,
  { session, model }: TurnInput,
  last: Epoch | undefined,
): NewEpochReason | undefined {
  const record = session.metadata.epoch;
  if (record === undefined) return "first-turn";
  if (record.model !== model) return "model-changed";
  const lastActiveAt = session.recent.at(-1)?.at ?? 0;
  // A clock that was set back must not keep an epoch alive for ever, nor end it.
  if (idleMs > 0 && clock.now() - lastActiveAt > idleMs) return "idle";
  if (last === undefined) return "prefix-lost";
  return session.lastConsolidated > last.record.from ? "consolidated" : undefined;
}

/** At the start of an epoch: the summaries of this conversation. */
function readSummary({ metadata, lastConsolidated }: Session): LabelledNote | undefined {
  const { _last_summary: summary } = metadata;
  if (summary === undefined || lastConsolidated === 0) return undefined;
  const note = `Earlier in this conversation (summary; the full text can be searched):\n${summary.text}`;
  return { note, labels: labelsOf(summary) };
}

const longestNote = 4_000;
const longestNews = 1_000;
const dayMs = 24 * 60 * 60 * 1000;

/** Oldest first. */
async function readDailyNotes(
  { files, clock, timeZone }: PlanOptions,
  personRoot: string,
): Promise<PromptFileVersion[]> {
  const days = new Set([clock.now() - dayMs, clock.now()].map((ms) => toDay(ms, timeZone)));
  const notes = await Promise.all([...days].map((day) => files.read(personRoot, `memory/${day}.md`)));
  return notes.flatMap((note) => (note === undefined || note.text === "" ? [] : [note]));
}

/** Of a long note the newest part. */
function showNote({ name, text }: PromptFileVersion): string {
  return `Notes in ${name}:\n${takeLastLines(text, longestNote)}`;
}

function showNews({ name, text }: PromptFileVersion): string {
  return `The notes in ${name} were changed. They end with:\n${takeLastLines(text, longestNews)}`;
}

function takeLastLines(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const tail = takeTail(text, limit);
  return `[...]\n${tail.slice(tail.indexOf("\n") + 1)}`;
}
