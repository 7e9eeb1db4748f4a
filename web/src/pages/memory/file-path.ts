// The address of a file of memory in the page, and its name in a list.
import { toPath } from "../../app/router.tsx";

export function toFilePath(path: string): string {
  return toPath("memory", "files", ...path.split("/"));
}

/** `MEMORY`, `2026-11-15`. */
export function toShortName(path: string): string {
  return path.replace(/^memory\//, "").replace(/\.md$/, "");
}
