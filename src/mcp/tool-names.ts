// What a foreign tool is called: `mcp_<server>_<tool>`, in the alphabet and length that every model host takes.
import { createHash } from "node:crypto";

export type EntryKind = "tool" | "resource" | "prompt";

export interface Named {
  server: string;
  kind: EntryKind;
  name: string;
}

const longestName = 64;

export function wrapName({ server, kind, name }: Named): string {
  const middle = kind === "tool" ? "" : `${kind}_`;
  const whole = `mcp_${server}_${middle}${name}`.replaceAll(/[^A-Za-z0-9_-]/g, "_").replaceAll(/_+/g, "_");
  return whole.length <= longestName ? whole : withMark(whole, whole);
}

/**
 * Each with its name. Where several would share one, all of them get a mark of their own: if only the later ones did, a
 * name that was said once could come to mean another tool.
 */
export function assignNames<T extends Named>(entries: readonly T[]): Map<string, T> {
  const groups = Map.groupBy(entries, wrapName);
  const named = [...groups].flatMap(([name, group]): Array<[string, T]> => {
    const [only] = group;
    if (group.length === 1 && only !== undefined) return [[name, only]];
    return group.map((entry) => [withMark(name, `${entry.server}\0${entry.kind}\0${entry.name}`), entry]);
  });
  return new Map(named.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** `enabledTools` names tools as the server does or as we do; `*` means all, and is needed for resources and prompts. */
export function isEnabled(entry: Named, enabledTools: readonly string[]): boolean {
  if (enabledTools.includes("*")) return true;
  return (
    entry.kind === "tool" && (enabledTools.includes(entry.name) || enabledTools.includes(wrapName(entry)))
  );
}

function withMark(name: string, source: string): string {
  const mark = createHash("sha1").update(source).digest("hex").slice(0, 8);
  return `${name.slice(0, longestName - 9)}_${mark}`;
}
