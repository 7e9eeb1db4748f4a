// What is said about a setting in the language of the page. In English it stands in the schema.
import { usePreferences } from "../../app/preferences.tsx";
import { findChineseDescription } from "../../words/setting-descriptions.ts";
import type { SettingGroup } from "./schema.ts";

export type About = (setting: Pick<SettingGroup, "key" | "about">) => string;

export function useAbout(): About {
  const { language } = usePreferences();
  return ({ key, about }) => (language === "zh-CN" ? (findChineseDescription(key) ?? about) : about);
}
