// What `/dream-log`, `/dream-restore` and `nanobot memory` tell about versions of memory, as Markdown.

import type { FileDiff, Version, VersionFault } from "../dream/versions.ts";
import type { Words } from "../i18n/words.ts";
import { toLocalIso } from "../lib/clock.ts";

const longestPatch = 4_000;

export function describeVersion({ id, at, kind, summary }: Version, { memory }: Words): string {
  const time = toLocalIso(at).slice(0, 16).replace("T", " ");
  return `\`${id}\` **${time}** ${memory.versions.kinds[kind] ?? kind}: ${summary}`;
}

export function listVersions(versions: readonly Version[], words: Words, restore: string): string {
  if (versions.length === 0) return words.memory.versions.none;
  const rows = versions.map((version) => `- ${describeVersion(version, words)}`);
  return [...rows, "", words.memory.versions.howToRestore(restore)].join("\n");
}

export function describeChange(version: Version, files: readonly FileDiff[], words: Words): string {
  const blocks = files.map(({ path, patch }) => {
    const shown = patch.length <= longestPatch ? patch : `${patch.slice(0, longestPatch)}\n...`;
    // A fence of its own length, because memory may hold one.
    const fence = "`".repeat(Math.max(3, ...(shown.match(/`+/g) ?? []).map(({ length }) => length + 1)));
    return `${path}\n${fence}diff\n${shown}\n${fence}`;
  });
  return [describeVersion(version, words), ...blocks].join("\n\n");
}

export function describeFault(fault: VersionFault, { memory }: Words): string {
  const { faults } = memory.versions;
  if (fault.kind === "ambiguous") return faults.ambiguous(fault.id, fault.matches.join(", "));
  if (fault.kind !== "conflict") return faults[fault.kind](fault.id);
  const { id, path, later } = fault;
  return later === undefined ? faults.edited(id, path) : faults.conflict(id, path, later);
}
