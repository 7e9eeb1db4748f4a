// The values that must never be shown, for the redactor: told by the names of their keys.
import { isRecord } from "../lib/is-record.ts";

const secretName = /(key|token|secret|password|passphrase|credentials?|cookie|authorization|auth)$/i;

/** Of a config, an environment, or any other tree of names and values. */
export function collectSecrets(tree: unknown): string[] {
  const found = new Set<string>();
  collect(tree, false, found);
  return [...found];
}

function collect(value: unknown, isSecret: boolean, found: Set<string>): void {
  if (typeof value === "string") {
    if (!isSecret || value === "") return;
    found.add(value);
    // `Bearer x` in a header: x alone is as secret.
    const credential = /^\w+\s+(\S+)$/.exec(value)?.[1];
    if (credential !== undefined) found.add(credential);
    return;
  }
  if (Array.isArray(value)) for (const item of value) collect(item, isSecret, found);
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) collect(item, secretName.test(key), found);
}
