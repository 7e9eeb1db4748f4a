// A config as it may leave the machine: every secret replaced by a mark, and put back when the mark comes back.
import { isRecord } from "../lib/is-record.ts";
import { isOpenName, isSecretName } from "./secrets.ts";

/** Replaces a value that is never sent. Sent back, it means: as it is. */
export const maskedValue = "••••••••";

/** Such as `${NAME}` or `Bearer ${NAME}`: tells where a secret is, not what it is. */
const reference = /^(?:\w+ )?\$\{\w+\}$/;
/** Shorter ones are found in innocent texts. */
const shortestSecret = 6;

export interface MaskOptions {
  mark: string;
  /** Values that are known to be secret, wherever they are. */
  secrets: readonly string[];
}

export function maskSecrets<Tree>(tree: Tree, { mark, secrets }: MaskOptions): Tree {
  const known = secrets.filter(({ length }) => length >= shortestSecret);
  function mask(value: unknown, isSecret: boolean, isOpen: boolean): unknown {
    if (typeof value === "string") {
      if (value === "" || reference.test(value)) return value;
      return isSecret || isOpen || known.some((secret) => value.includes(secret)) ? mark : value;
    }
    if (Array.isArray(value)) return value.map((item) => mask(item, isSecret, isOpen));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value).map(([key, item]) => [
      key,
      mask(item, isSecretName(key), isOpen || isOpenName(key)),
    ]);
    return Object.fromEntries(entries);
  }
  return mask(tree, false, false) as Tree;
}

/** Marks become the stored value; one without a stored value is undefined. */
export function restoreMasked(value: unknown, present: unknown, mark: string): unknown {
  if (value === mark) return typeof present === "string" ? present : undefined;
  if (Array.isArray(value)) {
    const before = Array.isArray(present) ? present : [];
    return value.map((item, index) => restoreMasked(item, before[index], mark));
  }
  if (!isRecord(value)) return value;
  const before = isRecord(present) ? present : {};
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, restoreMasked(item, before[key], mark)]),
  );
}
