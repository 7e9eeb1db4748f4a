// Changes of the config after which the assistant, or somebody else, can do more than before. A page has to name them
// when it saves them, so that none is made in passing.
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject } from "../../lib/json-tree.ts";

interface Changed {
  before: unknown;
  after: unknown;
  /** What they stand in, before and after. */
  blocks: unknown[];
}

const rules: Array<[path: RegExp, isWider: (changed: Changed) => boolean]> = [
  [/^tools\.(approval|exec\.sandbox)$/, ({ after }) => after === "off"],
  [/^tools\.restrictToWorkspace$/, ({ after }) => after === false],
  [/^tools\.(ssrfWhitelist|exec\.(allow|allowedEnvKeys|sandboxR[ow]Binds))$/, hasMore],
  [/^tools\.mcpServers\.[^.]+\.(command|args|cwd|url|env\..+)$/, isGiven],
  [/^channels\.[^.]+\.(owners|allowFrom)$/, hasMore],
  [/^gateway\.(host|publicUrl)$/, isGiven],
  [/^api\.apiKey$/, (changed) => !isGiven(changed)],
  [/^(providers|channels)\.[^.]+\.(apiBase|proxy)$/, keepsSecret],
];

/** Paths such as `tools.approval`. */
export function findWidening(before: JsonObject, after: JsonObject): string[] {
  const isWidening = (path: string[]) => {
    const blocks = [before, after].map((config) => getIn(config, path.slice(0, -1)));
    const changed = { before: getIn(before, path), after: getIn(after, path), blocks };
    return rules.some(([rule, isWider]) => rule.test(path.join(".")) && isWider(changed));
  };
  return listChanged(before, after, [])
    .filter(isWidening)
    .map((path) => path.join("."));
}

function listChanged(before: unknown, after: unknown, path: string[]): string[][] {
  if (!isRecord(before) && !isRecord(after))
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [path];
  const [was, is] = [isRecord(before) ? before : {}, isRecord(after) ? after : {}];
  const keys = Object.keys({ ...was, ...is });
  return keys.flatMap((key) => listChanged(was[key], is[key], [...path, key]));
}

function isGiven({ after }: Changed): boolean {
  return after !== undefined && after !== null && after !== "";
}

function hasMore({ before, after }: Changed): boolean {
  const known = Array.isArray(before) ? before : [];
  return Array.isArray(after) && after.some((item) => !known.includes(item));
}

/** A key that was given to one address would go to another. */
function keepsSecret({ blocks: [before, after] }: Changed): boolean {
  if (!isRecord(before) || !isRecord(after)) return false;
  return ["apiKey", "token", "appSecret"].some((key) => before[key] && before[key] === after[key]);
}
