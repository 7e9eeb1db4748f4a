// Places that no file tool may touch: what the assistant itself keeps in a workspace (not written), and what is no
// file at all (not even read). Judges names only; file-roots.ts resolves them first.

const protectedAnywhere = new Set([".git", "git~1", ".nanobot"]);

/** In a workspace, and in a person's or group's root. */
export const protectedFolders = ["sessions", "cron", "prompts"];
export const protectedFiles = [
  "memory/history.jsonl",
  "memory/.cursor",
  "memory/.dream_cursor",
  "memory/.provenance.jsonl",
];

const protectedAtRoot = [...protectedFolders, ...protectedFiles];

/** The protected place that a path relative to a workspace lies in, if any. A person's or group's root counts as one. */
export function findProtectedPlace(relativePath: string): string | undefined {
  const names = relativePath.split(/[\\/]/).map(toComparable);
  const nested = names.find((name) => protectedAnywhere.has(name));
  if (nested !== undefined) return nested;
  const isPersonal = names[0] === "people" || names[0] === "groups";
  const path = `${(isPersonal ? names.slice(2) : names).join("/")}/`;
  return protectedAtRoot.find((place) => path.startsWith(`${place}/`));
}

/** Device files, and the parts of /proc that lead to open files, memory or secrets of a process. */
export function isDevicePath(path: string): boolean {
  return /^\/dev(\/|$)|^\/proc\/(.*\/)?(fd|fdinfo|environ|mem|map_files|kcore|kmem)(\/|$)/.test(path);
}

/** As a file system that ignores case, look-alike forms, invisible characters or a trailing dot would see a name. */
function toComparable(name: string): string {
  return name
    .normalize("NFKC")
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .replace(/:.*$/s, "")
    .replace(/[. ]+$/, "");
}
