// Operations about the settings: the config read and changed as one tree.
import * as z from "zod";
import { toCanonical } from "../../config/canonical.ts";
import { maskedValue, restoreMasked } from "../../config/mask.ts";
import { keepUnconfirmed, listUnconfirmed } from "../../config/moving-in.ts";
import { toPath } from "../../config/problem.ts";
import { configSchema } from "../../config/schema.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject, setOwn } from "../../lib/json-tree.ts";
import { operation } from "../operation.ts";
import { type ConfigSnapshot, readSnapshot } from "./snapshot.ts";

/** Without a value, or with null, the key is removed, and its default holds again. */
export type ConfigChange = z.output<typeof change>;

const key = z.string().min(1).max(200);
const change = z.strictObject({ path: z.array(key).min(1).max(16), value: z.unknown().optional() });

const readConfig = operation({
  name: "config.read",
  about: "The config with its schema, what the file says and what holds; secrets are masked.",
  access: "owner",
  needs: "gateway",
  params: z.strictObject({}),
  run: (services): Promise<ConfigSnapshot> => readSnapshot(services),
});

const patchConfig = operation({
  name: "config.patch",
  about:
    "Changes settings, all of them or none. What gives more rights than before is refused with `config.unsure` until its paths are named in `sure`.",
  access: "owner",
  needs: "gateway",
  // `saveConfig` notifies viewers of the config once it is written.
  changes: [],
  params: z.strictObject({
    changes: z.array(change).max(500),
    sure: z.array(z.string().max(2_000)).max(500).optional(),
  }),
  async run(services, { changes, sure = [] }): Promise<ConfigSnapshot> {
    const faults = await services.saveConfig((config) => {
      const next = applyChanges(config, changes);
      refuseUnsure(findWidening(spell(config), spell(next)), sure);
      return next;
    });
    return readSnapshot(services, faults);
  },
});

const confirmConfig = operation({
  name: "config.confirm",
  about:
    "Settings of the file that are less safe than the defaults and that nobody has confirmed, so that they have no effect; with `path`, confirms one of them. It holds from the next start on.",
  access: "owner",
  needs: "installation",
  changes: ["config"],
  params: z.strictObject({ path: key.optional() }),
  async run({ paths, loaded }, { path }): Promise<{ waiting: string[] }> {
    const waiting = await listUnconfirmed(paths, loaded());
    if (path === undefined) return { waiting };
    if (!waiting.includes(path)) throw new UserError(phrase("config.nothing-to-confirm", { path }));
    const left = waiting.filter((each) => each !== path);
    await keepUnconfirmed(paths, left);
    return { waiting: left };
  },
});

export const configOperations = [readConfig, patchConfig, confirmConfig] as const;

/** However a key is spelled, it means the same. */
function spell(config: JsonObject): JsonObject {
  return toCanonical(config, configSchema).value;
}

function refuseUnsure(widening: string[], sure: string[]): void {
  if (widening.every((path) => sure.includes(path))) return;
  const said = phrase("config.unsure", { paths: widening });
  throw new UserError(said, { fields: widening.map((path) => ({ path, phrase: said })) });
}

/** Changes none of its arguments. */
function applyChanges(config: JsonObject, changes: ConfigChange[]): JsonObject {
  const next = structuredClone(config);
  for (const { path, value } of changes) {
    const wanted = restoreMasked(value ?? null, getIn(config, path), maskedValue);
    if (wanted === undefined) continue;
    if (hasHole(wanted))
      throw new UserError(phrase("config.not-saved"), {
        fields: [{ path: toPath(path), phrase: phrase("config.masked-moved") }],
      });
    setIn(next, path, wanted);
  }
  return next;
}

/** A mark that was put where there is no secret. */
function hasHole(value: unknown): boolean {
  if (value === undefined) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasHole);
}

function setIn(root: JsonObject, path: readonly string[], value: unknown): void {
  const [name = "", ...rest] = path;
  if (rest.length > 0) {
    const inner = getIn(root, [name]);
    const section = isRecord(inner) ? inner : {};
    if (inner === undefined && value === null) return;
    setOwn(root, name, section);
    setIn(section, rest, value);
  } else if (value === null) delete root[name];
  else setOwn(root, name, value);
}

interface Changed {
  before: unknown;
  after: unknown;
  /** The text around them, before and after. */
  blocks: unknown[];
}

const rules: Array<[path: RegExp, isWider: (changed: Changed) => boolean]> = [
  [/^tools\.(approval|exec\.sandbox)$/, ({ after }) => after === "off"],
  [/^tools\.restrictToWorkspace$/, ({ after }) => after === false],
  [/^tools\.(ssrfWhitelist|exec\.(allow|allowedEnvKeys|sandboxR[ow]Binds))$/, hasMore],
  [/^tools\.(exec\.sandbox(Runtime|Image)|mcpServers\.[^.]+\.(command|args|cwd|url|env\..+))$/, isGiven],
  [/^channels\.[^.]+\.(owners|allowFrom)$/, hasMore],
  [/^gateway\.(host|publicUrl)$/, isGiven],
  [/^api\.apiKey$/, (changed) => !isGiven(changed)],
  [/^(providers|channels)\.[^.]+\.(apiBase|proxy)$/, keepsSecret],
];

/** Paths such as `tools.approval`. */
function findWidening(before: JsonObject, after: JsonObject): string[] {
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
