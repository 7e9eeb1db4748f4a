// Descriptions of the schema in the language of the page. They are written in English, beside the keys.
import { usePreferences } from "../../app/preferences.tsx";
import { chineseDescriptions } from "../../words/setting-descriptions.ts";

export function useAbout(): (description: string) => string {
  const { language } = usePreferences();
  return (description) =>
    language === "zh-CN" ? (chineseDescriptions[description] ?? description) : description;
}
