// Where the versions of everybody's memory files are kept: in the home, apart from any repository of the workspace.
import { createHash } from "node:crypto";
import { basename, join, relative, sep } from "node:path";
import type { HomePaths } from "../config/home.ts";
import { toRealRoot } from "../guards/real-path.ts";
import type { Clock } from "../lib/clock.ts";
import type { Log } from "../lib/log.ts";
import { Versions } from "../memory/versions.ts";

export interface VersionParts {
  paths: HomePaths;
  workspace: string;
  clock: Clock;
  log: Log;
}

/** `root` is the workspace, or a guest's or group's folder in it. */
export function buildVersions({ paths, workspace, clock, log }: VersionParts): (root: string) => Versions {
  const real = toRealRoot(workspace);
  const hash = createHash("sha256").update(real).digest("hex").slice(0, 8);
  const folder = join(paths.home, "versions", `${basename(real)}-${hash}`);
  return (root) => {
    const whose = relative(real, toRealRoot(root)).replaceAll(sep, "-") || "owner";
    return new Versions({
      gitFolder: join(folder, `${whose}.git`),
      workTree: root,
      clock,
      onProblem: (problem) => log.warn("versions-problem", { ...problem }),
    });
  };
}
