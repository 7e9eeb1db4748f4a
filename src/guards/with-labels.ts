// Labels what a call brings in from outside, and remembers what was written with such content in mind. What a tool says
// of its own results stays; this adds what follows from the files, addresses and commands that the call declares.
import { basename } from "node:path";
import type { Origin } from "../bus/types.ts";
import { joinLabels, labelsOf, withLabels as toField, toLabel } from "../lib/labels.ts";
import {
  type Effect,
  type ToolContext,
  ToolError,
  type ToolResult,
  type ToolWrapper,
} from "../runner/tool.ts";
import type { FindFileLabels } from "./file-labels.ts";
import type { FileRoots } from "./file-roots.ts";
import { statIfThere } from "./path-resolver.ts";
import { isInside } from "./path-text.ts";
import { findAddresses, type SeenAddresses } from "./seen-addresses.ts";
import type { TaintedFiles } from "./tainted-files.ts";

type Run = Effect & { type: "run" };
type Write = Effect & { type: "write" };

export interface LabelsOptions {
  roots: FileRoots;
  tainted: TaintedFiles;
  findLabels: FindFileLabels;
  seen: SeenAddresses;
  /** A file that conversations begin with: what is written there was decided on by the owner. */
  isPromptFile(path: string, origin: Origin): boolean;
  reachesNetwork(effect: Run, context: ToolContext): Promise<boolean>;
}

/** A command that reads more than the files it names. */
const readsMany = /[*?[$`]|\b(?:find|xargs|rg|ls-files)\b|\s-[a-z]*[rR]\b|--recursive/;
const historyLabels = /"labels":(\["[^\]]*"\])/g;

export function withLabels(options: LabelsOptions): ToolWrapper {
  const { roots, tainted, seen } = options;

  /** Known before the call, so that an error which shows a passage has them too. */
  async function findTargets(effect: Effect, context: ToolContext): Promise<string[]> {
    if (effect.type === "run") return labelsOfRun(effect, context);
    if (effect.type !== "read" && effect.type !== "write") return [];
    const path = await resolveIfThere(effect.path, context.origin);
    if (path === undefined || (await statIfThere(path))?.isFile() !== true) return [];
    return effect.type === "read" ? options.findLabels(path) : tainted.labelsOf(path);
  }

  async function labelsOfRun(effect: Run, context: ToolContext): Promise<string[]> {
    const { command } = effect;
    const root = roots.rootFor(context.origin);
    const files = [...(await tainted.list())].filter(([path]) => isInside(path, root));
    const read = files.filter(([path]) => readsMany.test(command) || command.includes(basename(path)));
    const [program = ""] = command.trim().split(/\s/, 1);
    const isReached = await options.reachesNetwork(effect, context);
    return joinLabels(isReached ? [toLabel("command", program)] : [], ...read.map(([, labels]) => labels));
  }

  /** What is found in a folder belongs to the files that the result names. */
  async function findNamed(effect: Effect, text: string, { origin }: ToolContext): Promise<string[]> {
    if (effect.type !== "read") return [];
    const folder = await resolveIfThere(effect.path, origin);
    if (folder === undefined) return [];
    if (basename(folder) === "history.jsonl") return readHistoryLabels(text);
    if ((await statIfThere(folder))?.isDirectory() !== true) return [];
    const inside = [...(await tainted.list())].filter(
      ([path]) => isInside(path, folder) && text.includes(roots.display(path, origin)),
    );
    const outside = isInside(folder, roots.rootFor(origin)) ? [] : await options.findLabels(folder);
    return joinLabels(outside, ...inside.map(([, labels]) => labels), readHistoryLabels(text));
  }

  async function resolveIfThere(path: string, origin: Origin): Promise<string | undefined> {
    return roots.resolveRead(path, origin).catch((error: unknown) => {
      if (!(error instanceof ToolError)) throw error;
      return undefined;
    });
  }

  /** Before the write: whoever dies in between leaves a label too many, never one too few. */
  async function mark(effect: Write, { origin, labels }: ToolContext): Promise<void> {
    if (labels.size === 0) return;
    const path = await roots.resolveWrite(effect.path, origin);
    if (options.isPromptFile(path, origin)) return;
    await tainted.record(path, joinLabels(await tainted.labelsOf(path), labels));
  }

  /** A file that was written anew as a whole, with nothing from outside in mind, is clean. */
  async function unmark(effect: Write, { origin, labels }: ToolContext): Promise<void> {
    if (labels.size > 0 || effect.text === undefined || effect.replaces !== undefined) return;
    await tainted.record(await roots.resolveWrite(effect.path, origin), []);
  }

  function rememberAddresses(effect: Effect, text: string, sessionKey: string, given: string): void {
    if (effect.type !== "fetch") return;
    // What the call itself said may come back in its result, and was not written by a stranger.
    const found = findAddresses(text).filter((address) => !given.includes(address));
    seen.add(sessionKey, [effect.url, ...found]);
  }

  return (tool) => {
    const { effects } = tool;
    if (effects === undefined) return tool;
    return {
      ...tool,
      async execute(args, context) {
        const declared = effects(args);
        const known = joinLabels(...(await Promise.all(declared.map((one) => findTargets(one, context)))));
        for (const effect of declared) if (effect.type === "write") await mark(effect, context);
        const result = await runLabelled(() => tool.execute(args, context), known, context);
        const text = toText(result);
        const named: string[][] = [];
        for (const effect of declared) {
          named.push(await findNamed(effect, text, context));
          rememberAddresses(effect, text, context.sessionKey, JSON.stringify(args) ?? "");
          if (effect.type === "write" && result.isError !== true) await unmark(effect, context);
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

/** The lines of the history log say themselves where they came from. */
function readHistoryLabels(text: string): string[] {
  return joinLabels(...[...text.matchAll(historyLabels)].map(([, list]) => labelsOf(parse(list ?? "[]"))));
}

function parse(list: string): unknown {
  try {
    return { labels: JSON.parse(list) };
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function toText({ content }: ToolResult): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "")).join("\n");
}
