// How many processes all commands together may have when we are root, to whom the usual limit does not apply: a control
// group of our own, where the system lets us make one. It stays there, empty, for the next time.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "./file-error.ts";

const mostProcesses = 1024;
/** Of the second version of control groups, and of the first. */
const hierarchies = ["/sys/fs/cgroup", "/sys/fs/cgroup/pids"];

/** The words to start a program with so that it counts; none where there is no quota, or no need of one. */
export function findProcessQuota(): string[] {
  if (process.getuid?.() !== 0) return [];
  const group = hierarchies.map(makeGroup).find((path) => path !== undefined);
  if (group === undefined) return [];
  return ["/bin/sh", "-c", '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"', join(group, "cgroup.procs")];
}

function makeGroup(hierarchy: string): string | undefined {
  const group = join(hierarchy, "nanobot");
  try {
    const children = join(hierarchy, "cgroup.subtree_control");
    if (hierarchy === "/sys/fs/cgroup" && !/\bpids\b/.test(readFileSync(children, "latin1"))) {
      writeFileSync(children, "+pids");
    }
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, "pids.max"), String(mostProcesses));
    return group;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}
