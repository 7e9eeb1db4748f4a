// A host's quirks as they are for one model: where a quirk names models by a pattern, it becomes a plain yes or no.
import type { Host, Quirks } from "./host.ts";

type ByModel =
  | "maxCompletionTokens"
  | "rejectsTemperature"
  | "cacheMarks"
  | "noEffortWithTools"
  | "adaptiveThinking"
  | "boundThinking";

export type ModelQuirks = Omit<Quirks, ByModel> & { [Name in ByModel]?: boolean };

export function toModelQuirks({ quirks }: Host, model: string): ModelQuirks {
  const resolved = Object.entries(quirks).map(([name, quirk]) => [
    name,
    quirk instanceof RegExp ? quirk.test(model) : quirk,
  ]);
  return Object.fromEntries(resolved) as ModelQuirks;
}
