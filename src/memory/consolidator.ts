// Consolidator: makes room in a session by archiving its oldest turns into the history log, summarised by the model
// where it can be asked, raw where it cannot. Messages stay in the session file for ever; only a cursor moves.
import { KeyedLock } from "../lib/keyed-lock.ts";
import { joinLabels, labelsOf, withLabels } from "../lib/labels.ts";
import type { Log } from "../lib/log.ts";
import { isBlank } from "../lib/text.ts";
import { estimateJsonTokens } from "../lib/tokens.ts";
import type { Message, ModelSettings, Provider, ToolDefinition } from "../llm/types.ts";
import type { MemoryStore } from "../storage/documents/memory-store.ts";
import type { StoredMessage } from "../storage/sessions/format/message.ts";
import { replay } from "../storage/sessions/format/replay.ts";
import type { SummaryPart } from "../storage/sessions/metadata.ts";
import { readForgotten } from "../storage/sessions/reference.ts";
import type { Session } from "../storage/sessions/session.ts";
import { addPart } from "./carried-summary.ts";
import { estimateBudget, estimateMessageTokens, sumTokens, type Window } from "./fit.ts";
import { askForSummary, type Summary, toRawEntry } from "./summary.ts";

export interface ConsolidationRequest {
  session: Session;
  store: MemoryStore;
  /** What the turn itself sends first, so that the request finds the provider's cache warm. */
  prefix: { system: string; tools: readonly ToolDefinition[] };
  /** Where the history of the last request began. */
  from: number;
  window: Window;
  /** Tokens of prefix and coming message. */
  fixedTokens: number;
  /** Absent where nothing but rules would answer: everything is archived raw then. */
  provider: Provider | undefined;
  settings: ModelSettings;
  signal: AbortSignal;
}

export interface Consolidation {
  /** Messages that went into the archive. */
  archived: number;
  /** Estimated tokens that were freed. */
  freed: number;
}

export interface ConsolidatorOptions {
  log: Log;
  /** Share of the budget that is left full. */
  ratio: number;
  /** The instruction, with `{{count}}` and `{{focus}}`; "" for a built-in one. */
  readPrompt(): Promise<string>;
}

interface Slice {
  start: number;
  end: number;
  messages: readonly StoredMessage[];
}

const usualPrompt = "Summarise the last {{count}} messages in short lines. {{focus}}";
const mostRounds = 5;
const mostMessages = 60;
const keptAtRest = 8;

export class Consolidator {
  readonly #options: ConsolidatorOptions;
  readonly #lock = new KeyedLock();
  readonly #opened = new WeakSet<Session>();

  constructor(options: ConsolidatorOptions) {
    this.#options = options;
  }

  /** Before the first turn of a session in this process: what was archived by one that died over it counts. */
  async open(request: ConsolidationRequest): Promise<void> {
    if (this.#opened.has(request.session)) return;
    await this.#lock.run(toLockKey(request.session), () => adoptArchived(request));
    this.#opened.add(request.session);
  }

  /** Before a turn, and behind it: nothing while the request fits, else rounds until it is back at its target. */
  fit(request: ConsolidationRequest): Promise<Consolidation> {
    const budget = estimateBudget(request.window);
    const fixed = Math.min(budget, request.fixedTokens);
    const target = fixed + Math.floor((budget - fixed) * this.#options.ratio);
    // What one request can hold in addition to the instruction.
    const most = 0.9 * (budget - request.fixedTokens);
    let rounds = 0;
    return this.#archiveEach(request, () => {
      const excess = estimate(request) - (rounds === 0 ? budget : target);
      if (excess <= 0 || rounds === mostRounds) return 0;
      rounds += 1;
      return findEnough(request.session, estimate(request) - target, most);
    });
  }

  /** After a pause: all but the last few messages, so that the next turn starts with a summary and these. */
  rest(request: ConsolidationRequest): Promise<Consolidation> {
    return this.#archiveEach(request, () => findRest(request.session));
  }

  /** All that is not archived yet, be it raw: for `/new` and `/compact`. */
  compact(request: ConsolidationRequest, focus = ""): Promise<Consolidation> {
    return this.#archiveEach(request, () => findAll(request.session), { focus, isPatient: true });
  }

