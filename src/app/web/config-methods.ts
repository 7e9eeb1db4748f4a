// Settings: the config read and changed as one tree, and the program started again for what waits for it.
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { toCanonical } from "../../config/canonical.ts";
import { restoreMasked } from "../../config/mask.ts";
import { toPath } from "../../config/problem.ts";
import type { ConfigEdit, ConfigPatch } from "../../config/save.ts";
import { configSchema } from "../../config/schema.ts";
import { phrase } from "../../i18n/phrase.ts";
import { UserError } from "../../i18n/user-error.ts";
import { speakTo, type Words } from "../../i18n/words.ts";
import { isRecord } from "../../lib/is-record.ts";
import { getIn, type JsonObject, setOwn } from "../../lib/json-tree.ts";
import { type Caller, type MethodTable, WishError } from "../../server/methods.ts";
import {
  type ConfigChange,
  type ConfigMethods,
  type ConfigNote,
  maskedValue,
} from "../../server/protocol/config.ts";
import { type ChangeParts, changeConfig } from "./change-config.ts";
import { readConfigSnapshot, type SnapshotParts, toNotes } from "./config-snapshot.ts";
import { findWidening } from "./find-widening.ts";

export interface ConfigMethodParts extends SnapshotParts, ChangeParts {}

type Table = MethodTable<Pick<ConfigMethods, "config.read" | "config.patch">>;

const key = z.string().min(1).max(200);
const change = z.object({ path: z.array(key).min(1).max(16), value: z.unknown().optional() });

/** The same parts, with the words of whoever asks. */
export function speak<Parts extends { words: Words }>(parts: Parts, caller: Caller): Parts {
  return { ...parts, words: speakTo(caller, parts.words) };
}

export function createConfigMethods(parts: ConfigMethodParts): Table {
  return {
    "config.read": { params: z.object({}), run: (_, caller) => readConfigSnapshot(speak(parts, caller)) },
    "config.patch": {
      params: z.object({
        changes: z.array(change).max(500),
        sure: z.array(z.string().max(2_000)).max(500).optional(),
      }),
      async run({ changes, sure = [] }, caller) {
        const told = speak(parts, caller);
        const faults = await saveOrRefuse((config) => {
          const next = applyChanges(config, changes);
          refuseUnsure(findWidening(spell(config), spell(next)), sure, told.words);
          return next;
        }, told);
        const snapshot = await readConfigSnapshot(told);
        const isNew = (note: ConfigNote) =>
          !snapshot.problems.some((known) => isDeepStrictEqual(known, note));
        return { ...snapshot, problems: [...snapshot.problems, ...faults.filter(isNew)] };
      },
    },
  };
}

/** Throws for what was not written; what was and cannot be used as it is, is told. */
export async function saveOrRefuse(
  change: ConfigPatch | ConfigEdit,
  parts: ChangeParts,
): Promise<ConfigNote[]> {
  const { problems, faults } = await changeConfig(change, parts);
  if (problems.length > 0) throw new UserError(phrase("config.not-saved"), { fields: problems });
  return toNotes(faults, parts.words);
}

/** However a key is spelled, it means the same. */
function spell(config: JsonObject): JsonObject {
  return toCanonical(config, configSchema).value;
}

function refuseUnsure(widening: string[], sure: string[], { web }: Words): void {
  const fields = widening.map((path) => ({ path, message: web.unsure }));
  if (!widening.every((path) => sure.includes(path))) throw new WishError(web.unsure, fields, "unsure");
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
