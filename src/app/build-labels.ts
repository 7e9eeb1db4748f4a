// Where things came from, as the whole assistant sees it: files, skills, what is recalled, what conversations begin with.
import { join } from "node:path";
import { withoutOwn } from "../agent/turn-labels.ts";
import type { Origin } from "../bus/types.ts";
import type { LoadedConfig } from "../config/load.ts";
import { createFileLabels, type FindFileLabels } from "../guards/file-labels.ts";
import { isInside, toShownPath } from "../guards/path-text.ts";
import { toRealRoot } from "../guards/real-path.ts";
import { joinLabels, toLabel } from "../lib/labels.ts";
import type { RecalledEntry } from "../recall/recall.ts";
import type { SkillsLoader } from "../skills/loader.ts";
import type { TaintedFiles } from "../storage/grants/tainted-files.ts";
import type { HomePaths } from "../storage/home.ts";

export interface LabelParts {
  paths: HomePaths;
  workspace: string;
  tainted: TaintedFiles;
}

/** Of what a search has found, for a turn of this origin. */
export type FindEntryLabels = (entries: readonly RecalledEntry[], origin: Origin) => Promise<string[]>;

export function buildFileLabels(parts: LabelParts, skills: SkillsLoader): FindFileLabels {
  return createFileLabels({ ...toPlaces(parts), skillLabel: (path) => findSkillLabel(skills, path) });
}

export function buildEntryLabels(parts: LabelParts): FindEntryLabels {
  const findLabels = createFileLabels({ ...toPlaces(parts), skillLabel: async () => "" });
  return async (entries, origin) => {
    const ofFiles = entries.map(({ path }) => (path === undefined ? [] : findLabels(toRealRoot(path))));
    const labels = joinLabels(...entries.map((entry) => entry.labels ?? []), ...(await Promise.all(ofFiles)));
    return withoutOwn(labels, origin);
  };
}

function toPlaces({ paths, workspace, tainted }: LabelParts) {
  return { workspace, ownFolders: [paths.toolResults], tainted };
}

/** A skill that came with the program, or that the owner has read and allowed as it is, speaks for the owner. */
async function findSkillLabel(skills: SkillsLoader, path: string): Promise<string | undefined> {
  const root = skills
    .roots()
    .map(toRealRoot)
    .find((folder) => isInside(path, folder));
  if (root === undefined) return "";
  const entries = (await skills.survey()).list();
  const entry = entries.find(({ folder }) => isInside(path, toRealRoot(folder)));
  if (entry?.source === "built-in" || entry?.isAllowed === true) return undefined;
  return toLabel("skill", entry?.name ?? toShownPath(path, root).split("/", 1)[0]);
}

const promptNames = [
  "AGENTS.md",
  "SOUL.md",
  "USER.md",
  "TOOLS.md",
  "IDENTITY.md",
  "HEARTBEAT.md",
  "BOOTSTRAP.md",
];

/** Names of files in a root that conversations begin with. */
export function listPromptFiles({ config }: LoadedConfig): string[] {
  return [...new Set([...promptNames, ...config.agents.defaults.bootstrapFiles])];
}

/** Of the files that a person's prompt is made of: those that a command wrote, with content from outside in mind. */
export function buildPromptLabels(
  { tainted }: LabelParts,
  loaded: LoadedConfig,
): (personRoot: string) => Promise<string[]> {
  const names = [...listPromptFiles(loaded), "memory"];
  return async (personRoot) => {
    const known = await tainted.list();
    if (known.size === 0) return [];
    const places = names.map((name) => join(toRealRoot(personRoot), name));
    const found = [...known].filter(([path]) => places.some((place) => isInside(path, place)));
    return joinLabels(...found.map(([, labels]) => labels));
  };
}

/** The files of every prompt, and the memory, whose notes and facts find their way into one. */
export function createPromptFileRule(
  loaded: LoadedConfig,
  rootFor: (origin: Origin) => string,
): (path: string, origin: Origin) => boolean {
  const names = new Set(listPromptFiles(loaded).map(toComparable));
  return (path, origin) => {
    const root = rootFor(origin);
    const name = toComparable(toShownPath(path, root));
    return names.has(name) || isInside(path, join(root, "memory"));
  };
}

/** As a disk that ignores case and the forms of letters sees a name. */
function toComparable(name: string): string {
  return name.normalize("NFKC").toLowerCase();
}
