// Where the content of a file came from: the labels that it was written with, a label for what is outside of the
// workspace, one for skills that nobody vouches for. Opens nothing.
import { basename } from "node:path";
import { joinLabels, toLabel } from "../../lib/labels.ts";
import type { TaintedFiles } from "../../storage/grants/tainted-files.ts";
import { isInside, toRealRoot } from "../files/real-path.ts";

/** Of a file or folder by its real path. */
export type FindFileLabels = (path: string) => Promise<string[]>;

export interface FileLabelsOptions {
  workspace: string;
  /** Outside of it, but ours: what is there has labels of its own or none. */
  ownFolders: readonly string[];
  tainted: TaintedFiles;
  /** The label of a skill that a path belongs to; undefined for one that is trusted, "" if it is not a skill. */
  skillLabel(path: string): Promise<string | undefined>;
}

export function createFileLabels({
  workspace,
  ownFolders,
  tainted,
  skillLabel,
}: FileLabelsOptions): FindFileLabels {
  return async (path) => {
    const known = await tainted.labelsOf(path);
    const skill = await skillLabel(path);
    if (skill !== "") return joinLabels(known, skill === undefined ? [] : [skill]);
    const isOurs = [workspace, ...ownFolders].some((folder) => isInside(path, toRealRoot(folder)));
    return isOurs ? known : joinLabels(known, [toLabel("file", basename(path))]);
  };
}
