// What the page about memory asks: over the memory of whoever looks at it, and nobody else's.
import { createHash } from "node:crypto";
import * as z from "zod";
import type { Origin } from "../../bus/types.ts";
import { type Version, VersionError } from "../../dream/versions.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import type { ExplainedFact } from "../../recall/explain-fact.ts";
import type { Forgettable } from "../../recall/forget.ts";
import type { RecalledEntry } from "../../recall/recall.ts";
import { type Caller, type Method, type MethodTable, WishError } from "../../server/methods.ts";
import type {
  ForgetPreview,
  MemoryFact,
  MemoryMethods,
  MemoryPlace,
  MemoryVersion,
} from "../../server/protocol/memory.ts";
import type { Dreams } from "../build-dream.ts";
import type { Trail } from "../build-trail.ts";
import { describeDream } from "../describe-dream.ts";
import { describeFault } from "../describe-versions.ts";
import { MemoryFileError } from "../memory-files.ts";

export interface MemoryParts {
  trailFor(whose: Pick<Origin, "role" | "person">): Trail;
  dreams: Pick<Dreams, "run">;
  words: Words;
  /** Tells the open pages of that person, and the owner's. */
  onChange(person: string): void;
}

const mostShown = 100;
const usualVersions = 50;
const nothing = z.strictObject({});
const text = z.string().min(1).max(2_000);
const id = z.string().min(1).max(64);
const path = z.string().min(1).max(200);
const longestFile = 2_000_000;
const longestDreamMs = 20 * 60_000;

export function createMemoryMethods(parts: MemoryParts): MethodTable<MemoryMethods> {
  const { trailFor, dreams, onChange } = parts;
  type Run<P, R> = (trail: Trail, params: P, words: Words) => Promise<R>;

  /** Everybody may ask it, about what is theirs. */
  function ask<P, R>(params: z.ZodType<P>, run: Run<P, R>): Method<P, R> {
    return {
      params,
      isForGuests: true,
      run(given, caller: Caller) {
        const words = speakTo(caller, parts.words);
        return run(trailFor(caller.viewer), given, words).catch((error) => toWish(error, words));
      },
    };
  }

  function change<P, R>(params: z.ZodType<P>, run: Run<P, R>): Method<P, R> {
    const asked = ask(params, run);
    return {
      ...asked,
      async run(given, caller) {
        const result = await asked.run(given, caller);
        onChange(caller.viewer.person);
        return result;
      },
    };
  }

  function toWish(error: unknown, words: Words): never {
    if (error instanceof VersionError) throw new WishError(describeFault(error.fault, words));
    if (error instanceof MemoryFileError) throw new WishError(words.memory.notEditable(error.path));
    throw error;
  }

  return {
    "memory.files": ask(nothing, async ({ files }) => ({ files: await files.list() })),
    "memory.read": ask(z.strictObject({ path }), ({ files }, wish) => files.read(wish.path)),
    "memory.save": change(
      z.strictObject({ path, text: z.string().max(longestFile), hash: z.string().max(64) }),
      ({ files }, wish) => files.save(wish),
    ),
    "memory.log": ask(
      z.strictObject({ most: z.int().min(1).max(500).optional() }),
      async (trail, { most = usualVersions }) => {
        await trail.files.keep();
        return { versions: (await trail.log({ most })).map(toVersion) };
      },
    ),
    "memory.change": ask(z.strictObject({ id }), async (trail, wish) => {
      const { version, files } = await trail.show(wish.id);
      return { version: toVersion(version), files };
    }),
    "memory.restore": change(z.strictObject({ id }), async (trail, wish) =>
      toVersion(await trail.restore(wish.id)),
    ),
    "memory.why": ask(z.strictObject({ text }), async (trail, wish) => {
      const { facts, similar } = await trail.explain(wish.text);
      return { facts: facts.map(toFact), similar: similar.map(toPlace) };
    }),
    "memory.search": ask(z.strictObject({ query: text }), async (trail, { query }) => ({
      found: (await trail.search(query)).hits.map(toPlace),
    })),
    "memory.preview": ask(z.strictObject({ words: text }), async (trail, wish) =>
      toPreview(await trail.findForgettable(wish.words)),
    ),
    "memory.forget": change(z.strictObject({ words: text, digest: id }), async (trail, wish, words) => {
      const found = await trail.findForgettable(wish.words);
      if (toPreview(found).digest !== wish.digest) throw new WishError(words.memory.changedSince);
      const version = await trail.forget(found, wish.words);
      return version === undefined ? {} : { version: version.id };
    }),
    "memory.dream": change(nothing, async ({ root }, _, words) => {
      const outcome = await dreams.run(root, AbortSignal.timeout(longestDreamMs));
      const version = outcome.kind === "changed" && outcome.version && { version: outcome.version };
      return { kind: outcome.kind, ...version, detail: describeDream(outcome, words) };
    }),
  };
}

function toVersion({ id, kind, at, summary }: Version): MemoryVersion {
  return { id, kind, at, summary };
}

function toPlace({ kind, name, reference, speaker, role, at, text }: RecalledEntry): MemoryPlace {
  // Of a message without an id only its place in the file is known; of a part, where in the message it begins.
  const entryId = reference.replace(/@\d+$/, "");
  const isMessage = kind === "session" && entryId !== name;
  return { kind, name, ...(isMessage && { entryId }), who: speaker || role, at, text };
}

function toFact({ record, sources }: ExplainedFact): MemoryFact {
  const { line, file, at, labels = [], cursors, turn } = record;
  const writtenBy = turn !== undefined ? "conversation" : cursors !== undefined ? "dream" : "unknown";
  return { line, file, at, writtenBy, labels, sources: sources.map(toPlace) };
}

function toPreview(found: Forgettable): ForgetPreview {
  const { lines, messages, summaries } = found;
  return {
    digest: createHash("sha256").update(JSON.stringify(found)).digest("hex"),
    lines: lines.slice(0, mostShown),
    messages: messages.slice(0, mostShown).map(toPlace),
    summaries: summaries.slice(0, mostShown).map(toPlace),
    counts: { lines: lines.length, messages: messages.length, summaries: summaries.length },
  };
}
