// Recall: everything that was ever said, found again without a model. The index lives in a thread from its first use on, so
// that a search blocks no turn; in a process with one turn, in this one.
import { join } from "node:path";
import { fail } from "../i18n/user-error.ts";
import { untilAborted } from "../lib/abort.ts";
import { type Clock, toLocalIso } from "../lib/clock.ts";
import { runtimeContextEnd, runtimeContextTag } from "../lib/formats/runtime-block.ts";
import type { Log } from "../lib/log.ts";
import { takeHead } from "../lib/text.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { lookAt } from "../storage/files/file-stamp.ts";
import type { RecallPlaces } from "../storage/search/recall-sources.ts";
import { EmbeddingFiller, type Embeddings } from "./embeddings.ts";
import type { RecallCall } from "./index-engine.ts";
import type { MatchedEntry, RecalledEntry, SearchRequest, SearchResult } from "./recall-search.ts";
import { type IndexThread, openIndexHere, openIndexThread } from "./recall-thread.ts";
import type { RecallReply } from "./recall-worker.ts";

export type { FoundEntry, MatchedEntry, Reason, RecalledEntry, SearchResult, Why } from "./recall-search.ts";

export interface RecallOptions extends RecallPlaces {
  /** index.db is in it. */
  home: string;
  clock: Clock;
  log: Log;
  /** Finds by meaning, too. */
  embeddings?: Embeddings;
  /** There is one turn or search only: a thread costs more than it saves, unless the index is large. */
  isOnce?: boolean;
}

export type RecallQuery = Omit<SearchRequest, "now" | "isAutomatic" | "vector"> & { now?: number };

export interface AutomaticRecall {
  scope: string;
  /** Ids of messages that the prompt holds already. */
  exclude?: readonly string[];
  deadlineMs?: number;
}

export interface RecallNote {
  note: string;
  /** What it quotes. */
  entries: readonly RecalledEntry[];
  /** What was not found in time: for a later message. */
  late?: Promise<RecallNote>;
}

const nothing: RecallNote = { note: "", entries: [] };
/** A turn that is over by then, such as a question from a script, starts no thread. */
const refreshDelayMs = 250;
/** Bytes of index.db: to read a larger one takes longer than to start a thread. */
const largeIndex = 8 * 1024 * 1024;
/** How long a turn waits for excerpts: a multiple of what searches take, which falls slowly and rises at once. */
const patience = { least: 50, most: 500, times: 4, fall: 0.8 };
/** How long a search, and how long a turn waits for the vector of its question. */
const vectorPatienceMs = { search: 1_500, turn: 150 };
export const longestQuery = 2_000;
const mostTokens = 800;
const mostExcerpts = 5;
const heading =
  "From earlier conversations and documents, found by search; `memory_read` expands a reference:";

export class Recall {
  readonly #options: RecallOptions;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  readonly #isClosing = new AbortController();
  readonly #filler: EmbeddingFiller | undefined;
  #thread: IndexThread | undefined;
  #closing: Promise<void> | undefined;
  #patienceMs = patience.most;
  #isRefreshPlanned = false;
  #calls = 0;

  constructor(options: RecallOptions) {
    this.#options = options;
    const { embeddings, clock } = options;
    const { signal } = this.#isClosing;
    this.#filler = embeddings && new EmbeddingFiller(embeddings, { clock, signal });
  }

