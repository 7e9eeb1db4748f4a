// Recall as tools and prompts use it: each finds only what the person behind the turn may see, with its labels.
import type { Origin } from "../bus/types.ts";
import { toRealRoot } from "../guards/files/real-path.ts";
import type { FindFileLabels } from "../guards/labels/file-labels.ts";
import { joinLabels, withLabels, withoutGuest } from "../lib/labels.ts";
import { scopeOf } from "../storage/scope.ts";
import { toReference } from "../storage/sessions/reference.ts";
import type { Session } from "../storage/sessions/session.ts";
import type { ToolsOptions } from "../tools/index.ts";
import type { FoundMemory } from "../tools/memory.ts";
import { describeHits, type FoundEntry, type Reason, type Recall, type RecalledEntry } from "./recall.ts";

/** The labels of search results, for a turn of this origin. */
export type FindEntryLabels = (entries: readonly RecalledEntry[], origin: Origin) => Promise<string[]>;

interface PromptRequest {
  text: string;
  origin: Origin;
  session: Session;
  isPreview?: boolean;
}

export interface Recalled {
  note: string;
  labels: string[];
  entries: readonly RecalledEntry[];
}

export function createEntryLabels(findFileLabels: FindFileLabels): FindEntryLabels {
  return async (entries, origin) => {
    const ofFiles = entries.map(({ path }) => (path === undefined ? [] : findFileLabels(toRealRoot(path))));
    const labels = joinLabels(...entries.map((entry) => entry.labels ?? []), ...(await Promise.all(ofFiles)));
    return withoutGuest(labels, origin);
  };
}

export function toMemoryTools(
  recall: Recall,
  findLabels: FindEntryLabels,
): NonNullable<ToolsOptions["memory"]> {
  const toFound = async (entry: RecalledEntry, origin: Origin): Promise<FoundMemory> => {
    const { reference, at, role, speaker, name, text } = entry;
    const labels = withLabels(await findLabels([entry], origin));
    return { reference, at, who: speaker || role, where: name, text, ...labels };
  };
  return {
    async search(query, { origin, signal }) {
      const { hits, sessions } = await recall.search({ ...query, scope: scopeOf(origin) }, signal);
      const toReasoned = async (hit: FoundEntry) => ({
        ...(await toFound(hit, origin)),
        why: toReasons(hit),
      });
      return { found: await Promise.all(hits.map(toReasoned)), sessions };
    },
    async read(reference, { around }, { origin, signal }) {
      signal.throwIfAborted();
      const entries = await recall.read(reference, { scope: scopeOf(origin), around });
      return Promise.all(entries.map((entry) => toFound(entry, origin)));
    },
  };
}

const reasonWords: Record<Reason, string> = {
  named: "about that time",
  said: "said at that time",
  tells: "says when",
  speaker: "the speaker",
  near: "next to a match",
  similar: "similar in meaning",
};

function toReasons({ text, why }: FoundEntry): string[] {
  const words = why.marks.map(([from, to]) => text.slice(from, to).toLowerCase());
  return [...new Set(words), ...why.reasons.map((reason) => reasonWords[reason])];
}

/** What was said earlier about a message, without what its prompt holds already. */
export class PromptRecall {
  readonly #recall: Recall;
  readonly #findLabels: FindEntryLabels;
  /** By session: what was found for its last message after that was sent. */
  readonly #late = new Map<string, readonly RecalledEntry[]>();

  constructor(recall: Recall, findLabels: FindEntryLabels) {
    this.#recall = recall;
    this.#findLabels = findLabels;
  }

  /** For a message, with what came too late for the one before it. */
  async recall({ text, origin, session, isPreview = false }: PromptRequest): Promise<Recalled> {
    if (isPreview) return { note: "", labels: [], entries: [] };
    const sentFrom = Math.max(session.metadata.epoch?.from ?? 0, session.lastConsolidated);
    const exclude = session.slice(sentFrom).map(({ id }) => toReference(session.key, id));
    const { key } = session;
    const waiting = this.#late.get(key) ?? [];
    this.#late.delete(key);
    const { entries, late } = await this.#recall.recallFor(text, { scope: scopeOf(origin), exclude });
    void late?.then(({ entries: found }) => found.length > 0 && this.#late.set(key, found));
    const known = new Set([...exclude, ...entries.map(({ reference }) => reference)]);
    const others = waiting.filter(({ reference }) => !known.has(reference));
    return this.#describe([...entries, ...others], origin);
  }

  /** What has been found since the message was sent, once: for the next step of its turn. */
  async takeLate({
    session,
    origin,
  }: Pick<PromptRequest, "session" | "origin">): Promise<Recalled | undefined> {
    const late = this.#late.get(session.key);
    if (late === undefined) return undefined;
    this.#late.delete(session.key);
    return this.#describe(late, origin);
  }

  async #describe(found: readonly RecalledEntry[], origin: Origin): Promise<Recalled> {
    const { note, entries } = describeHits(found);
    return { note, labels: await this.#findLabels(entries, origin), entries };
  }
}
