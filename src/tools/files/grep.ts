// The tool grep: text in files, by ripgrep. Ignore files are not obeyed, because the workspace's own .gitignore may
// leave out the very notes that are looked for; folders of tools are skipped by name instead.
import { basename, dirname, join } from "node:path";
import * as z from "zod";
import type { FileRoots, OpenedFolder } from "../../guards/files/file-roots.ts";
import { statIfThere } from "../../guards/files/path-resolver.ts";
import { toOneLine } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, type ToolContext, ToolError } from "../../runner/tool.ts";
import { namesHidden } from "./glob-pattern.ts";
import { type Found, type OutputMode, outputModes, runRipgrep } from "./ripgrep.ts";
import { describePage, skippedFolders, takePage, toPageLimit } from "./walk-folder.ts";

const usualPage = 250;
const timeLimitSeconds = 60;
/** A refinement is checked, but costs no tokens in the schema. */
const contextLines = z.int().min(0).max(20).optional();

const parameters = z.object({
  pattern: z.string().min(1),
  path: z.string().optional(),
  output_mode: z.enum(["files_with_matches", "content", "count"]).optional(),
  glob: z.string().optional().describe("Such as *.md, !*.log"),
  type: z.string().optional().describe("Such as py, ts"),
  case_insensitive: z.boolean().optional(),
  fixed_strings: z.boolean().optional(),
  context_before: contextLines,
  context_after: contextLines,
  head_limit: z.int().min(0).optional().describe("Default 250, at most 1000"),
  offset: z.int().min(0).optional(),
});

type Arguments = z.output<typeof parameters>;

export function createGrep(roots: FileRoots): Tool<Arguments> {
  return defineTool({
    name: "grep",
    description:
      "Searches the text of files by regular expression. Leaves out binary files, files over 2 MB, hidden ones unless glob names them, .git, node_modules and the like.",
    parameters,
    readOnly: true,
    effects: ({ path = "." }) => [{ type: "read", path }],
    async execute(args, context) {
      const target = await openTarget(roots, args.path ?? ".", context);
      const timeout = AbortSignal.timeout(timeLimitSeconds * 1000);
      try {
        const signal = AbortSignal.any([context.signal, timeout]);
        return { content: await search(args, target, signal) };
      } catch (error) {
        if (error !== timeout.reason) throw error;
        throw new ToolError(
          `The search took over ${timeLimitSeconds} seconds. Narrow it by path, glob or type.`,
        );
      } finally {
        await target.folder.close();
      }
    },
  });
}

interface Target {
  folder: OpenedFolder;
  /** What is searched, seen from the folder. */
  name: string;
  shown: string;
  /** A path of ripgrep's as the model should see it; undefined for what may not be read. */
  show(path: string): Promise<string | undefined>;
}

async function openTarget(roots: FileRoots, path: string, { origin }: ToolContext): Promise<Target> {
  const real = await roots.resolveRead(path, origin);
  const isFile = (await statIfThere(real))?.isFile() === true;
  const folder = await roots.openFolder(isFile ? dirname(real) : path, origin);
  return {
    folder,
    name: isFile ? `./${basename(real)}` : ".",
    shown: roots.display(real, origin),
    show: remember(async (found) => {
      const path = join(folder.realPath, found);
      return (await roots.mayRead(path, origin)) ? roots.display(path, origin) : undefined;
    }),
  };
}

/** Matches of one file come one after the other. */
function remember(show: Target["show"]): Target["show"] {
  let last: { path: string; shown: Promise<string | undefined> } | undefined;
  return (path) => {
    if (last?.path !== path) last = { path, shown: show(path) };
    return last.shown;
  };
}

async function search(args: Arguments, target: Target, signal: AbortSignal): Promise<string> {
  const { output_mode = "files_with_matches", offset = 0 } = args;
  const mode = outputModes[output_mode];
  const searching = findAll(toRipgrepArguments(args, target, mode), { target, mode, signal });
  const page = await takePage(searching, offset, toPageLimit(args.head_limit, usualPage));
  if (page.items.length === 0) return describeNothing(args, target.shown);
  const isComplete = offset === 0 && !page.hasMore;
  return mode.format(page.items, isComplete) + describePage(page, offset, mode.noun);
}

interface Search {
  target: Target;
  mode: OutputMode;
  signal: AbortSignal;
}

async function* findAll(args: string[], { target, mode, signal }: Search): AsyncGenerator<Found> {
  const { separator } = mode;
  for await (const record of runRipgrep({ args, folder: target.folder.path, separator, signal })) {
    const parsed = mode.parse(record);
    const path = parsed && (await target.show(parsed.path));
    if (parsed !== undefined && path !== undefined) yield { ...parsed, path };
  }
}

/** Values that a model gave are always in the same word as their option, so that none can be taken for another option. */
function toRipgrepArguments(args: Arguments, { name }: Target, { flags }: OutputMode): string[] {
  const isSingleFile = name !== ".";
  const options: Array<[isSet: boolean, option: string]> = [
    [args.case_insensitive === true, "--ignore-case"],
    [args.fixed_strings === true, "--fixed-strings"],
    [/\n|\\n/.test(args.pattern), "--multiline"],
    [args.context_before !== undefined, `--before-context=${args.context_before}`],
    [args.context_after !== undefined, `--after-context=${args.context_after}`],
    [args.type !== undefined, `--type=${args.type}`],
    [args.glob !== undefined, `--glob=${args.glob}`],
    [namesHidden(args.glob ?? ""), "--hidden"],
  ];
  return [
    "--no-config",
    "--no-ignore",
    "--no-messages",
    "--color=never",
    "--sort=path",
    "--engine=auto",
    `--max-filesize=${isSingleFile ? "100M" : "2M"}`,
    ...flags,
    ...options.filter(([isSet]) => isSet).map(([, option]) => option),
    ...skippedFolders.map((folder) => `--glob=!**/${folder}/**`),
    `--regexp=${args.pattern}`,
    "--",
    name,
  ];
}

function describeNothing({ pattern, offset = 0 }: Arguments, shown: string): string {
  const beyond = offset > 0 ? ` beyond ${offset}` : "";
  return `No matches for ${toOneLine(pattern, 200)}${beyond} (path: ${shown}).`;
}
