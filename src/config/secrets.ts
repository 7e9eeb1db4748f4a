// The values that must never be shown, for the redactor: recognised by the names of their keys, by the look of a value
// where names are free, and by their place in an address.
import { isRecord } from "../lib/is-record.ts";

const secretName =
  /(key|token|secret|passw(or)?d|pass|_pwd|passphrase|passcode|credentials?|cookie|authorization|auth|webhook(url)?|_pat|dsn)$/i;
/** Blocks whose keys are not ours: headers, variables, parameters. */
const openBlock = /^(headers|extraHeaders|env|extraQuery|extraBody)$/i;
/** Long, of letters and digits, and neither a path nor a type: nobody writes words like this. */
const keyLike = /^(?=.*[a-z])(?=.*\d)[\w+=.~-]{16,}$/i;

/** The location of a key is not secret. */
const isPath = /^(?:~|\.{0,2})(?:\/[\w.@ -]+)+\/?$/;

interface Place {
  isSecret: boolean;
  isOpen: boolean;
}

export function isSecretName(key: string): boolean {
  return secretName.test(key);
}

/** Of a block whose values nobody can tell apart: each may be a secret. */
export function isOpenName(key: string): boolean {
  return openBlock.test(key) && key !== "extraBody";
}

/** Of a config, an environment, or any other tree of names and values. */
export function collectSecrets(tree: unknown): string[] {
  const secrets = new Set<string>();
  collect(tree, { isSecret: false, isOpen: false }, secrets);
  return [...secrets];
}

function collect(value: unknown, place: Place, found: Set<string>): void {
  if (typeof value === "string") collectText(value, place, found);
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collect(item, { ...place, isSecret: place.isSecret || isFlag(value[index - 1]) }, found);
  }
  if (!isRecord(value)) return;
  for (const [key, item] of Object.entries(value)) {
    collect(item, { isSecret: secretName.test(key), isOpen: place.isOpen || openBlock.test(key) }, found);
  }
}

function collectText(value: string, { isSecret, isOpen }: Place, found: Set<string>): void {
  // `--api-key=x` among the arguments of a program.
  const assigned = /^--?([\w-]+)=(.+)$/s.exec(value);
  if (assigned !== null && secretName.test(assigned[1] ?? "")) found.add(assigned[2] ?? "");
  for (const password of findPasswords(value)) found.add(password);
  if (value === "" || isPath.test(value) || !(isSecret || (isOpen && keyLike.test(value)))) return;
  found.add(value);
  // `Bearer x` in a header: x alone is as secret.
  const credential = /^\w+\s+(\S+)$/.exec(value)?.[1];
  if (credential !== undefined) found.add(credential);
}

function isFlag(value: unknown): boolean {
  return typeof value === "string" && /^--?[\w-]+$/.test(value) && secretName.test(value);
}

/** Of addresses: as it is written there, and as it is meant. */
function findPasswords(value: string): string[] {
  const address = value.includes("@") ? URL.parse(value) : null;
  const password = address?.password ?? "";
  if (password === "") return [];
  return [password, decode(password)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
