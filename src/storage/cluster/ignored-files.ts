// What `.nanobotignore` of a workspace names: files that can be made again, and are not stored. A line is a path, or a name that
// is meant at any depth; `*` stands for a part of a name.
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const place = "workspace/.nanobotignore";
const largest = 64 * 1024;

export class IgnoredFiles {
  readonly #path: string;
  #changedAt = 0;
  #rules: RegExp | undefined;

  constructor(home: string) {
    this.#path = join(home, place);
  }

  has(path: string): boolean {
    return this.#rules?.test(path) === true && path !== place;
  }

  /** Reads it again if it is another one; whether it is. */
  refresh(): boolean {
    const status = statSync(this.#path, { throwIfNoEntry: false });
    const changedAt = status?.isFile() === true && status.size <= largest ? status.ctimeMs : 0;
    if (changedAt === this.#changedAt) return false;
    this.#changedAt = changedAt;
    const rules = changedAt === 0 ? [] : readFileSync(this.#path, "utf8").split("\n").flatMap(toRule);
    this.#rules = rules.length === 0 ? undefined : new RegExp(`^workspace/(?:${rules.join("|")})(?:/|$)`);
    return true;
  }
}

function toRule(line: string): string[] {
  const text = line.trim().replace(/\/+$/, "");
  if (text === "" || text.startsWith("#")) return [];
  const pattern = text
    .replace(/^\/+/, "")
    .replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&")
    .replaceAll(/\*+/g, "[^/]*");
  return [text.includes("/") ? pattern : `(?:.*/)?${pattern}`];
}
