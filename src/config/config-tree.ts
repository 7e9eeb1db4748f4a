// Putting values into a config as the tree of sections that a file holds.
import { isRecord } from "../lib/is-record.ts";
import { type JsonObject, ownValue, setOwn } from "../lib/json-tree.ts";

/** Puts a value where none stands, making the sections above it; what is in the way stays. */
export function placeIfFree(root: JsonObject, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const present = ownValue(root, key);
  if (rest.length > 0) {
    const section = present ?? {};
    if (!isRecord(section)) return;
    placeIfFree(section, rest, value);
    setOwn(root, key, section);
    return;
  }
  if (isRecord(present) && isRecord(value)) {
    for (const [name, item] of Object.entries(value)) placeIfFree(present, [name], item);
    return;
  }
  if (present === undefined || present === null) setOwn(root, key, value);
}
