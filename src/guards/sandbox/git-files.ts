// The files of a repository that can make git run a program or read something elsewhere, where they are, and whether what
// is in one is harmless. What is not known to be harmless is not.
import { type Dirent, readFileSync, readlinkSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createPause, listFolder } from "../../storage/changes/tree-scan.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { isInside, toRealRoot } from "../files/real-path.ts";

/** link: leads to another repository or folder. paths: a list of folders. program: git runs it. never: has no use today. */
type GitFileKind = "config" | "attributes" | "link" | "paths" | "todo" | "strategy" | "program" | "never";

export interface GitFile {
  path: string;
  kind: GitFileKind;
}

const largestFile = 256 * 1024;
/** Files that are checked without a reason to look further. */
export const usualFolders = 50_000;

/** In a repository's own folder. */
const knownFiles: Array<[name: string, kind: GitFileKind]> = [
  ["config", "config"],
  ["config.worktree", "config"],
  ["commondir", "link"],
  ["gitdir", "link"],
  ["info/attributes", "attributes"],
  ["objects/info/alternates", "paths"],
  ["objects/info/http-alternates", "never"],
  ["rebase-merge/git-rebase-todo", "todo"],
  ["rebase-merge/strategy", "strategy"],
  ["sequencer/opts", "strategy"],
];
const knownFolders: Array<[name: string, kind: GitFileKind]> = [
  ["hooks", "program"],
  ["branches", "never"],
  ["remotes", "never"],
];
const ownFolders = [
  "hooks",
  "info",
  "objects",
  "objects/info",
  "refs",
  "worktrees",
  "modules",
  "rebase-merge",
  "sequencer",
];
/** Of other version control systems: settings that make them run something. */
const otherSettings: Array<[folder: RegExp, name: string]> = [
  [/[\\/]\.hg$/i, "hgrc"],
  [/[\\/]\.jj[\\/]repo$/i, "config.toml"],
  [/[\\/]_darcs[\\/]prefs$/i, "defaults"],
];

export interface GitLook {
  files: GitFile[];
  /** Whether all folders were looked into. */
  isWhole: boolean;
}

/**
 * Everywhere below a folder: in each `.git`, and in each folder that has the shape of a repository. `onFile` gets all
 * files; without it nobody looks among the objects, which are many and lead nowhere on their own.
 */
export async function listGitFiles(
  root: string,
  mostFolders = usualFolders,
  onFile?: (path: string) => void,
): Promise<GitLook> {
  const files: GitFile[] = [];
  const pause = createPause();
  const waiting = [{ folder: root, isObjects: false }];
  const left = { objects: mostFolders, others: mostFolders };
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { folder, isObjects } = next;
    left[isObjects ? "objects" : "others"] -= 1;
    if (left.others < 0) return { files, isWhole: false };
    if (left.objects < 0) continue;
    const entries = listFolder(folder);
    if (!isObjects && isRepository(folder, entries)) files.push(...listRepository(folder));
    for (const [pattern, settings] of otherSettings)
      if (pattern.test(folder) && entries.some(({ name }) => name === settings))
        files.push({ path: join(folder, settings), kind: "program" });
    for (const entry of entries) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isAmong = isObjects || (entry.name === "objects" && isGitName(folder));
        if (!isAmong || onFile !== undefined) waiting.push({ folder: path, isObjects: isAmong });
      } else {
        if (!isObjects && isGitName(entry.name)) files.push({ path, kind: "link" });
        if (entry.isFile()) onFile?.(path);
      }
      const due = pause();
      if (due !== undefined) await due;
    }
  }
  return { files, isWhole: true };
}

function isRepository(folder: string, entries: readonly Dirent[]): boolean {
  if (isGitName(folder)) return true;
  const names = new Set(entries.map(({ name }) => name.toLowerCase()));
  return names.has("head") && (names.has("objects") || names.has("commondir"));
}

