// Labels what a call brings in from outside, and remembers what was written with such content in mind. What a tool says
// of its own results stays; this adds what follows from the files, addresses and commands that the call declares.

import { basename, join } from "node:path";
import * as z from "zod";
import type { Origin } from "../../bus/types.ts";
import { joinLabels, withLabels as toField, toLabel } from "../../lib/labels.ts";
import {
  type Effect,
  type ToolContext,
  ToolError,
  type ToolResult,
  type ToolWrapper,
} from "../../runner/tool.ts";
import type { Changes, FileChange } from "../../storage/changes/command-changes.ts";
import { scanTree } from "../../storage/changes/tree-scan.ts";
import type { TaintedFiles } from "../../storage/grants/tainted-files.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { listLeftRecords, RunRecord } from "../sandbox/run-records.ts";
import type { TellChanges } from "../wrappers/with-changes.ts";
import {
  type CommandFacts,
  findAllLabels,
  findNamedLabels,
  findReadLabels,
  findTargetLabels,
  type IncomingOptions,
} from "./incoming-labels.ts";

interface LabelsOptions extends IncomingOptions, WrittenOptions {}

const recordKind = "labels";
const recordSchema = z.object({ root: z.string(), since: z.number(), labels: z.array(z.string()) });
/** A file system's clock may be this much behind. */
const coarseMs = 20;
/** Above it, the whole folder is. */
const mostMarked = 500;

export function withLabels(options: LabelsOptions): ToolWrapper {
  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        await options.left;
        const declared = effects(args);
        const targets = declared.map((effect) => findTargetLabels(effect, context, options));
        const known = joinLabels(...(await Promise.all(targets)));
        for (const effect of declared) if (effect.type === "write") await markWrite(effect, context, options);
        const result = await runLabelled(() => tool.execute(args, context), known, context);
        const text = toText(result);
        const named: string[][] = [];
        for (const effect of declared) {
          named.push(await findNamedLabels(effect, text, { ...options, origin: context.origin }));
          if (effect.type === "write" && result.isError !== true) await unmarkWrite(effect, context, options);
        }
        return { ...result, ...toField(joinLabels(result.labels ?? [], known, ...named)) };
      },
    };
  };
}

/** An error has no labels: where there are some, it becomes a result. */
async function runLabelled(
  run: () => Promise<ToolResult>,
  labels: string[],
  { signal }: ToolContext,
): Promise<ToolResult> {
  try {
    return await run();
  } catch (error) {
    if (labels.length === 0 || signal.aborted || !(error instanceof ToolError)) throw error;
    return { content: error.message, isError: true, labels };
  }
}

function toText({ content }: ToolResult): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}

type Write = Effect & { type: "write" };

interface WrittenOptions {
  roots: FileRoots;
  /** Holds notes of commands that run; without one a killed process leaves none. */
  runFolder?: string;
  /** `finishLeftLabels` of an earlier process. */
  left?: Promise<void>;
  tainted: TaintedFiles;
  mediaFolder: string;
  commands: CommandFacts;
  /** A file that conversations begin with: what a file tool writes there was decided on by the owner. */
  isPromptFile(path: string, origin: Origin): boolean;
}

/** A crash between this and the write leaves a label too many, never one too few. */
async function markWrite(
  effect: Write,
  { origin, labels }: ToolContext,
  { roots, tainted, isPromptFile }: WrittenOptions,
): Promise<void> {
  if (labels.size === 0) return;
  const path = await roots.resolveWrite(effect.path, origin);
  if (!isPromptFile(path, origin)) await tainted.add([path], labels);
}

/** A file that was written again as a whole, with nothing from outside in mind or by the owner's consent, is clean. */
async function unmarkWrite(
  effect: Write,
  { origin, labels }: ToolContext,
  { roots, tainted, isPromptFile }: WrittenOptions,
): Promise<void> {
  if (effect.text === undefined || effect.replaces !== undefined) return;
  const path = await roots.resolveWrite(effect.path, origin);
  if (labels.size === 0 || isPromptFile(path, origin)) await tainted.record(path, []);
}

