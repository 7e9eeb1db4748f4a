// Where the versions of everybody's memory files are kept: in the home, apart from any repository of the workspace.
import { basename, join, relative, sep } from "node:path";
import type { HomePaths } from "../config/home.ts";
import { Versions, type VersionsOptions } from "../dream/versions.ts";
import { toRealRoot } from "../guards/real-path.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";

export interface VersionParts {
  paths: HomePaths;
  workspace: string;
  /** Its name stands for the workspace, also after that was moved. */
  sessionsFolder: string;
  clock: Clock;
  log: Log;
  /** Default: a line in the log. */
  onProblem?: VersionsOptions["onProblem"];
}

/** `root` is the workspace, or a guest's or group's folder in it. */
export function buildVersions(parts: VersionParts): (root: string) => Versions {
  const { paths, workspace, sessionsFolder, clock, log } = parts;
  const { onProblem = (problem) => log.warn("versions-problem", { ...problem }) } = parts;
  const folder = join(paths.home, "versions", basename(sessionsFolder));
  return (root) => {
    const whose = relative(toRealRoot(workspace), toRealRoot(root)).replaceAll(sep, "-") || "owner";
    return new Versions({ gitFolder: join(folder, `${whose}.git`), workTree: root, clock, onProblem });
  };
}