function isGitName(path: string): boolean {
  // A Mac passes over these signs in names.
  return /(^|[\\/])(\.git|git~1)$/i.test(
    path.replaceAll(/[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g, ""),
  );
}

function listRepository(folder: string): GitFile[] {
  const inFolders = knownFolders.flatMap(([name, kind]) => listFiles(join(folder, name), kind));
  const links = ["HEAD", ...ownFolders].filter((name) => lookAt(join(folder, name))?.isSymbolicLink());
  const files = [
    ...knownFiles.map(([name, kind]): GitFile => ({ path: join(folder, name), kind })),
    ...listNamed(folder),
  ].filter(({ path }) => lookAt(path) !== undefined);
  return [
    ...files,
    ...inFolders,
    ...links.map((name): GitFile => ({ path: join(folder, name), kind: "never" })),
  ];
}

/** Samples are not run. */
function listFiles(folder: string, kind: GitFileKind): GitFile[] {
  return listFolder(folder)
    .filter(({ name }) => !name.endsWith(".sample"))
    .map(({ name }) => ({ path: join(folder, name), kind }));
}

/** What the settings that are there already lead to: folders of hooks, further settings. */
function listNamed(folder: string): GitFile[] {
  const settings = readSettings(readText(join(folder, "config"))) ?? [];
  return settings.flatMap(({ key, value }): GitFile[] => {
    if (key === "core.hookspath") return listFiles(resolve(dirname(folder), value), "program");
    return /^include(if\..*)?\.path$/.test(key) ? [{ path: resolve(folder, value), kind: "config" }] : [];
  });
}

/** A repository in which nothing makes git run or read something else, with that of none of its modules. */
export async function isPlainRepository(path: string, root: string): Promise<boolean> {
  if (lookAt(path)?.isDirectory() !== true || lookAt(join(dirname(path), ".gitmodules")) !== undefined)
    return false;
  if (listFolder(join(path, "modules")).length > 0) return false;
  const { files, isWhole } = await listGitFiles(dirname(path));
  return isWhole && files.every((file) => file.path === path || isHarmless(file, root));
}

/** `root`: nothing outside of it may be named. */
export function isHarmless({ path, kind }: GitFile, root: string): boolean {
  const status = lookAt(path);
  if (status === undefined) return true;
  if (kind === "link" && status.isSymbolicLink())
    return isInside(toRealRoot(resolve(dirname(path), readlinkSync(path))), root);
  if (!status.isFile() || status.size > largestFile) return false;
  const text = readText(path);
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const isNear = (line: string) => {
    const target = toRealRoot(resolve(dirname(path), line.replace(/^gitdir: /, "")));
    // Among the objects nobody looks.
    return isInside(target, root) && (kind === "paths" || !/[/\\]\.git[/\\]objects([/\\]|$)/i.test(target));
  };
  switch (kind) {
    case "config":
      return (
        readSettings(text)?.every((setting) =>
          setting.key === "core.worktree" ? isNear(setting.value) : isHarmlessSetting(setting),
        ) === true
      );
    case "attributes":
      return !/\b(filter|diff|merge)=(?!lfs\b|union\b|binary\b|text\b)/.test(text);
    case "link":
      // Another folder for the settings is only usual in a work tree of the same repository.
      return path.endsWith("/commondir")
        ? text.trim() === "../.." && /\/worktrees\/[^/]+$/.test(dirname(path))
        : lines.every(isNear);
    case "paths":
      return lines.every(isNear);
    case "todo":
      return !lines.some((line) => /^\s*(x|exec)\b/.test(line));
    case "strategy":
      // Its name is part of a program's, which is looked for in a folder when it holds a slash.
      return !text.includes("/");
    case "program":
    case "never":
      return false;
  }
}

interface Setting {
  /** `section.subsection.name`, section and name in lower case. */
  key: string;
  value: string;
}

/** Undefined if it is not written plainly: git would understand more than this. */
function readSettings(text: string): Setting[] | undefined {
  if (/[\p{Cc}--[\n\t]]/v.test(text)) return undefined;
  const settings: Setting[] = [];
  let section = "";
  for (const line of text.split("\n").map((one) => one.trim())) {
    if (line === "" || /^[#;]/.test(line)) continue;
    const [, head, quoted] = /^\[([\w.-]+)(?:\s+"([^"\\]*)")?\]$/.exec(line) ?? [];
    const [, name, value = "true"] = /^([A-Za-z][\w-]*)(?:\s*=\s*(.*))?$/.exec(line) ?? [];
    if (head !== undefined) section = `${head.toLowerCase()}${quoted === undefined ? "" : `.${quoted}`}`;
    else if (name === undefined || value.endsWith("\\")) return undefined;
    else
      settings.push({ key: `${section}.${name.toLowerCase()}`, value: value.replace(/^"([^"\\]*)"$/, "$1") });
  }
  return settings;
}

const plainKeys = [
  /^core\.(repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol|safecrlf|quotepath|abbrev|compression|whitespace|untrackedcache|preloadindex|trustctime|checkstat|sharedrepository|longpaths|commentchar|sparsecheckout|sparsecheckoutcone)$/,
  /^user\.(name|email|useconfigonly)$/,
  /^remote\..*\.(url|pushurl|fetch|push|prune|prunetags|tagopt|mirror|skipfetchall)$|^remote\.pushdefault$/,
  /^branch\..*\.(remote|merge|rebase|pushremote|description|vscode-merge-base)$/,
  /^submodule\..*\.(url|active|branch|ignore|shallow)$|^submodule\.(active|recurse)$/,
  /^extensions\.(objectformat|refstorage|worktreeconfig|compatobjectformat|preciousobjects)$/,
  /^(init\.defaultbranch|pull\.(rebase|ff)|push\.(default|autosetupremote|followtags)|fetch\.(prune|parallel)|merge\.(ff|conflictstyle)|rebase\.(autosquash|autostash|updaterefs)|rerere\.enabled|gc\.(auto|autodetach|pruneexpire)|log\.(date|decorate)|diff\.(renames|algorithm|colormoved|noprefix|mnemonicprefix)|index\.version|feature\.manyfiles|lfs\.repositoryformatversion|maintenance\.(auto|strategy))$/,
  /^(color|column|advice|status|apply)\.[\w.]+$/,
];
const plainValues: Array<[key: RegExp, value: RegExp]> = [
  [/^core\.fsmonitor$|^(commit|tag)\.gpgsign$/, /^(false|0|no|off)$/i],
  [/^submodule\..*\.update$/, /^(checkout|rebase|merge|none)$/],
];

/** An address with `::` names a program, and one that begins with a dash is an option. */
function isHarmlessSetting({ key, value }: Setting): boolean {
  const exact = plainValues.find(([name]) => name.test(key));
  if (exact !== undefined) return exact[1].test(value);
  return plainKeys.some((name) => name.test(key)) && !/^["\s]*[-!]|::/.test(value);
}

function readText(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    // Gone meanwhile, or not ours to look into.
    if (codeOf(error) === undefined) throw error;
    return "";
  }
}
