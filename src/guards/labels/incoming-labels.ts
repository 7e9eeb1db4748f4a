// The labels of what a call brings in, from what it declares: the files it reads, the command it runs, the names of files
// in its result. What a tool says of its own result is not known here.
import { basename, resolve } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { joinLabels, readLabels, toLabel } from "../../lib/labels.ts";
import { type Effect, type ToolContext, ToolError } from "../../runner/tool.ts";
import type { TaintedFiles } from "../../storage/grants/tainted-files.ts";
import type { CommandPolicy, Run } from "../command/command-policy.ts";
import type { GrantedCommand } from "../command/skill-grants.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { statIfThere } from "../files/path-resolver.ts";
import { isInside } from "../files/real-path.ts";
import type { FindFileLabels } from "./file-labels.ts";

/** Facts about a command before it runs. */
export interface CommandFacts {
  reachesNetwork(effect: Run, context: ToolContext): Promise<boolean>;
  /** It only looks around. */
  isReadOnly(effect: Run, context: ToolContext): Promise<boolean>;
  /** All that it reads is named by its words. */
  namesItsFiles(effect: Run, context: ToolContext): Promise<boolean>;
  /** It reaches hosts because the owner granted them to a skill. */
  grantOf(effect: Run, context: ToolContext): Promise<GrantedCommand | undefined>;
}

/** Programs that read nothing but what their words name. */
const plain = new Set(
  "cp mv mkdir touch rm rmdir ln chmod sed tar zip unzip gzip gunzip dd install".split(" "),
);

export function toCommandFacts(policy: CommandPolicy): CommandFacts {
  return {
    reachesNetwork: async (run, { origin }) => (await policy.judge(run, { origin })).needsNetwork,
    isReadOnly: async (run, { origin }) => (await policy.judge(run, { origin })).isReadOnly,
    grantOf: async (run, { origin }) => (await policy.judge(run, { origin })).granted,
    async namesItsFiles(run, { origin }) {
      const { programs, isReadOnly } = await policy.judge(run, { origin });
      return isReadOnly || programs?.every((name) => plain.has(name)) === true;
    },
  };
}

export interface IncomingOptions {
  roots: FileRoots;
  tainted: TaintedFiles;
  /** Of attachments, which nobody here wrote. */
  mediaFolder: string;
  findLabels: FindFileLabels;
  commands: CommandFacts;
}

/** A command that reads more than the files it names. */
const readsMany = /[*?[$`]|\b(?:find|xargs|rg|ls-files)\b|\s-[a-z]*[rR]\b|--recursive/;
const historyLabels = /"labels":(\["[^\]]*"\])/g;

/** Known before the call, so that an error which quotes a file has them too. */
export async function findTargetLabels(
  effect: Effect,
  context: ToolContext,
  options: IncomingOptions,
): Promise<string[]> {
  if (effect.type === "run") return labelsOfRun(effect, context, options);
  if (effect.type !== "read" && effect.type !== "write") return [];
  const path = await resolveIfThere(effect.path, context.origin, options.roots);
  if (path === undefined || (await statIfThere(path))?.isFile() !== true) return [];
  return effect.type === "read" ? options.findLabels(path) : options.tainted.labelsOf(path);
}

/** Of what was found in a folder: those of the files that the result names. */
export async function findNamedLabels(
  effect: Effect,
  text: string,
  { origin, roots, tainted, findLabels }: IncomingOptions & { origin: Origin },
): Promise<string[]> {
  if (effect.type !== "read") return [];
  const folder = await resolveIfThere(effect.path, origin, roots);
  if (folder === undefined) return [];
  const ofHistory = readHistoryLabels(text);
  if (basename(folder) === "history.jsonl") return ofHistory;
  if ((await statIfThere(folder))?.isDirectory() !== true) return [];
  const named = [...(await tainted.list())].filter(
    ([path]) => isInside(path, folder) && text.includes(roots.display(path, origin)),
  );
  const outside = isInside(folder, roots.rootFor(origin)) ? [] : await findLabels(folder);
  return joinLabels(outside, await tainted.labelsOf(folder), ofHistory, ...named.map(([, labels]) => labels));
}

async function labelsOfRun(effect: Run, context: ToolContext, options: IncomingOptions): Promise<string[]> {
  const [program = ""] = effect.command.trim().split(/\s/, 1);
  const isReached = await options.commands.reachesNetwork(effect, context);
  const read = await findReadLabels(effect, context, options);
  return joinLabels(isReached ? [toLabel("command", program)] : [], read);
}

/** Of the files that a command reads, as far as its words tell. */
export async function findReadLabels(
  { command, workingDirectory = "." }: Run,
  { origin }: ToolContext,
  { roots, tainted, mediaFolder }: Pick<IncomingOptions, "roots" | "tainted" | "mediaFolder">,
): Promise<string[]> {
  const root = roots.rootFor(origin);
  const folder = resolve(root, workingDirectory);
  const files = [...(await tainted.list())].filter(([path]) => isInside(path, root) || isInside(root, path));
  const words = new Set(command.replaceAll(/['"\\]/g, "").split(/[^\p{L}\p{N}_.,+@%~-]+/u));
  const read = files.filter(
    ([path]) => readsMany.test(command) || words.has(basename(path)) || isInside(folder, path),
  );
  const attached = command.includes(mediaFolder) ? [toLabel("file", basename(mediaFolder))] : [];
  return joinLabels(attached, ...read.map(([, labels]) => labels));
}

/** Of everything here that came from outside. */
export async function findAllLabels(
  { origin }: ToolContext,
  { roots, tainted }: Pick<IncomingOptions, "roots" | "tainted">,
): Promise<string[]> {
  const root = roots.rootFor(origin);
  const files = [...(await tainted.list())].filter(([path]) => isInside(path, root) || isInside(root, path));
  return joinLabels(...files.map(([, labels]) => labels));
}

async function resolveIfThere(path: string, origin: Origin, roots: FileRoots): Promise<string | undefined> {
  return roots.resolveRead(path, origin).catch((error: unknown) => {
    if (!(error instanceof ToolError)) throw error;
    return undefined;
  });
}

/** The lines of the history log say themselves where they came from. */
function readHistoryLabels(text: string): string[] {
  return joinLabels(...[...text.matchAll(historyLabels)].map(([, list]) => readLabels(parse(list ?? ""))));
}

function parse(list: string): unknown {
  try {
    return JSON.parse(list);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
