// What `/search` and `nanobot memory search` tell: the passages that were found, as a Markdown list.

import type { Words } from "../i18n/words.ts";
import { toLocalIso } from "../lib/clock.ts";
import type { SearchResult } from "./recall.ts";

export function describeFound({ hits }: SearchResult, { memory: words }: Words): string {
  if (hits.length === 0) return words.nothingFound;
  return hits
    .map(({ at, role, speaker, name, text }) => {
      const time = toLocalIso(at).slice(0, 16).replace("T", " ");
      return `- **${time}** ${speaker || (words.roles[role] ?? role)} (${name}): ${text}`;
    })
    .join("\n");
}
