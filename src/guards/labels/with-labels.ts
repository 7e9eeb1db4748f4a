// Labels what a call brings in from outside, and remembers what was written with such content in mind. What a tool says
// of its own results stays; this adds what follows from the files, addresses and commands that the call declares.

import { join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { joinLabels, withLabels as toField } from "../../lib/labels.ts";
import {
  type Effect,
  type ToolContext,
  ToolError,
  type ToolResult,
  type ToolWrapper,
} from "../../runner/tool.ts";
import type { TaintedFiles } from "../../storage/grants/tainted-files.ts";
import type { FileRoots } from "../files/file-roots.ts";
import type { TellChanges } from "../wrappers/with-changes.ts";
import {
  findNamedLabels,
  findReadLabels,
  findTargetLabels,
  type IncomingOptions,
} from "./incoming-labels.ts";

interface LabelsOptions extends IncomingOptions, WrittenOptions {}

export function withLabels(options: LabelsOptions): ToolWrapper {
  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
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
  tainted: TaintedFiles;
  /** A file that conversations begin with: what a file tool writes there was decided on by the owner. */
  isPromptFile(path: string, origin: Origin): boolean;
}

/** Of one command; a build that writes more is not what is told to anybody. */
const mostChanged = 200;

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
