// Puts the key of every English sentence in its place, with its parameters: code that reads one of our own sentences
// fails with it. `CATALOGUE=keys npm test` runs the tests so; the bundle that tests start is built with it, too.

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

function toKey(key: string, parameters: unknown[]): string {
  const values = parameters.flatMap((each) => (isCatalogue(each) ? Object.values(each) : [each]));
  const shown = values.filter((value) => ["string", "number"].includes(typeof value));
  return `<${[key, ...shown].join(" ")}>`;
}

function isCatalogue(value: unknown): value is Catalogue {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
