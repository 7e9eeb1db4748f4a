// Small notes of what is under way in this process, one file each in the folder `run` of the home, so that a later start
// can finish what a killed process left.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { isAlive } from "../../lib/process/is-alive.ts";
import { codeOf } from "../files/file-error.ts";

/** Of this process: the number of one that is gone may have become its own. */
const ownRecords = new Set<string>();

export class RunRecord {
  readonly #path: string;
  readonly #folder: string;

  constructor(folder: string, kind: string) {
    this.#folder = folder;
    this.#path = join(folder, `${kind}-${process.pid}-${ownRecords.size}.json`);
    ownRecords.add(this.#path);
  }

  /** Undefined: nothing is under way. */
  write(value: unknown): void {
    try {
      if (value === undefined) rmSync(this.#path, { force: true });
      else {
        mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
        writeFileSync(this.#path, JSON.stringify({ began: beginningOf(process.pid), value }), {
          mode: 0o600,
        });
      }
    } catch (error) {
      // A full disk: if this process is killed now, nobody finishes it.
      if (codeOf(error) === undefined) throw error;
    }
  }
}

export interface LeftRecord {
  value: unknown;
  remove(): void;
}

/** Of processes that are gone. */
export function listLeftRecords(folder: string, kind: string): LeftRecord[] {
  return list(folder).flatMap((name) => {
    const path = join(folder, name);
    const pid = Number(new RegExp(`^${kind}-(\\d+)-\\d+\\.json$`).exec(name)?.[1]);
    if (Number.isNaN(pid) || ownRecords.has(path)) return [];
    const stored = parseJson(readText(path));
    const { began, value } = isRecord(stored) ? stored : {};
    // Another program may have got the number.
    if (pid !== process.pid && isAlive(pid) && beginningOf(pid) === began) return [];
    return [{ value, remove: () => rmSync(path, { force: true }) }];
  });
}

/** When a process began, in ticks since the system did; "" where the system does not tell. */
function beginningOf(pid: number): string {
  const [, after = ""] = readText(`/proc/${pid}/stat`).split(/\) (?=[A-Z] )/);
  return after.split(" ")[19] ?? "";
}

function list(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "";
  }
}
