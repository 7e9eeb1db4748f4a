// Operations about memory: its files and their versions, where a line came from, the search over everything that was
// said and written, forgetting, and Dream. Each person works on their own; a group's memory is changed by the owner.
import * as z from "zod";
import { phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { longestQuery } from "../../recall/recall.ts";
import type { FileDiff, Version } from "../../storage/documents/versions.ts";
import { type Caller, type OperationRun, operation, withProgress } from "../operation.ts";
import type { WorkspaceServices } from "../services.ts";
import { toReasons } from "./describe-memory.ts";
import {
  type DreamReport,
  type ForgetPreview,
  type Forgotten,
  isNothing,
  type MemoryExplanation,
  type MemoryFound,
  toDigest,
  toFact,
  toForgetQuestion,
  toPlace,
  toPreview,
  toReference,
} from "./memory-view.ts";
import type { MemoryFile, MemorySaved, MemoryText, PersonMemory } from "./person-memory.ts";

export type { Version } from "../../storage/documents/versions.ts";
export type * from "./memory-view.ts";
export type { MemoryFile, MemorySaved, MemoryText } from "./person-memory.ts";

const usualVersions = 50;
const longestFile = 2_000_000;
const longestDreamMs = 20 * 60_000;

const nothing = z.strictObject({});
const text = z.string().min(1).max(longestQuery);
const id = z.string().min(1).max(200);
const path = z.string().min(1).max(200);

const listFiles = operation({
  name: "memory.files",
  about: "The files of the caller's memory; for the owner also those of the assistant's character.",
  access: "person",
  needs: "workspace",
  params: nothing,
  async run(services, _params, caller): Promise<{ files: MemoryFile[] }> {
    return { files: await services.memoryOf(caller).files.list() };
  },
});

const readFile = operation({
  name: "memory.read",
  about: "The text of one of these files, with the hash that `memory.save` takes.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({ path }),
  run: (services, params, caller): Promise<MemoryText> => services.memoryOf(caller).files.read(params.path),
});

const saveFile = operation({
  name: "memory.save",
  about: "Writes one of these files, unless it has changed since it was read.",
  access: "person",
  needs: "workspace",
  changes: ["memory"],
  params: z.strictObject({ path, text: z.string().max(longestFile), hash: z.string().max(64) }),
  run: (services, params, caller): Promise<MemorySaved> =>
    memoryToChange(services, caller).files.save(params),
});

const listVersions = operation({
  name: "memory.log",
  about: "The changes of the memory files, newest first; on request with what was edited by hand since.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({
    most: z.int().min(1).max(500).optional(),
    kind: z.enum(["start", "dream", "edit", "restore", "forget"]).optional(),
    withEdits: z.boolean().optional(),
  }),
  async run(services, params, caller): Promise<{ versions: Version[] }> {
    const { most = usualVersions, kind, withEdits } = params;
    const memory = services.memoryOf(caller);
    if (withEdits === true) await memory.files.keep();
    return { versions: await memory.log({ most, ...(kind && { kind }) }) };
  },
});

const showChange = operation({
  name: "memory.change",
  about: "What one version changed, file by file.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({ id }),
  run: (services, params, caller): Promise<{ version: Version; files: FileDiff[] }> =>
    services.memoryOf(caller).show(params.id),
});

const restoreVersion = operation({
  name: "memory.restore",
  about: "Undoes one change, and only that one.",
  access: "person",
  needs: "workspace",
  changes: ["memory"],
  params: z.strictObject({ id }),
  run: (services, params, caller): Promise<Version> => memoryToChange(services, caller).restore(params.id),
});

const explain = operation({
  name: "memory.why",
  about: "Where a line of memory came from: the messages that it was drawn from.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({ text }),
  async run(services, params, caller): Promise<MemoryExplanation> {
    const { facts, similar } = await services.memoryOf(caller).explain(params.text);
    return { facts: facts.map(toFact), similar: similar.map(toPlace) };
  },
});

const search = operation({
  name: "memory.search",
  about: "Finds something in all that was said and written, without a model.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({ query: text }),
  async run(services, { query }, caller): Promise<MemoryFound> {
    const { hits, sessions } = await services.memoryOf(caller).search(query, caller.signal);
    return { hits: hits.map(toPlace), sessions };
  },
});

const preview = operation({
  name: "memory.preview",
  about: "Everything that holds these words and would be forgotten.",
  access: "person",
  needs: "workspace",
  params: z.strictObject({ words: text }),
  run: async (services, { words }, caller): Promise<ForgetPreview> =>
    toPreview(await services.memoryOf(caller).findForgettable(words)),
});

const forget = operation({
  name: "memory.forget",
  about:
    "Forgets everything that holds these words, after a question; with the digest of `memory.preview` without one, unless it has changed since.",
  access: "person",
  needs: "workspace",
  changes: ["memory"],
  params: z.strictObject({ words: text, digest: id.optional() }),
  async *run(services, { words, digest }, caller): OperationRun<Forgotten> {
    const memory = memoryToChange(services, caller);
    const forgettable = await memory.findForgettable(words);
    if (digest !== undefined && toDigest(forgettable) !== digest) throw fail("memory.changed-since");
    if (digest === undefined) {
      if (isNothing(forgettable)) throw fail("memory.nothing-to-forget");
      const answer = yield { type: "question", question: toForgetQuestion(forgettable) };
      if (answer !== "yes") throw fail("memory.not-forgotten");
    }
    const version = await memory.forget(forgettable, words);
    const { lines, messages, summaries } = forgettable;
    return {
      lines,
      messages: messages.map(toReference),
      summaries: summaries.map(toReference),
      ...(version && { version }),
    };
  },
});

// Without `changes`: it thinks for minutes, and takes the home lock itself when it writes.
const dream = operation({
  name: "memory.dream",
  about: "Goes through what was said since the last time and keeps what matters. Takes as long as the model.",
  access: "person",
  needs: "assistant",
  params: nothing,
  async *run(services, _params, caller): OperationRun<DreamReport> {
    const late = AbortSignal.timeout(longestDreamMs);
    const signal = caller.signal === undefined ? late : AbortSignal.any([late, caller.signal]);
    const outcome = yield* withProgress((report) =>
      services.dream(caller, signal, (progress) => report(phrase("dream.part", progress))),
    );
    return { ...outcome, reasons: toReasons(outcome) };
  },
});

export const memoryOperations = [
  listFiles,
  readFile,
  saveFile,
  listVersions,
  showChange,
  restoreVersion,
  explain,
  search,
  preview,
  forget,
  dream,
] as const;

/** A guest's own memory is that guest's; in a group, only the owner decides. */
function memoryToChange(services: WorkspaceServices, caller: Caller): PersonMemory {
  if (caller.group !== undefined && caller.role !== "owner") throw fail("memory.not-yours");
  return services.memoryOf(caller);
}
