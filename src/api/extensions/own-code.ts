// Custom code in the home: tools in <home>/tools, channels in <home>/channels. Loads what was allowed and says why the
// rest is not used. Knows neither tools nor channels.
import { relative } from "node:path";
import type { CodeProblem } from "../../guards/code/code-closure.ts";
import { ImportFault, TrustedCode } from "../../guards/code/trusted-code.ts";
import { toRealRoot } from "../../guards/files/real-path.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { workerPath } from "../../lib/package-root.ts";
import { toOneLine } from "../../lib/text.ts";
import type { HomePaths } from "../../storage/home.ts";

export type OwnCodeKind = "tools" | "channels";

export interface OwnCodePlace {
  paths: HomePaths;
  workspace: string;
}

export interface OwnCodeProblem {
  kind:
    | CodeProblem["kind"]
    | ImportFault["problem"]["kind"]
    | "failed"
    | "no-export"
    | "bad-name"
    | "taken"
    | "too-long";
  subject: string;
}

export interface OwnCodeFile {
  /** Its name in the folder. */
  file: string;
  state: "allowed" | "changed" | "new" | "refused";
  /** The file and what it imports. */
  covers: string[];
  /** What it brings, when it is used. */
  offers: Array<{ name: string; description: string }>;
  problem?: OwnCodeProblem;
}

/** What a file brings, from what it exports; it may throw anything. */
export type ReadOwnCode = (
  exported: Record<string, unknown>,
  file: string,
) => OwnCodeFile["offers"] | OwnCodeProblem;

export function openOwnCode(kind: OwnCodeKind, { paths, workspace }: OwnCodePlace): TrustedCode {
  return new TrustedCode({
    folder: paths[kind],
    takesFolders: kind === "channels",
    listPath: ownCodeList(kind, paths),
    workspace,
    kit: workerPath("tools/tool-kit.ts"),
  });
}

/** The file of allowed code. */
export function ownCodeList(kind: OwnCodeKind, { allowedTools, allowedChannels }: HomePaths): string {
  return { tools: allowedTools, channels: allowedChannels }[kind];
}

export async function loadOwnCode(
  kind: OwnCodeKind,
  place: OwnCodePlace,
  read: ReadOwnCode,
): Promise<OwnCodeFile[]> {
  const code = openOwnCode(kind, place);
  const folder = toRealRoot(place.paths[kind]);
  const files: OwnCodeFile[] = [];
  for (const entry of await code.survey()) {
    const { name: file, state } = entry;
    const report: OwnCodeFile = { file, state, covers: [], offers: [] };
    files.push(report);
    if (entry.state === "refused") {
      report.problem = entry.problem;
      continue;
    }
    report.covers = [...entry.closure.sources.keys()].map((path) => relative(folder, path));
    if (state !== "allowed") continue;
    const offers = await readSafely(async () => read(await code.load(entry.closure), file));
    if (Array.isArray(offers)) report.offers = offers;
    else report.problem = offers;
  }
  return files;
}

/** The code of a person may throw anything while it is loaded, and takes nothing but itself out. */
async function readSafely(read: () => Promise<ReturnType<ReadOwnCode>>): Promise<ReturnType<ReadOwnCode>> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof ImportFault) return error.problem;
    return {
      kind: "failed",
      subject: toOneLine(error instanceof Error ? error.message : String(error), 300),
    };
  }
}

/** Why a file is not used, and what to do about it; undefined for one that is. */
export function findOwnProblem({ file, state, problem }: OwnCodeFile, of: OwnCodeKind): Phrase | undefined {
  if (problem?.kind === "failed") return phrase("extensions.failed", { quote: problem.subject });
  if (problem !== undefined) return phrase(`extensions.${problem.kind}`, { of, subject: problem.subject });
  return state === "new" || state === "changed"
    ? phrase(`extensions.${state}`, { of, subject: file })
    : undefined;
}
