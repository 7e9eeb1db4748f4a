// Where a build goes: a folder next to dist/, which takes its place when it is whole, with a stamp of what it was made of. A build
// that is ended in the middle leaves dist/ as it was.
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const prefix = "dist.new-";
const inputs = [
  "src",
  "web",
  "scripts",
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.types.json",
];

export function createBuildFolder(root) {
  for (const name of readdirSync(root)) {
    if (name.startsWith(prefix) && !isRunning(Number(name.slice(prefix.length)))) remove(join(root, name));
  }
  const folder = join(root, `${prefix}${process.pid}`);
  remove(folder);
  mkdirSync(folder);
  return folder;
}

/** `stamp` is that of the sources before the build: what was changed meanwhile is built by the next one. */
export function finishBuild(root, folder, stamp) {
  writeFileSync(join(folder, "stamp"), stamp);
  const [dist, before] = [join(root, "dist"), join(root, `${prefix}${process.pid}-before`)];
  if (existsSync(dist)) renameSync(dist, before);
  renameSync(folder, dist);
  remove(before);
}

export function isUpToDate(root) {
  const path = join(root, "dist", "stamp");
  return existsSync(path) && readFileSync(path, "utf8") === readStamp(root);
}

/** The content of everything that a build reads, and what else it depends on. */
export function readStamp(root) {
  const hash = createHash("sha256").update(process.env.CATALOGUE ?? "");
  const isRead = (name) => !/(^|\/)node_modules\/|\.test\.tsx?$|^\/?scripts\/(?!build|no-library)/.test(name);
  for (const input of inputs) {
    const path = join(root, input);
    const entries = input.includes(".") ? [] : readdirSync(path, { recursive: true, withFileTypes: true });
    const below = entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of input.includes(".") ? [path] : below.sort()) {
      const name = file.slice(root.length);
      if (isRead(name) && existsSync(file)) hash.update(`${name}\0`).update(readFileSync(file)).update("\0");
    }
  }
  return hash.digest("hex");
}

function remove(path) {
  rmSync(path, { recursive: true, force: true });
}

function isRunning(pid) {
  if (!Number.isInteger(pid) || pid === process.pid) return false;
  try {
    return process.kill(pid, 0);
  } catch ({ code }) {
    return code === "EPERM";
  }
}
