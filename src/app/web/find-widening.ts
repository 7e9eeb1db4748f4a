// Changes of the config after which the assistant, or somebody else, can do more than before. A page has to name them
// when it saves them, so that none is made in passing.
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject } from "../../lib/json-tree.ts";

interface Changed {
  path: string[];
  before: unknown;
  after: unknown;
  /** The block that it stands in, before and after. */
  blocks: [unknown, unknown];
}

type Rule = [path: RegExp, isWider: (changed: Changed) => boolean];

const rules: Rule[] = [
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
  return [...listChanged(before, after, [])].flatMap((path) => {
    const block = path.slice(0, -1);
    const changed: Changed = {
      path,
      before: getIn(before, path),
      after: getIn(after, path),
      blocks: [getIn(before, block), getIn(after, block)],
    };
    const name = path.join(".");
    return rules.some(([rule, isWider]) => rule.test(name) && isWider(changed)) ? [name] : [];
  });
}

function* listChanged(before: unknown, after: unknown, path: string[]): Generator<string[]> {
  if (!isRecord(before) && !isRecord(after)) {
    if (JSON.stringify(before) !== JSON.stringify(after)) yield path;
    return;
  }
  const [was, is] = [before, after].map((value) => (isRecord(value) ? value : {}));
  for (const key of new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})]))
    yield* listChanged(was?.[key], is?.[key], [...path, key]);
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
