// What a person reads when a model host fails: what happened, and what to do next. Knows no host by name.
import { createWords } from "../words/words.ts";
import type { ProviderErrorKind } from "./types.ts";

const sentences: Record<ProviderErrorKind, (host: string, note: string) => string> =
  createWords("english").sentences.model;

export const errorKinds = Object.keys(sentences) as ProviderErrorKind[];

/** `detail` is what the host or the system said; it stands in brackets. */
export function toSentence(kind: ProviderErrorKind, host: string, detail: string): string {
  const note = detail.replace(/[\s.]+$/, "");
  return sentences[kind](host, note === "" ? "" : ` (${note})`);
}