/**
 * Of what a command changed: what came over the network or out of an archive, was written with content from outside in
 * mind, or from files that have it. Where its words do not say what it read, it may have read anything here.
 */
export async function watchLabels(
  effects: readonly Effect[],
  context: ToolContext,
  options: WrittenOptions,
): Promise<TellChanges> {
  const { tainted, commands } = options;
  const runs = effects.filter((effect) => effect.type === "run");
  const read = await Promise.all(runs.map((run) => labelsOfWritten(run, context, options)));
  const labels = joinLabels(context.labels, ...read);
  const isNamed = await Promise.all(runs.map((run) => commands.namesItsFiles(run, context)));
  const all = isNamed.every(Boolean) ? [] : await findAllLabels(context, options);
  const { runFolder, roots } = options;
  const archives = runs.flatMap(({ command }) => findArchives(command, []));
  const record = runFolder === undefined ? undefined : new RunRecord(runFolder, recordKind);
  const expected = joinLabels(labels, all, archives);
  if (expected.length > 0)
    record?.write({ root: roots.rootFor(context.origin), since: Date.now() - coarseMs, labels: expected });
  const tell = async ({ root, list, newFolders, skipped }: Changes): Promise<void> => {
    const toPath = (path: string) => join(root, path);
    const fresh = new Set([...newFolders, ...skipped]);
    // A new folder represents all that is in it.
    const isCovered = (path: string) => listAround(path).some((folder) => fresh.has(folder));
    for (const { path, from } of list) {
      // A file takes its labels along.
      const moved = from === undefined ? [] : await tainted.labelsOf(toPath(from));
      if (moved.length === 0) continue;
      await tainted.add([toPath(path)], moved);
      await tainted.record(toPath(from ?? ""), []);
    }
    const written = list.filter(({ kind }) => kind === "created" || kind === "changed");
    const unpacked = runs.flatMap(({ command }) => findArchives(command, written));
    const found = joinLabels(labels, all, unpacked);
    if (found.length === 0) return;
    const files = written.map(({ path }) => path).filter((path) => !isCovered(path));
    const folders = [...fresh].filter((path) => !isCovered(path));
    await tainted.add([...files, ...folders].map(toPath), found);
  };
  return (changes) => tell(changes).finally(() => record?.write(undefined));
}

/** What commands of processes that were killed have written gets its labels now. */
export async function finishLeftLabels(runFolder: string, tainted: TaintedFiles): Promise<void> {
  for (const { value, remove } of listLeftRecords(runFolder, recordKind)) {
    const { data } = recordSchema.safeParse(value);
    if (data !== undefined) {
      const { root, since, labels } = data;
      const { files, skipped, isWhole } = await scanTree(root, {});
      const written = [...files].flatMap(([path, { changedAt }]) => (changedAt >= since ? [path] : []));
      const isMuch = written.length > mostMarked || !isWhole;
      await tainted.add(
        isMuch ? [root] : [...written, ...skipped.keys()].map((path) => join(root, path)),
        labels,
      );
    }
    remove();
  }
}

async function labelsOfWritten(
  run: Effect & { type: "run" },
  context: ToolContext,
  options: WrittenOptions,
): Promise<string[]> {
  const [program = ""] = run.command.trim().split(/\s/, 1);
  const isReached = await options.commands.reachesNetwork(run, context);
  return joinLabels(
    isReached ? [toLabel("command", program)] : [],
    await findReadLabels(run, context, options),
  );
}

/** The folders that a path is in. */
function listAround(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

const archiveName =
  /[^\s'"=;|&<>()]+\.(?:zip|tar|tgz|tbz2?|txz|7z|rar|gz|bz2|xz|zst|whl|jar|war|deb|rpm|apk|cpio|iso|crate|gem|epub)(?![\w.])/gi;

/** Archives that a command names and did not make: what it wrote may have been in them. */
function findArchives(command: string, written: readonly FileChange[]): string[] {
  const made = new Set(written.map(({ path }) => basename(path)));
  const names = (command.match(archiveName) ?? []).map((name) => basename(name));
  return names.filter((name) => !made.has(name)).map((name) => toLabel("file", name));
}
