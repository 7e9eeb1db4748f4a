// Coded sentences in the language of the page. The catalogue of a language is loaded once, when it is first needed.
import { useCallback, useEffect, useState } from "react";
import { isPhraseCode, type Phrase, type PhraseCatalogue, renderPhrase } from "../../../src/i18n/phrase.ts";
import { usePreferences } from "../app/preferences.tsx";
import { useStore } from "../wire/wire-context.tsx";
import type { Language } from "./index.ts";

const catalogues: Record<Language, () => Promise<PhraseCatalogue>> = {
  en: async () => (await import("../../../src/i18n/en/phrases/index.ts")).englishPhrases,
  "zh-CN": async () => (await import("../../../src/i18n/zh/phrases/index.ts")).chinesePhrases,
};

/** What it says is empty until the catalogue is there. */
export function useSay(): (phrase: Phrase) => string {
  const { language } = usePreferences();
  const program = useStore((state) => state.command);
  const [catalogue, setCatalogue] = useState<PhraseCatalogue>();
  useEffect(() => {
    let isCurrent = true;
    void catalogues[language]().then((loaded) => isCurrent && setCatalogue(loaded));
    return () => {
      isCurrent = false;
    };
  }, [language]);
  return useCallback(
    (phrase) => {
      if (catalogue === undefined) return "";
      // A gateway that was updated since may know more of them.
      return isPhraseCode(phrase.code, catalogue)
        ? renderPhrase(phrase, catalogue, { program })
        : phrase.code;
    },
    [catalogue, program],
  );
}
