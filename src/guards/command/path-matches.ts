// What a shell's pattern matches on the disk, so that links and odd names among the matches can be looked at.

import { accessSync, constants, statSync } from "node:fs";
import { opendir } from "node:fs/promises";
import { codeOf } from "../files/file-error.ts";

interface PathMatch {
  /** As the shell writes it: `..` is not folded, because behind a link it leads elsewhere. */
  path: string;
  /** Whether some part of it may be a link. */
  isLink: boolean;
}

const mostEntries = 5000;

/** The pattern counts from the folder; undefined when there is too much to look at. */
export async function findMatches(pattern: string, folder: string): Promise<PathMatch[] | undefined> {
  let left = mostEntries;
  let found: PathMatch[] = [{ path: pattern.startsWith("/") ? "" : folder, isLink: false }];
  // What stands before the first wildcard is the same for all matches.
  let isWild = false;
  for (const part of pattern.split("/").filter((name) => name !== "" && name !== ".")) {
    const next: PathMatch[] = [];
    for (const { path, isLink } of found) {
      if (!/[*?[]/.test(part)) next.push({ path: `${path}/${unquote(part)}`, isLink: isWild });
      else {
        const entries = await listMatching(`${path}/`, toExpression(part), left);
        left -= entries.length + 1;
        if (left < 0) return undefined;
        next.push(...entries.map((entry) => ({ ...entry, isLink: isLink || entry.isLink })));
      }
    }
    isWild ||= /[*?[]/.test(part);
    found = next;
  }
  return found;
}

async function listMatching(folder: string, name: RegExp, most: number): Promise<PathMatch[]> {
  const matches: PathMatch[] = [];
  try {
    let seen = 0;
    for await (const entry of await opendir(folder)) {
      if (name.test(entry.name)) matches.push({ path: folder + entry.name, isLink: entry.isSymbolicLink() });
      if (seen++ > most) return new Array<PathMatch>(most + 1).fill({ path: folder, isLink: false });
    }
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
  return matches;
}

/** Names that begin with a dot are matched too: an option of the shell may say so. */
function toExpression(part: string): RegExp {
  const source = part.replaceAll(/\\(.)|\[([!^]?)([^\]]*)\]|[*?]|[^\\]/gs, (sign, escaped, not, set) => {
    if (escaped !== undefined) return toLiteral(escaped);
    if (set !== undefined) return `[${not === "" ? "" : "^"}${set.replaceAll(/[\\^[]/g, "\\$&")}]`;
    if (sign === "*") return "[^/]*";
    return sign === "?" ? "[^/]" : toLiteral(sign);
  });
  return new RegExp(`^${source}$`, "su");
}

function toLiteral(sign: string): string {
  return /[\p{L}\p{N}_]/u.test(sign) ? sign : `\\u{${sign.codePointAt(0)?.toString(16)}}`;
}

function unquote(part: string): string {
  return part.replaceAll(/\\(.)/gs, "$1");
}

export function lookAt(path: string): "folder" | "file" | "nothing" {
  try {
    if (!statSync(path).isDirectory()) return "file";
    // One that cannot be entered is none for a shell.
    accessSync(path, constants.X_OK);
    return "folder";
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return "nothing";
  }
}
