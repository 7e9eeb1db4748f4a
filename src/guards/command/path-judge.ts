// Judges the files that a command names: where each really leads, as the kernel would follow it, and whether the person
// behind the turn may read or change it. Secrets are refused wherever they are.
import { basename, dirname, isAbsolute, join, resolve } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { toOneLine } from "../../lib/text.ts";
import { lookAt } from "../../storage/files/file-stamp.ts";
import { codeOf, FileError } from "../files/file-error.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { isInside, toRealPath, toShownPath } from "../files/real-path.ts";
import { type Concern, type Severity, toLocalFiles } from "./inquiry.ts";
import { findMatches } from "./path-matches.ts";
import { listedName, printedSign, type ShellWord } from "./shell-word.ts";

/** tree: changed with all that is in it. remove: gone afterwards. */
export type PathAccess = "read" | "write" | "tree" | "remove";

export interface PathJudgeOptions {
  roots: FileRoots;
  home: string;
  /** Folders for temporary files, of which a contained command has its own. */
  scratchFolders: readonly string[];
  isContained: boolean;
}

export interface PathPlace {
  origin: Origin;
  folder: string | undefined;
}

export type PathJudge = (word: ShellWord, access: PathAccess, place: PathPlace) => Promise<Concern[]>;

const secretNames =
  /(^|\/)(\.ssh|\.gnupg|\.aws|\.azure|\.kube|\.netrc|_netrc|\.pgpass|\.my\.cnf|\.git-credentials|\.pypirc|\.vault-token|\.password-store|\.mozilla|keyrings|Keychains|\.docker\/config\.json|\.config\/(gcloud|gh|op|rclone|google-chrome|chromium|BraveSoftware)|\.(gem|cargo)\/credentials(\.toml)?|id_(rsa|dsa|ecdsa|ed25519))(\/|$)|^\/etc\/(g?shadow-?|sudoers|ssl\/private|ssh\/.*_key|krb5\.keytab)|^\/(var\/)?run\/secrets|docker\.sock$|^\/proc\/(.*\/)?(environ|mem|fd|map_files|kcore|maps)(\/|$)|(^|\/)proc\/[^/]+\/environ$/i;

/** What every program may read and write. */
const openDevices = /^\/dev\/(null|zero|full|u?random|tty|stdin|stdout|stderr|fd\/\d+)$/;

/** What everybody on a machine may know, and programs need. */
const systemPlaces =
  /^\/(usr|bin|sbin|lib\w*)(\/|$)|^\/etc\/([\w-]*release|debian_version|hostname|hosts|timezone|localtime|resolv\.conf|shells|mime\.types|services|protocols)$|^\/proc\/(cpuinfo|meminfo|version|uptime|loadavg|stat|mounts|filesystems)$/;

const systemFolders =
  /^\/(bin|boot|dev|etc|lib\w*|opt|proc|root|run|sbin|srv|sys|usr|var|System|Library)(\/|$)/;

const mostChanged = 200;

export function createPathJudge(options: PathJudgeOptions): PathJudge {
  return async (word, access, { origin, folder }) => {
    const shown = toOneLine(word.text.replaceAll(listedName, "…").replaceAll(printedSign, "0"), 120);
    const ask = (reason: Phrase): Concern[] => [{ severity: "ask", reason }];
    if (secretNames.test(word.text.replaceAll(printedSign, ""))) return refuseSecret(shown);
    if (word.kind === "unknown") return ask(phrase("approval.unknown-word", { word: shown }));
    if (word.text === "-" || openDevices.test(word.text)) return [];
    if (folder === undefined && !isAbsolute(word.text)) return ask(phrase("approval.unknown-folder"));
    const start = folder ?? "/";
    if (word.kind === "pattern") return judgePattern(word.text, start);
    const text = word.text.replaceAll(listedName, "x");
    // A program that fails prints no number.
    const texts = [...new Set(["0", ""].map((number) => text.replaceAll(printedSign, number)))];
    const found = (await Promise.all(texts.map((one) => judgeFile(one, start)))).flat();
    if (word.kind !== "listed") return found;
    const severity: Severity = access === "remove" ? "ask" : "local";
    return [...found, { severity, reason: phrase("approval.unknown-files") }];

    async function judgePattern(pattern: string, from: string): Promise<Concern[]> {
      const matches = await findMatches(pattern, from);
      if (matches === undefined) return ask(phrase("approval.many-files", { path: shown }));
      if (matches.length === 0) return judgeFile(pattern, from);
      if (access !== "read" && matches.length > mostChanged)
        return ask(phrase("approval.many-files", { path: shown }));
      if (access === "remove" && /(^|\/)\*$/.test(pattern))
        return ask(phrase("approval.many-files", { path: shown }));
      if (!pattern.includes("/") && matches.some(({ path }) => basename(path).startsWith("-"))) {
        return ask(phrase("approval.like-option", { path: shown }));
      }
      const first = matches[0]?.path ?? from;
      const telling = matches.filter(
        ({ path, isLink }) =>
          access !== "read" ||
          isLink ||
          path === first ||
          secretNames.test(path) ||
          options.roots.isOwn(resolve(path)) ||
          (lookAt(path)?.nlink ?? 1) > 1,
      );
      const deep: Concern[] = pattern.includes("**") ? [toLocalFiles(shown)] : [];
      return [...deep, ...(await Promise.all(telling.map(({ path }) => judgeFile(path, from)))).flat()];
    }

    async function judgeFile(path: string, from: string): Promise<Concern[]> {
      try {
        const real = await toRealPath(await followParents(path, from));
        return await judgeReal(real, shown, access, { ...options, origin });
      } catch (error) {
        // A link to nothing, a loop of links, a name that is too long, a folder that may not be entered.
        if (!(error instanceof FileError) && codeOf(error) === undefined) throw error;
        return [{ severity: access === "read" ? "ask" : "refused", reason: toReason(error, shown) }];
      }
    }
  };
}

