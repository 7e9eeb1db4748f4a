// A note that a closed conversation is to be archived: its key and whose it is, in a file with the name of its file.
import { readFile } from "node:fs/promises";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { writeFileAtomic } from "../files/atomic-file.ts";
import { isScope, ownerScope, type Scope } from "../scope.ts";
import type { Session } from "./session.ts";

export interface ClosedNote {
  key: string;
  /** Absent in notes of 0.1.0: whose the conversation is stands in its file, too. */
  scope?: Scope;
}

export function writeNote(path: string, { key, scope = ownerScope }: Session): Promise<void> {
  return writeFileAtomic(path, JSON.stringify({ key, scope }));
}

export async function readNote(path: string): Promise<ClosedNote> {
  const text = await readFile(path, "utf8");
  const value = parseJson(text);
  if (!isRecord(value)) return { key: text };
  return { key: String(value.key), ...(isScope(value.scope) && { scope: value.scope }) };
}
