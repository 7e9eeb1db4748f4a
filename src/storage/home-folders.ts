// Further homes of one machine: folders below the first one, each with everything of an assistant of its own.
import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import { makeFolder, writeFileAtomic } from "./files/change-files.ts";
import { FileTrash } from "./files/file-trash.ts";
import { ignoreMissing } from "./files/plain-file.ts";
import type { HomePaths } from "./home.ts";
import { ownerScope } from "./scope.ts";

type Places = Pick<HomePaths, "homes" | "config" | "trash">;

/** Also a part of an address. */
const namePattern = /^[a-z][a-z0-9-]{0,31}$/;
/** What a new home has in common with the first: who answers, not what it knows or whom it talks to. */
const sharedKeys = ["providers", "modelPresets"];
const sharedDefaults = [
  "model",
  "provider",
  "modelPreset",
  "fallbackModels",
  "maxTokens",
  "contextWindowTokens",
];
const largestConfig = 1024 * 1024;

export function isHomeName(name: string): boolean {
  return namePattern.test(name);
}

/** Undefined where there is no such home. */
export function findHomeFolder({ homes }: Pick<Places, "homes">, name: string): string | undefined {
  const folder = join(homes, name);
  return isHomeName(name) && existsSync(folder) ? folder : undefined;
}

export async function listHomeFolders({ homes }: Pick<Places, "homes">): Promise<string[]> {
  const entries = (await readdir(homes, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
  return entries
    .filter((entry) => entry.isDirectory() && isHomeName(entry.name))
    .map(({ name }) => name)
    .sort();
}

/** With the model of the first home. */
export async function addHomeFolder({ homes, config }: Places, name: string): Promise<void> {
  const folder = join(homes, name);
  const text = (await readFile(config, "utf8").catch(ignoreMissing)) ?? "";
  await makeFolder(folder);
  await writeFileAtomic(
    join(folder, "config.json"),
    `${JSON.stringify(pickModel(text.length > largestConfig ? {} : parseJson(text)), null, 2)}\n`,
    { mode: 0o600 },
  );
}

/** Kept for two weeks among what was removed. */
export async function removeHomeFolder({ homes, trash }: Places, name: string, clock: Clock): Promise<void> {
  await new FileTrash(trash, clock).put(join(homes, name), ownerScope);
}

function pickModel(config: unknown): Record<string, unknown> {
  if (!isRecord(config)) return {};
  const agents = isRecord(config.agents) ? config.agents : {};
  const defaults = pick(isRecord(agents.defaults) ? agents.defaults : {}, sharedDefaults);
  return {
    ...pick(config, sharedKeys),
    ...(Object.keys(defaults).length > 0 && { agents: { defaults } }),
  };
}

function pick(from: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(Object.entries(from).filter(([key]) => keys.includes(key)));
}
