// Remembers which files were written with content from outside in mind: by file tools before they write, by commands
// afterwards, as they say nothing of it beforehand.
import { join } from "node:path";
import type { Origin } from "../bus/types.ts";
import { joinLabels } from "../lib/labels.ts";
import type { Effect, ToolContext } from "../runner/tool.ts";
import type { TaintedFiles } from "../storage/grants/tainted-files.ts";
import type { FileRoots } from "./file-roots.ts";
import { findReadLabels } from "./incoming-labels.ts";
import type { TellChanges } from "./with-changes.ts";

type Write = Effect & { type: "write" };

export interface WrittenOptions {
  roots: FileRoots;
  tainted: TaintedFiles;
  /** A file that conversations begin with: what a file tool writes there was decided on by the owner. */
  isPromptFile(path: string, origin: Origin): boolean;
}

/** Of one command; a build that writes more is not what is told to anybody. */
const mostChanged = 200;

/** Whoever dies between this and the write leaves a label too many, never one too few. */
export async function markWrite(
  effect: Write,
  { origin, labels }: ToolContext,
  { roots, tainted, isPromptFile }: WrittenOptions,
): Promise<void> {
  if (labels.size === 0) return;
  const path = await roots.resolveWrite(effect.path, origin);
  if (!isPromptFile(path, origin)) await tainted.add([path], labels);
}

/** A file that was written again as a whole, with nothing from outside in mind or by the owner's consent, is clean. */
export async function unmarkWrite(
  effect: Write,
  { origin, labels }: ToolContext,
  { roots, tainted, isPromptFile }: WrittenOptions,
): Promise<void> {
  if (effect.text === undefined || effect.replaces !== undefined) return;
  const path = await roots.resolveWrite(effect.path, origin);
  if (labels.size === 0 || isPromptFile(path, origin)) await tainted.record(path, []);
}

/** Of what a command changed: what was written with content from outside in mind, or from files that have it. */
export async function watchLabels(
  effects: readonly Effect[],
  context: ToolContext,
  { roots, tainted }: WrittenOptions,
): Promise<TellChanges> {
  const runs = effects.filter((effect) => effect.type === "run");
  const read = await Promise.all(runs.map((run) => findReadLabels(run, context, { roots, tainted })));
  const labels = joinLabels(context.labels, ...read);
  return async ({ root, list }) => {
    const known = await tainted.list();
    for (const { path, from } of list) {
      // A file takes its labels along.
      const moved = from === undefined ? [] : (known.get(join(root, from)) ?? []);
      if (moved.length === 0) continue;
      await tainted.add([join(root, path)], moved);
      await tainted.record(join(root, from ?? ""), []);
    }
    const written = list.filter(({ kind }) => kind === "created" || kind === "changed");
    if (labels.length > 0)
      await tainted.add(
        written.slice(-mostChanged).map(({ path }) => join(root, path)),
        labels,
      );
  };
}
