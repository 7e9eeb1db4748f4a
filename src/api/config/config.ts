// Operations about the settings: the config read and changed as one tree.
import * as z from "zod";
import { toCanonical } from "../../config/canonical.ts";
import { maskedValue, restoreMasked } from "../../config/mask.ts";
import { toPath } from "../../config/problem.ts";
import { configSchema } from "../../config/schema.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject, setOwn } from "../../lib/json-tree.ts";
import { operation } from "../operation.ts";
import { findWidening } from "./find-widening.ts";
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
  // Those who look at the config are told by `saveConfig`, once it is written.
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

export const configOperations = [readConfig, patchConfig] as const;

/** However a key is spelled, it means the same. */
function spell(config: JsonObject): JsonObject {
  return toCanonical(config, configSchema).value;
}

function refuseUnsure(widening: string[], sure: string[]): void {
  if (widening.every((path) => sure.includes(path))) return;
  const said = phrase("config.unsure", { paths: widening });
  throw new UserError(said, { fields: widening.map((path) => ({ path, phrase: said })) });
}

/** Nothing of what is given changes. */
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

/** A mark that was put where no secret stands. */
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
