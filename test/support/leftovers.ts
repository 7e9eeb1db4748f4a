// What a test file leaves behind: files, open descriptors, processes, timers, requests under way and whatever else would keep
// its process alive. Waits until all is settled: only what stays is told.
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

export interface Surroundings {
  /** Where the file keeps what is temporary; `home` in it is there before the file. */
  temporary: string;
  /** How many of each kind. */
  resources: ReadonlyMap<string, number>;
  children: ReadonlySet<number>;
}

/** A limit for what never settles: as long as something goes, the rest has its time. */
const usualPatienceMs = 20_000;
const pauseMs = 10;

/** What programs of the system leave in the home of a person, and npm next to it. */
const ofOthers = new Set([
  ..."python_history cache npm config local".split(" ").map((name) => `home/.${name}`),
  "node-compile-cache",
]);

export function lookAround(temporary: string): Surroundings {
  // A request that is under way now will be over: it is nothing that the file finds, and must not hide one of its own.
  const resources = new Map([...countResources()].filter(([kind]) => !kind.startsWith("FSReq")));
  return { temporary, resources, children: new Set(listChildren().keys()) };
}

/** One phrase each; empty when nothing is left. */
export async function findLeftovers(before: Surroundings, patienceMs = usualPatienceMs): Promise<string[]> {
  let [last, since] = ["", performance.now()];
  for (;;) {
    const found = list(before);
    if (found.length === 0) return found;
    if (found.join() !== last) [last, since] = [found.join(), performance.now()];
    else if (performance.now() > since + patienceMs) return found;
    await sleep(pauseMs);
  }
}

function list({ temporary, resources, children }: Surroundings): string[] {
  const all = [...listFiles(temporary), ...listFiles(join(temporary, "home"), "home/")];
  const files = all.filter((name) => !ofOthers.has(name));
  const more = [...countResources()].filter(([kind, count]) => count > (resources.get(kind) ?? 0));
  const started = [...listChildren()].filter(([pid]) => !children.has(pid));
  const found = [
    ...files.filter((name) => name !== "home").map((name) => `the file ${name}`),
    ...listDescriptors(temporary).map((path) => `an open descriptor of ${path}`),
    ...started.map(([pid, command]) => `the process ${pid} (${command})`),
    ...more.map(([kind, count]) => `${count - (resources.get(kind) ?? 0)} of ${kind}`),
  ];
  // Costly, so at the end.
  return found.length > 0
    ? found
    : listStrays(temporary).map((pid) => `the process ${pid}, which is no child any more`);
}

function countResources(): Map<string, number> {
  const counts = new Map<string, number>();
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return counts;
}

function listFiles(folder: string, prefix = ""): string[] {
  return attempt(() => readdirSync(folder).map((name) => prefix + name)) ?? [];
}

/** Only where the system tells. */
function listDescriptors(temporary: string): string[] {
  const folder = "/proc/self/fd";
  return listFiles(folder)
    .map((name) => attempt(() => readlinkSync(join(folder, name))) ?? "")
    .filter((path) => path.startsWith(`${temporary}/`));
}

function listProcesses(): string[] {
  return listFiles("/proc").filter((name) => /^\d+$/.test(name));
}

/** Processes, also those whose parents are gone, that work in a folder or have it in their environment. */
export function listStrays(temporary: string): string[] {
  return listProcesses().filter((pid) => {
    if (Number(pid) === process.pid) return false;
    const folder = attempt(() => readlinkSync(`/proc/${pid}/cwd`)) ?? "";
    const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, "latin1")) ?? "";
    return [folder, ...environment.split("\0")].some((text) => `${text}/`.includes(`${temporary}/`));
  });
}

function listChildren(): Map<number, string> {
  const children = new Map<number, string>();
  for (const pid of listProcesses()) {
    const status = attempt(() => readFileSync(`/proc/${pid}/stat`, "utf8")) ?? "";
    // After the name, which may hold anything: the state, then the parent.
    const [, parent] = status.slice(status.lastIndexOf(")") + 2).split(" ");
    if (Number(parent) !== process.pid) continue;
    const command = attempt(() => readFileSync(`/proc/${pid}/cmdline`, "utf8")) ?? "";
    children.set(Number(pid), command.replaceAll("\0", " ").trim().slice(0, 120));
  }
  return children;
}

/** Undefined where the system has no such thing, or no longer. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return undefined;
  }
}
