// Where this package is on the disk. The only file that may use import.meta.url: depths change in a bundle.
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

function findPackageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, "package.json"))) {
    const parent = dirname(folder);
    if (parent === folder) throw new Error("nanobot's package.json was not found above its own files");
    folder = parent;
  }
  return folder;
}

export const packageRoot = findPackageRoot();

/** A file or folder that ships with the package, such as `templates/SOUL.md`. */
export function packagePath(...parts: string[]): string {
  return join(packageRoot, ...parts);
}

/** A source that is a file of its own in the bundle, such as a worker thread: among the sources, or what the build made. */
export function workerPath(source: string): string {
  const isSource = import.meta.url.endsWith("/src/lib/package-root.ts");
  return isSource ? packagePath("src", source) : packagePath("dist", `${basename(source, ".ts")}.js`);
}

export function readVersion(): string {
  return (JSON.parse(readFileSync(packagePath("package.json"), "utf8")) as { version: string }).version;
}
