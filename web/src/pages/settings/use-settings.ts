// The config with the changes that are not saved yet, and the texts of its settings.
import { useCallback, useMemo, useState } from "react";
import type { ConfigChange } from "../../../../src/api/config/config.ts";
import type { ConfigSnapshot } from "../../../../src/api/config/snapshot.ts";
import type { Problem } from "../../../../src/server/protocol.ts";
import { usePreferences, useTopic } from "../../app/preferences.tsx";
import { type Query, useMutation, useQuery } from "../../wire/hooks.tsx";
import { findChineseDescription, findSettingName, settingNames } from "../../words/setting-descriptions.ts";
import * as settingsTexts from "../../words/settings.ts";
import { getIn, type SettingGroup } from "./schema.ts";

export type { ConfigSnapshot } from "../../../../src/api/config/snapshot.ts";

export interface Settings {
  query: Query<ConfigSnapshot>;
  changes: ConfigChange[];
  isSaving: boolean;
  problem: Problem | undefined;
  /** As it will be: the typed value, that of the file, or the default. */
  valueOf(path: string[]): unknown;
  /** It is set in the file, or will be. */
  isOwn(path: string[]): boolean;
  isChanged(path: string[]): boolean;
  problemOf(path: string[]): string | undefined;
  /** Null: back to the default. */
  change(path: string[], value: unknown): void;
  discard(): void;
  /** The new config; undefined when nothing was saved. */
  save(): Promise<ConfigSnapshot | undefined>;
}

const keyOf = (path: string[]) => JSON.stringify(path);

export function useSettings(): Settings {
  const query = useQuery("config.read", {}, { topic: "config" });
  const patch = useMutation("config.patch", { isQuiet: true });
  const [draft, setDraft] = useState<ReadonlyMap<string, ConfigChange>>(new Map());
  const { file, values } = query.data ?? {};
  const changes = useMemo(() => [...draft.values()], [draft]);
  const inFile = (path: string[]) => {
    const changed = draft.get(keyOf(path));
    return changed === undefined ? (getIn(file, path) ?? null) : changed.value;
  };
  const change = useCallback((path: string[], value: unknown) => {
    setDraft((before) => {
      const isBelow = (other: ConfigChange) =>
        other.path.length > path.length && path.every((key, index) => other.path[index] === key);
      const others = [...before].filter(([, other]) => !isBelow(other));
      return new Map(others).set(keyOf(path), { path, value });
    });
  }, []);
  return {
    query,
    changes,
    isSaving: patch.isRunning,
    problem: patch.problem,
    valueOf: (path) => inFile(path) ?? (draft.has(keyOf(path)) ? undefined : getIn(values, path)),
    isOwn: (path) => inFile(path) !== null,
    isChanged: (path) => draft.has(keyOf(path)),
    problemOf: (path) => findProblem(patch.problem, path),
    change,
    discard() {
      setDraft(new Map());
      patch.clear();
    },
    async save() {
      // Saving again confirms the warnings that were shown.
      const unsure = patch.problem?.code === "config.unsure" ? patch.problem.fields : undefined;
      const sure = unsure?.map(({ path }) => path);
      const outcome = await patch.run({ changes, ...(sure && { sure }) });
      if (!outcome.ok) return undefined;
      setDraft(new Map());
      query.refetch();
      return outcome.result;
    },
  };
}

/** Also problems inside of it, such as `fallbackModels[0].model`. */
function findProblem(problem: Problem | undefined, path: string[]): string | undefined {
  const place = path.join(".");
  const found = problem?.fields?.find(
    (field) =>
      field.path === place || field.path.startsWith(`${place}.`) || field.path.startsWith(`${place}[`),
  );
  return found?.message;
}

type Described = Pick<SettingGroup, "key" | "about">;

export const useSettingsWords = () => useTopic(settingsTexts);

export interface SettingTexts {
  /** Two or three words. */
  nameOf(setting: Described): string;
  describe(setting: Described): string;
}

/** Names and descriptions of settings in the language of the page. English descriptions are in the schema. */
export function useSettingTexts(): SettingTexts {
  const isChinese = usePreferences().language === "zh-CN";
  const { names } = isChinese ? settingNames.chinese : settingNames.english;
  return {
    nameOf: ({ key }) => findSettingName(key, names) ?? toWords(key),
    describe: ({ key, about }) => (isChinese ? (findChineseDescription(key) ?? about) : about),
  };
}

/** `tools.webSearch` is "Web search". */
function toWords(key: string): string {
  const words = (key.split(".").at(-1) ?? key).replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
