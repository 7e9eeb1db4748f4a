// Theme and language of this browser, kept in its storage, and the texts in that language.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { catalogues, chooseLanguage, type Language, type Words } from "../words/index.ts";

type Theme = "system" | "light" | "dark";

interface Preferences {
  theme: Theme;
  setTheme(theme: Theme): void;
  language: Language;
  setLanguage(language: Language): void;
}

const PreferencesContext = createContext<Preferences>({
  theme: "system",
  setTheme: () => undefined,
  language: "en",
  setLanguage: () => undefined,
});

export const usePreferences = (): Preferences => useContext(PreferencesContext);

/** The texts of the frame and the chat in the chosen language. */
export const useWords = (): Words => catalogues[usePreferences().language];

/** The texts of another topic, which are loaded with the page that imports them. */
export function useTopic<Texts>(topic: { english: Texts; chinese: Texts }): Texts {
  return usePreferences().language === "en" ? topic.english : topic.chinese;
}

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useKept<Theme>("nanobot.theme", ["system", "light", "dark"], () => "system");
  const [language, setLanguage] = useKept<Language>("nanobot.language", ["en", "zh-CN"], () =>
    chooseLanguage(navigator.languages),
  );
  useEffect(() => applyTheme(theme), [theme]);
  // Before the effects of the pages, which send the language with their requests.
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const preferences = useMemo(
    () => ({ theme, setTheme, language, setLanguage }),
    [theme, setTheme, language, setLanguage],
  );
  return <PreferencesContext value={preferences}>{children}</PreferencesContext>;
}

function useKept<Value extends string>(
  name: string,
  known: readonly Value[],
  choose: () => Value,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(() => {
    const kept = localStorage.getItem(name);
    return known.find((candidate) => candidate === kept) ?? choose();
  });
  const keep = useMemo(
    () => (next: Value) => {
      localStorage.setItem(name, next);
      setValue(next);
    },
    [name],
  );
  return [value, keep];
}

function applyTheme(theme: Theme): () => void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    const isDark = theme === "dark" || (theme === "system" && dark.matches);
    document.documentElement.dataset.theme = isDark ? "dark" : "light";
  };
  apply();
  dark.addEventListener("change", apply);
  return () => dark.removeEventListener("change", apply);
}
