// The config file of a home and its last good copy, as JSON. Knows no setting.
import { existsSync } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import type { JsonObject } from "../../lib/json-tree.ts";
import { writeFileAtomic } from "../files/change-files.ts";
import { type JsonFile, readJsonFile } from "../files/json-file.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import type { HomePaths } from "../home.ts";

export function hasConfig({ config }: HomePaths): boolean {
  return existsSync(config);
}

export function readConfigFile({ config }: HomePaths): Promise<JsonFile> {
  return readJsonFile(config);
}

export function readLastGood({ lastGood }: HomePaths): Promise<JsonFile> {
  return readJsonFile(lastGood);
}

/** Changes with the file, however it is written. */
export async function takeConfigStamp({ config }: Pick<HomePaths, "config">): Promise<string> {
  try {
    const { ino, size, mtimeNs, ctimeNs } = await stat(config, { bigint: true });
    return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return code;
  }
}

export async function keepLastGood(home: HomePaths, text: string): Promise<void> {
  const present = await readLastGood(home);
  if (present.state === "read" && present.text === text) return;
  await writeFileAtomic(home.lastGood, text, { mode: 0o600, forceMode: true });
}

/** A config that is a link to a file elsewhere stays one. */
export async function replaceConfigFile({ config }: HomePaths, value: JsonObject): Promise<void> {
  const path = (await realpath(config).catch(ignoreMissing)) ?? config;
  const options = { mode: 0o600, forceMode: true };
  await writeFileAtomic(path, `${JSON.stringify(value, null, 2)}\n`, options);
}