  /** Up to one end after the other, until there is none beyond the cursor, or the model cannot be asked. */
  #archiveEach(
    request: ConsolidationRequest,
    findEnd: () => number,
    { focus = "", isPatient = false } = {},
  ): Promise<Consolidation> {
    const { session } = request;
    return this.#lock.run(toLockKey(session), async () => {
      await adoptArchived(request);
      const total: Consolidation = { archived: 0, freed: 0 };
      let round = 0;
      for (let end = findEnd(); end > session.lastConsolidated; end = findEnd()) {
        const start = session.lastConsolidated;
        const messages = session.slice(start, end);
        round += 1;
        const isSummarised = await this.#archive(request, { start, end, messages, round }, focus);
        total.archived += messages.length;
        total.freed += sumTokens(messages, 0);
        if (!isSummarised && !isPatient) break;
      }
      return total;
    });
  }

  /** False when the model could not be asked: the slice is archived raw, and this is not the time for more. */
  async #archive(
    request: ConsolidationRequest,
    slice: Slice & { round: number },
    focus: string,
  ): Promise<boolean> {
    const { session, store } = request;
    // What the person wanted to be forgotten does not come back with a summary.
    const forgotten = await readForgotten(session);
    const remembered = slice.messages.filter(({ id }) => !forgotten.has(id));
    const summary: Summary =
      remembered.length === 0
        ? { kind: "nothing" }
        : await this.#summarise(request, { ...slice, messages: remembered }, focus);
    const through = slice.messages.at(-1)?.id ?? "";
    const content =
      summary.kind === "text" ? summary.text : summary.kind === "raw" ? toRawEntry(remembered) : "";
    this.#options.log.info("consolidated", {
      session: session.key,
      round: slice.round,
      estimate: estimate(request),
      window: request.window.contextWindow,
      // What the estimate rests on: the host's count of an earlier request corrects it, or it is only ours.
      source: (request.window.correction ?? 1) === 1 ? "estimate" : "host",
      chunk: slice.messages.length,
      summary: summary.kind,
    });
    // S first would be the rule, but the cursor is what S says: the entry names its last message, so that it is adopted.
    const labels = joinLabels(...slice.messages.map(labelsOf));
    if (content !== "") {
      await store.history.append({ content, session_key: session.key, through, ...withLabels(labels) });
      const at = slice.messages.at(-1)?.at;
      await store.addNote({ content, labels, session_key: session.key, ...(at && { at }) });
    }
    await moveCursor(session, slice.end, { ...toPart(slice, content), labels });
    return summary.kind !== "raw";
  }

  async #summarise(request: ConsolidationRequest, slice: Slice, focus: string): Promise<Summary> {
    const { prefix, from, session, window, provider, settings, signal } = request;
    const prompt = ((await this.#options.readPrompt()) || usualPrompt)
      .replaceAll("{{count}}", String(slice.messages.length))
      .replaceAll("{{focus}}", focus === "" ? "" : `Pay special attention to: ${focus}. `);
    const forgotten = await readForgotten(session);
    const starts = [Math.min(from, slice.start), slice.start];
    const candidates = starts.map((start): Message[] => [
      { role: "system", content: prefix.system },
      ...replay(session.slice(start, slice.end).filter(({ id }) => !forgotten.has(id))),
      { role: "user", content: prompt },
    ]);
    // From where the last request began, for its cache; from the stretch itself where that is too long.
    const room = estimateBudget(window) - estimateJsonTokens(prefix.tools);
    const messages = candidates.find((candidate) => sumTokens(candidate, 0) <= room);
    if (messages === undefined) return { kind: "raw", reason: "too long to be summarised" };
    if (provider === undefined) return { kind: "raw", reason: "no model" };
    const { tools } = prefix;
    return askForSummary({ messages, slice: slice.messages, tools, provider, settings, signal }, session.key);
  }
}

/** Of one conversation, before and after it is closed: a new one under the same key does not wait for the old one. */
function toLockKey({ key, firstId }: Session): string {
  return `${key} ${firstId}`;
}

/** An entry that was written before a crash, but whose cursor was not: it counts. */
async function adoptArchived({ session, store }: ConsolidationRequest): Promise<void> {
  // Of one key there may be several conversations.
  const entry = await store.history.findLast(session.key, (id) => session.has(id));
  if (entry === undefined) return;
  // What is before the recent ones is consolidated.
  const end = session.start + session.recent.findLastIndex(({ id }) => id === entry.through) + 1;
  const start = session.lastConsolidated;
  if (end <= start) return;
  const part = toPart({ start, end, messages: session.slice(start, end) }, entry.content);
  await moveCursor(session, end, { ...part, labels: labelsOf(entry) });
}

function toPart({ messages }: Slice, text: string): SummaryPart {
  return { since: messages[0]?.timestamp ?? "", messages: messages.length, text };
}

async function moveCursor(
  session: Session,
  end: number,
  { labels, ...part }: SummaryPart & { labels: string[] },
): Promise<void> {
  const last_active = session.recent.at(-1)?.timestamp ?? session.updatedAt;
  const { _last_summary: before } = session.metadata;
  const sources = withLabels(joinLabels(labelsOf(before), labels));
  const known = isBlank(part.text)
    ? {}
    : { _last_summary: { ...addPart(before, part), last_active, ...sources } };
  await session.updateMetadata(known, { lastConsolidated: end, sync: true });
}

function estimate({ session, fixedTokens }: ConsolidationRequest): number {
  return fixedTokens + sumTokens(session.slice(session.lastConsolidated), 0);
}

/** The first turn before which enough is freed; the last one within `most`, if none does. */
function findEnough(session: Session, wanted: number, most: number): number {
  const { lastConsolidated: start } = session;
  let freed = 0;
  let end = start;
  for (const [offset, message] of session.slice(start, start + mostMessages + 1).entries()) {
    if (offset > 0 && isBeginning(message)) {
      if (end > start && freed > most) break;
      end = start + offset;
      if (freed >= wanted) break;
    }
    freed += estimateMessageTokens(message);
  }
  return end;
}

/** Whole turns, with at least the last few messages left. */
function findRest(session: Session): number {
  const { lastConsolidated: start, count } = session;
  const latest = Math.min(count - keptAtRest, start + mostMessages);
  return start + session.slice(start, latest + 1).findLastIndex(isBeginning);
}

function findAll({ count, lastConsolidated: start }: Session): number {
  return Math.min(count, start + mostMessages);
}

function isBeginning({ role, id, turn }: StoredMessage): boolean {
  return role === "user" && id === turn;
}
