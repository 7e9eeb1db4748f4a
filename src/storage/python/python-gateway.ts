// Notices a gateway of the Python original that works on the same home: both would write the same files.

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { isAlive } from "../../lib/process/is-alive.ts";
import { readJsonFile } from "../files/json-file.ts";

const stateFile = /^gateway(\..+)?\.json$/;
/** `…/bin/nanobot`, or `-m nanobot`. */
const program = /(^|[/\\])nanobot(\.\w+)?$/i;
const ourRuntimes = /^node(\.exe)?$/i;

/** The process id of a running one. A state file that was left behind, or whose number is another program's by now, is none. */
export async function findPythonGateway(run: string): Promise<number | undefined> {
  for (const name of await listStates(run)) {
    const state = await readJsonFile(join(run, name));
    const pid = state.state === "read" ? state.value.pid : undefined;
    if (typeof pid !== "number" || !Number.isSafeInteger(pid) || pid <= 0 || pid === process.pid) continue;
    const command = isAlive(pid) ? await readCommand(pid) : [];
    const isForeign =
      command.some((word) => program.test(word)) && !ourRuntimes.test(basename(command[0] ?? ""));
    if (isForeign) return pid;
  }
  return undefined;
}

async function listStates(run: string): Promise<string[]> {
  try {
    return (await readdir(run)).filter((name) => stateFile.test(name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

/** The words of a process's command line; none where the system does not tell. */
async function readCommand(pid: number): Promise<string[]> {
  try {
    if (process.platform === "linux") return (await readFile(`/proc/${pid}/cmdline`, "utf8")).split("\0");
    if (process.platform === "win32") return [];
    const { execFile } = await import("node:child_process");
    const { stdout } = await promisify(execFile)("ps", ["-p", String(pid), "-o", "command="]);
    return stdout.trim().split(/\s+/);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}
