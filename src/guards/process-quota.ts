// How many processes all commands of this program together may have when we are root, to whom the usual limit does not
// apply: a control group for each program, where the system lets us make one, so that a flood of processes in one starves no other.

import { mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../lib/is-alive.ts";
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

const groupName = /^nanobot-(\d+)$/;
const own = `nanobot-${process.pid}`;

function makeGroup(hierarchy: string): string | undefined {
  const group = join(hierarchy, own);
  try {
    removeUnused(hierarchy);
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

/** Groups of programs that have ended. One that still holds a process stays, and is removed later. */
function removeUnused(hierarchy: string): void {
  for (const name of readdirSync(hierarchy)) {
    const pid = Number(groupName.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmdirSync(join(hierarchy, name));
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
  }
}
