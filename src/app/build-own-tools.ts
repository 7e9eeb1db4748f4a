// The person's own tools, from the files in <home>/tools that were allowed. Without any, all it costs is a look at one name.
import { join, relative } from "node:path";
import type { HomePaths } from "../config/home.ts";
import type { CodeProblem } from "../guards/code-closure.ts";
import { TrustedCode } from "../guards/trusted-code.ts";
import { type FileStamp, isUnchanged, takeStamp } from "../lib/file-stamp.ts";
import type { Log } from "../lib/log.ts";
import { workerPath } from "../lib/package-root.ts";
import { toOneLine } from "../lib/text.ts";
import type { Tool } from "../runner/tool.ts";
import { type OwnToolProblem, readOwnTools } from "../tools/own-tools.ts";

export interface OwnToolFile {
  /** Its name in the folder. */
  file: string;
  state: "allowed" | "changed" | "new" | "refused";
  /** The file and what it imports. */
  covers: string[];
  tools: Array<{ name: string; description: string }>;
  problem?: CodeProblem | OwnToolProblem | { kind: "failed"; subject: string };
}

export interface OwnToolsPlace {
  paths: HomePaths;
  workspace: string;
}

export function openOwnCode({ paths, workspace }: OwnToolsPlace): TrustedCode {
  return new TrustedCode({
    folder: join(paths.home, "tools"),
    listPath: listOf(paths),
    workspace,
    kit: workerPath("tools/tool-kit.ts"),
  });
}

/** `others` names tools that are there besides the built-in ones. */
export async function loadOwnTools(
  place: OwnToolsPlace,
  others: readonly string[] = [],
): Promise<{ tools: Tool[]; files: OwnToolFile[] }> {
  const code = openOwnCode(place);
  const tools: Tool[] = [];
  const files: OwnToolFile[] = [];
  const taken = new Set(others);
  for (const found of await code.survey()) {
    const { name: file, state } = found;
    const report: OwnToolFile = { file, state, covers: [], tools: [] };
    files.push(report);
    if (found.state === "refused") {
      report.problem = found.problem;
      continue;
    }
    report.covers = [...found.closure.sources.keys()].map((path) => relative(join(found.path, ".."), path));
    if (state !== "allowed") continue;
    const read = await readFile(() => code.load(found.closure), { file, taken });
    if (!Array.isArray(read)) {
      report.problem = read;
      continue;
    }
    report.tools = read.map(({ name, description }) => ({ name, description }));
    tools.push(...read);
    for (const { name } of read) taken.add(name);
  }
  return { tools, files };
}

/** The code of a person may throw anything while it is loaded, and takes nothing but itself out. */
async function readFile(
  load: () => Promise<Record<string, unknown>>,
  options: Parameters<typeof readOwnTools>[1],
): Promise<Tool[] | NonNullable<OwnToolFile["problem"]>> {
  try {
    return readOwnTools(await load(), options);
  } catch (error) {
    return {
      kind: "failed",
      subject: toOneLine(error instanceof Error ? error.message : String(error), 300),
    };
  }
}

/** The tools as they are allowed now: the same list while nothing was allowed or taken back. */
export function watchOwnTools(
  { log, ...place }: OwnToolsPlace & { log: Log },
  others: readonly string[],
): () => Promise<readonly Tool[]> {
  const none: readonly Tool[] = [];
  let stamp: FileStamp | undefined;
  let loaded = Promise.resolve(none);

  async function load(): Promise<readonly Tool[]> {
    const { tools, files } = await loadOwnTools(place, others);
    for (const { file, state, problem } of files)
      if (problem !== undefined || state === "changed")
        log.warn("own-tool-left-out", { file, state, problem });
    return tools;
  }

  return () => {
    if (stamp !== undefined && isUnchanged(stamp)) return loaded;
    stamp = takeStamp(listOf(place.paths));
    loaded = stamp === undefined ? Promise.resolve(none) : load();
    return loaded;
  };
}

function listOf({ home }: HomePaths): string {
  return join(home, "tools.json");
}