/** `a/../b` as the kernel goes: `..` leads out of the folder that `a` is a link to. */
async function followParents(path: string, from: string): Promise<string> {
  let current = isAbsolute(path) ? "/" : await toRealPath(from);
  for (const name of path.split("/")) {
    if (name === "..") current = dirname(await toRealPath(current));
    else if (name !== "" && name !== ".") current = join(current, name);
  }
  return current;
}

async function judgeReal(
  real: string,
  shown: string,
  access: PathAccess,
  { roots, origin, home, scratchFolders, isContained }: PathJudgeOptions & { origin: Origin },
): Promise<Concern[]> {
  if (openDevices.test(real)) return [];
  if (secretNames.test(real)) return refuseSecret(shown);
  const ownReason = phrase("approval.own", { path: shown });
  const isScratch = scratchFolders.some(
    (folder) => isInside(real, folder) && (access === "read" || real !== folder),
  );
  const resolved = await resolveWith(roots, real, access, origin);
  if (resolved instanceof FileError) {
    // Of the home itself a sandbox shows only what is open.
    const isShownEmpty = isContained && access === "read" && roots.holdsHome(real);
    if (roots.isOwn(real) && !isShownEmpty) return [{ severity: "refused", reason: ownReason }];
    if (isScratch) return [{ severity: "local", reason: phrase("approval.outside", { path: shown }) }];
    if (access !== "read") return [{ severity: "refused", reason: resolved.phrase }];
    if (origin.role === "owner" && systemPlaces.test(real)) return [];
    return [{ severity: "ask", reason: phrase("approval.outside", { path: shown }) }];
  }
  if (access === "read") {
    if (!(await roots.mayRead(real, origin))) return [{ severity: "refused", reason: ownReason }];
    return roots.holdsHome(real) ? [{ severity: "ask", reason: ownReason }] : [];
  }
  const root = roots.rootFor(origin);
  if (
    isInside(home, real) ||
    (isInside(root, real) && real !== root) ||
    (!isInside(real, root) && systemFolders.test(real))
  ) {
    return [{ severity: "refused", reason: phrase("approval.system", { path: shown }) }];
  }
  return judgeOwnFile(toShownPath(real, root), shown, access);
}

function judgeOwnFile(relative: string, shown: string, access: PathAccess): Concern[] {
  const ask = (reason: Phrase): Concern[] => [{ severity: "ask", reason }];
  if (/^skills(\/|$)/i.test(relative)) return ask(phrase("approval.skill"));
  if (basename(relative).startsWith("-")) return ask(phrase("approval.like-option", { path: shown }));
  const isHolding = /^(\.|memory|(people|groups)(\/[^/]+)?(\/memory)?)$/i.test(relative);
  return access !== "write" && isHolding ? ask(phrase("approval.kept-files", { path: shown })) : [];
}

async function resolveWith(
  roots: FileRoots,
  path: string,
  access: PathAccess,
  origin: Origin,
): Promise<string | FileError> {
  try {
    return await (access === "read" ? roots.resolveRead(path, origin) : roots.resolveWrite(path, origin));
  } catch (error) {
    if (error instanceof FileError) return error;
    throw error;
  }
}

function refuseSecret(shown: string): Concern[] {
  return [{ severity: "refused", reason: phrase("approval.secret", { path: shown }) }];
}

function toReason(error: unknown, path: string): Phrase {
  return error instanceof FileError ? error.phrase : phrase("approval.unusable-path", { path });
}
