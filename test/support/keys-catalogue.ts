// Puts the key of every English sentence in its place, with its parameters: code that reads one of our own sentences
// fails with it. `CATALOGUE=keys npm test` runs the tests so; the bundle that tests start is built with it, too.
import type { InnerPhrase, PhraseContext } from "../../src/i18n/phrase.ts";

type Catalogue = Record<string, unknown>;

export function putKeys(catalogue: Catalogue, path = ""): void {
  for (const [name, value] of Object.entries(catalogue)) {
    const key = path === "" ? name : `${path}.${name}`;
    if (typeof value === "string") catalogue[name] = toKey(key, []);
    else if (typeof value === "function") catalogue[name] = withKey(key, value as Entry);
    // Lists are data, such as the words that a person may answer with.
    else if (isCatalogue(value)) putKeys(value, key);
  }
}

type Entry = (...parameters: unknown[]) => unknown;

function withKey(key: string, entry: Entry): Entry {
  return (...parameters) => {
    const said = entry(...parameters);
    return typeof said === "string" ? toKey(key, parameters) : said;
  };
}

/** `reply.stopped(1)`: no character that a chat app, a terminal or HTML would take for something else. */
function toKey(key: string, parameters: unknown[]): string {
  const context = parameters.find(isContext);
  const show = (value: unknown): unknown[] => {
    if (Array.isArray(value)) return value.flatMap(show);
    if (context !== undefined && isPhrase(value)) return [context.say(value)];
    if (value === context) return [];
    if (isCatalogue(value))
      return Object.keys(value)
        .sort()
        .flatMap((name) => show(value[name]));
    return ["string", "number"].includes(typeof value) ? [value] : [];
  };
  return `${key}(${parameters.flatMap(show).join(", ")})`;
}

function isContext(value: unknown): value is PhraseContext {
  return isCatalogue(value) && typeof value.say === "function";
}

function isPhrase(value: unknown): value is InnerPhrase {
  return isCatalogue(value) && typeof value.code === "string" && isCatalogue(value.params);
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
