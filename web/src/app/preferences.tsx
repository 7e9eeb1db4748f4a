// Theme and language of this browser: what was chosen is kept here, otherwise the browser's own wish holds.
import {
  createContext,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { catalogues, chooseLanguage, type Language } from "../words/index.ts";
import { WordsContext } from "../words/use-words.ts";

export type Theme = "system" | "light" | "dark";

export interface Preferences {
  theme: Theme;
  setTheme(theme: Theme): void;
  language: Language;
  setLanguage(language: Language): void;
}

const PreferencesContext = createContext<Preferences | undefined>(undefined);

export function usePreferences(): Preferences {
  const preferences = useContext(PreferencesContext);
  if (preferences === undefined) throw new Error("there is no PreferencesProvider above");
  return preferences;
}

export function PreferencesProvider({ children }: { children: ReactNode }) {
  const [theme, setTheme] = useKept<Theme>("nanobot.theme", ["system", "light", "dark"], () => "system");
  const [language, setLanguage] = useKept<Language>("nanobot.language", ["en", "zh-CN"], () =>
    chooseLanguage(navigator.languages),
  );
  useEffect(() => applyTheme(theme), [theme]);
  // Before the effects of the pages: what they ask for comes in this language.
  useLayoutEffect(() => {
    document.documentElement.lang = language;
  }, [language]);
  const preferences = useMemo(
    () => ({ theme, setTheme, language, setLanguage }),
    [theme, setTheme, language, setLanguage],
  );
  return (
    <PreferencesContext value={preferences}>
      <WordsContext value={catalogues[language]}>{children}</WordsContext>
    </PreferencesContext>
  );
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
