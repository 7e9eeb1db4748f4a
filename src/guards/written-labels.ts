// Remembers which files were written with content from outside in mind: by file tools before they write, by commands
// afterwards, as they say nothing of it beforehand.
import type { Origin } from "../bus/types.ts";
import type { Effect, ToolContext } from "../runner/tool.ts";
import type { TaintedFiles } from "../storage/grants/tainted-files.ts";
import { findChanged, takeTimes } from "./changed-files.ts";
import type { FileRoots } from "./file-roots.ts";
import type { CommandFacts } from "./incoming-labels.ts";

type Write = Effect & { type: "write" };

export interface WrittenOptions {
  roots: FileRoots;
  tainted: TaintedFiles;
  /** A file that conversations begin with: what a file tool writes there was decided on by the owner. */
  isPromptFile(path: string, origin: Origin): boolean;
  commands: CommandFacts;
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

/** Gives back what has to be done when the command is over. */
export async function watchCommands(
  effects: readonly Effect[],
  context: ToolContext,
  { roots, tainted, commands }: WrittenOptions,
): Promise<() => Promise<void>> {
  const runs = context.labels.size === 0 ? [] : effects.filter((effect) => effect.type === "run");
  const isQuiet = await Promise.all(runs.map((run) => commands.isReadOnly(run, context)));
  if (isQuiet.every(Boolean)) return async () => {};
  const root = roots.rootFor(context.origin);
  const before = takeTimes(root);
  return async () => {
    await tainted.add(findChanged(before, takeTimes(root)).slice(-mostChanged), context.labels);
  };
}
