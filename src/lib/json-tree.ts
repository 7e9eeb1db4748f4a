// Plain JSON objects as trees of keys: looking up, and setting without reaching a prototype.

export type JsonObject = Record<string, unknown>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value of a key that the object itself has, whatever its prototype offers. */
export function ownValue<T>(object: Record<string, T>, key: string): T | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

export function getIn(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, key) => (isObject(value) ? ownValue(value, key) : undefined), root);
}

/** Puts a value where none stands, making the sections above it; what is in the way stays. */
export function placeIfFree(root: JsonObject, path: readonly string[], value: unknown): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  const present = ownValue(root, key);
  if (rest.length > 0) {
    const section = present ?? {};
    if (!isObject(section)) return;
    placeIfFree(section, rest, value);
    setOwn(root, key, section);
    return;
  }
  if (isObject(present) && isObject(value)) {
    for (const [name, item] of Object.entries(value)) placeIfFree(present, [name], item);
    return;
  }
  if (present === undefined || present === null) setOwn(root, key, value);
}

/** Plain assignment would reach the prototype for a key named `__proto__`. */
export function setOwn(target: JsonObject, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true });
}

export function removeIn(root: JsonObject, path: readonly string[]): void {
  const [key, ...rest] = path;
  if (key === undefined) return;
  if (rest.length === 0) {
    delete root[key];
    return;
  }
  const section = ownValue(root, key);
  if (isObject(section)) removeIn(section, rest);
}
