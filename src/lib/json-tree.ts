// Plain JSON objects as trees of keys: reading, looking up, and setting without reaching a prototype.
import { isRecord } from "./is-record.ts";

export type JsonObject = Record<string, unknown>;

/** Undefined for text that is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Deeper trees are refused, so that recursion over a tree cannot overflow the stack. */
export const deepestJson = 64;

export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((item) => isDeeperThan(item, levels - 1));
}

/** The value of a key that the object itself has, whatever its prototype offers. */
export function ownValue<T>(object: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function getIn(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isRecord(value) ? ownValue(value, key) : undefined), root);
}

/** Plain assignment would reach the prototype for a key named `__proto__`. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

/** Puts a value where there is none, making the sections above it; what is in the way stays. */
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