  /** Over everything that has been written until now. */
  async search(
    query: RecallQuery,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<SearchResult> {
    const vector = this.#filler?.vectorOf(takeHead(query.query, longestQuery), vectorPatienceMs.search);
    await untilAborted(this.refresh(), signal);
    const request = { now: this.#options.clock.now(), ...query, ...(await toVector(vector)) };
    return untilAborted(this.#call<SearchResult>({ type: "search", request }), signal);
  }

  /** An entry with those around it; empty when there is none of that name in the scope. */
  read(
    reference: string,
    { scope, around = 3 }: { scope: string; around?: number },
  ): Promise<RecalledEntry[]> {
    return this.#call({ type: "read", request: { reference, scope, around } });
  }

  /** All that holds every one of the words, in what was said and summarised. */
  async match(query: string, scope: string): Promise<MatchedEntry[]> {
    await this.refresh();
    return this.#call({ type: "match", request: { query, scope } });
  }

  /** Gives each entry a vector that has none, as far as the host and the budget allow it. Returns how many it gave. */
  async embed(): Promise<number> {
    return (
      (await this.#filler?.fill({
        missing: (model, most) => this.#call({ type: "unembedded", request: { model, most } }),
        add: (model, vectors, upto) => this.#call({ type: "embedded", model, vectors, upto }),
      })) ?? 0
    );
  }

  /** Reads what has been written until now. */
  refresh(): Promise<void> {
    return this.#call({ type: "refresh", isUrgent: true });
  }

  /**
   * A note for the model about what was said earlier, from what is in the index now; "" when nothing fits. What takes too
   * long comes later. The next turn finds what was said in this one.
   */
  async recallFor(
    text: string,
    { scope, exclude = [], deadlineMs = this.#patienceMs }: AutomaticRecall,
  ): Promise<RecallNote> {
    const { clock, log, home } = this.#options;
    this.#refreshLater();
    // Where nothing was ever indexed, nothing can be found, and no thread is started for it.
    if (this.#thread === undefined && lookAt(join(home, "index.db")) === undefined) return nothing;
    const query = takeHead(text, longestQuery);
    const request = { query, scope, exclude, now: clock.now(), count: mostExcerpts, isAutomatic: true };
    const started = clock.elapsed();
    const isOver = new AbortController();
    const late = clock.sleep(deadlineMs, isOver.signal).then(() => "late" as const);
    const vector = this.#filler?.vectorOf(query, vectorPatienceMs.turn);
    const found = toVector(vector)
      .then((given) => this.#call<SearchResult>({ type: "search", request: { ...request, ...given } }))
      .then(({ hits }) => describeHits(hits))
      .catch((error) => {
        log.debug("recall-failed", { reason: toReason(error) });
        return nothing;
      })
      .finally(() => this.#adapt(clock.elapsed() - started));
    const result = await Promise.race([found, late.catch(() => found)]).finally(() => isOver.abort());
    if (result !== "late") return result;
    log.debug("recall-late", { deadlineMs });
    return { ...nothing, late: found };
  }

  #adapt(tookMs: number): void {
    const wanted = Math.max(patience.times * tookMs, patience.fall * this.#patienceMs);
    this.#patienceMs = Math.min(patience.most, Math.max(patience.least, wanted));
  }

  /** Closes the index, and answers no call any more. */
  close(): Promise<void> {
    this.#isClosing.abort();
    this.#closing ??= this.#thread?.close() ?? Promise.resolve();
    return this.#closing;
  }

  #refreshLater(): void {
    if (this.#isRefreshPlanned) return;
    this.#isRefreshPlanned = true;
    this.#options.clock
      .sleep(refreshDelayMs, this.#isClosing.signal)
      .then(() => {
        this.#isRefreshPlanned = false;
        return this.#call({ type: "refresh", isUrgent: false });
      })
      .then(() => this.embed())
      .catch((error) => this.#options.log.debug("recall-not-updated", { reason: toReason(error) }));
  }

  #call<T>(call: RecallCall): Promise<T> {
    if (this.#isClosing.signal.aborted) return Promise.reject(fail("memory.search-ended"));
    this.#thread ??= this.#open();
    const waiting = Promise.withResolvers<unknown>();
    this.#calls += 1;
    this.#waiting.set(this.#calls, waiting);
    this.#thread.keepAlive(true);
    this.#thread.send(this.#calls, call);
    return waiting.promise as Promise<T>;
  }

  #open(): IndexThread {
    const { home, sessionsFolder, workspace, knowledge, isOnce } = this.#options;
    const place = { path: join(home, "index.db"), sessionsFolder, workspace, knowledge };
    const isHere = isOnce && (lookAt(place.path)?.size ?? 0) < largeIndex;
    return (isHere ? openIndexHere : openIndexThread)(place, {
      take: (reply) => this.#take(reply),
      end: (error = fail("memory.search-ended")) => this.#end(error),
    });
  }

  #take(reply: RecallReply): void {
    // Nobody waits for it any more, and the process must live until the index is closed.
    if (this.#isClosing.signal.aborted) return;
    if ("closed" in reply) return;
    if ("event" in reply) {
      this.#options.log.warn(reply.event, reply.fields);
      return;
    }
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (this.#waiting.size === 0) this.#thread?.keepAlive(false);
    if ("problem" in reply) waiting?.reject(fail("memory.search-failed", { quote: reply.problem }));
    else waiting?.resolve(reply.result);
  }

  #end(reason: Error): void {
    this.#thread = undefined;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

/** Without one, words alone decide. */
async function toVector(
  vector: Promise<number[] | undefined> | undefined,
): Promise<Pick<SearchRequest, "vector">> {
  const found = await vector;
  return found === undefined ? {} : { vector: found };
}

function toReason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Within its limits: the first of them. */
export function describeHits(hits: readonly RecalledEntry[]): RecallNote {
  const lines: string[] = [];
  for (const { reference, at, role, speaker, name, kind, text } of hits) {
    const who = kind === "document" ? `document ${name}` : speaker || role;
    // An excerpt must not end the block that it is quoted in.
    const quoted = text.replaceAll(runtimeContextTag, "").replaceAll(runtimeContextEnd, "");
    const line = `- ${toLocalIso(at).slice(0, 10)}, ${who}: ${quoted} (${reference})`;
    if (estimateTokens([heading, ...lines, line].join("\n")) > mostTokens) break;
    lines.push(line);
  }
  if (lines.length === 0) return nothing;
  return { note: [heading, ...lines].join("\n"), entries: hits.slice(0, lines.length) };
}
