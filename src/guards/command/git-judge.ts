// Git: reading is harmless in a plain repository, changing one runs its hooks like local code, and remotes are network.
// A hostile repository can name programs for nearly every command, so what it says is looked at first.

import { lstat, readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { phrase } from "../../i18n/phrase.ts";
import { codeOf } from "../files/file-error.ts";
import { isInside, toRealPath } from "../files/real-path.ts";
import { type Inquiry, isOption, toLocal } from "./inquiry.ts";
import { lookAt } from "./path-matches.ts";
import type { ShellWord } from "./shell-word.ts";

const reading =
  /^(status|log|show|diff|branch|tag|remote|stash|ls-files|ls-tree|rev-parse|rev-list|blame|shortlog|describe|grep|reflog|cat-file|config|show-ref|merge-base|name-rev|diff-tree|count-objects|version|cherry|worktree|for-each-ref|check-ignore|symbolic-ref)$/;
const changing =
  /^(add|commit|checkout|switch|merge|rebase|stash|tag|branch|restore|reset|cherry-pick|revert|mv|rm|init|apply|am|worktree|notes|config|bisect|format-patch|archive)$/;
const remote = /^(push|pull|fetch|clone|ls-remote|submodule|lfs)$/;

/** Long options that start programs, write files or lead elsewhere. Git takes their beginnings for the whole, too. */
const riskyOptions =
  "ext-diff textconv output open-files-in-pager exec upload-pack receive-pack template separate-git-dir no-index show-signature ext-grep edit-description contents remote filters".split(
    " ",
  );

/** What destroys work that is nowhere else, starts programs, or changes where work goes. */
const askedAbout: Array<[command: RegExp, argument: RegExp]> = [
  [/^reset$/, /^--hard$/],
  [/^checkout$/, /^(-f|--force)$/],
  [/^(checkout|restore)$/, /^\.$/],
  [/^branch$/, /^-[DMC]$|^--(delete|force)$/],
  [/^tag$/, /^-[df]$/],
  [/^stash$/, /^(drop|clear)$/],
  [/^worktree$/, /^(remove|prune)$/],
  [/^reflog$/, /^(expire|delete)$/],
  [/^bisect$/, /^run$/],
  [/^rebase$/, /^-x/],
  [/^grep$/, /^-O/],
  [/^symbolic-ref$/, /^refs\//],
  [/^remote$/, /^(add|remove|rm|rename|set-url|set-head|update|prune|show)$/],
];

/** Settings that start nothing. */
const plainSetting =
  /^(user\.(name|email)|color\.\w+|core\.(quotepath|abbrev|autocrlf)|init\.defaultbranch|advice\.\w+|commit\.gpgsign|diff\.(renames|algorithm|context))(=|$)/i;

export async function judgeGit(args: ShellWord[], inquiry: Inquiry): Promise<void> {
  const rest = [...args];
  let { folder } = inquiry.command;
  for (let word = rest[0]; word !== undefined && isOption(word); word = rest[0]) {
    rest.shift();
    const value = /^-[Cc]$/.test(word.text) ? rest.shift() : undefined;
    if (word.text === "-C" && value !== undefined) {
      await inquiry.path(value, "read");
      folder = folder === undefined || value.kind !== "text" ? undefined : resolve(folder, value.text);
    } else if (
      word.text === "-c"
        ? !plainSetting.test(value?.text ?? "")
        : !/^(--no-pager|--version|-v)$/.test(word.text)
    ) {
      inquiry.ask(
        phrase("approval.asked-option", {
          option: `${word.text} ${value?.text ?? ""}`.trim(),
          program: "git",
        }),
      );
    }
  }
  const [command, ...words] = rest;
  if (command === undefined) return;
  const name = command.kind === "text" ? command.text : "";
  if (remote.test(name)) judgeRemote(name, words, inquiry);
  else if (!reading.test(name) && !changing.test(name))
    inquiry.ask(phrase("approval.not-known", { program: `git ${name}` }));
  else await judgeLocalCommand(name, words, inquiry, folder);
}

function judgeRemote(name: string, args: ShellWord[], inquiry: Inquiry): void {
  const isForced = args.some(({ text }) => /^(-f|--force.*|--mirror|--delete|\+.*)$/.test(text));
  const reason = isForced
    ? phrase("approval.forced")
    : phrase("approval.network", { program: `git ${name}` });
  inquiry.add({ severity: "ask", reason, isNetwork: true });
}

async function judgeLocalCommand(
  name: string,
  args: ShellWord[],
  inquiry: Inquiry,
  folder: string | undefined,
): Promise<void> {
  const texts = args.map(({ text }) => text);
  const odd = texts.find(
    (text) =>
      isRisky(text) || askedAbout.some(([command, argument]) => command.test(name) && argument.test(text)),
  );
  if (odd !== undefined)
    inquiry.ask(phrase("approval.asked-option", { option: odd, program: `git ${name}` }));
  if (changing.test(name) && !isShowing(name, texts)) {
    inquiry.add(toLocal(`git ${name}`));
    const isOwn =
      texts.some((text) => plainSetting.test(text)) &&
      !texts.some((text) => /^(--(global|system|file)|-f)/.test(text));
    if (name === "config" && !isOwn) inquiry.ask(phrase("approval.setting", { name: texts.join(" ") }));
  }
  for (const [index, word] of args.entries()) {
    // Names and revisions are taken for paths, too: inside of the workspace they do no harm.
    const value = word.text.replace(/^(--[\w-]+=|-\w(?=[/~]))/, "");
    const isMessage =
      /^(-\w*m|--message|--author|--grep)$/.test(texts[index - 1] ?? "") ||
      (/\s/.test(value) && word.kind === "text");
    if (!isMessage && !(isOption(word) && value === word.text))
      await inquiry.path({ ...word, text: value }, "read", folder);
  }
  const isThere = folder !== undefined && lookAt(folder) === "folder";
  const isPlain = isThere && (await isPlainRepository(await toRealPath(folder), inquiry.root));
  if (!isPlain) inquiry.add(toLocal("git"));
}

function isRisky(text: string): boolean {
  const name = /^--([a-z][a-z-]*)/.exec(text)?.[1];
  return (
    name !== undefined &&
    riskyOptions.some((option) => option === name || (name.length > 1 && option.startsWith(name)))
  );
}

/** Of the commands that show something or change it, whichever their words say. */
function isShowing(name: string, texts: string[]): boolean {
  const operands = texts.filter((text) => !text.startsWith("-"));
  const has = (option: RegExp) => texts.some((text) => option.test(text));
  if (name === "branch" || name === "tag") {
    return operands.length === 0 || has(/^(-l|--list|-[arv]+|--contains|--merged|--no-merged|--points-at)$/);
  }
  if (name === "stash" || name === "worktree") return /^(list|show)$/.test(operands[0] ?? "");
  return (
    name === "config" &&
    (operands.length < 2 || has(/^(--get.*|--list|-l)$/)) &&
    !has(/^--(unset|add|replace|edit|remove|rename)|^(-e|edit)$/)
  );
}

/** Sections and keys through which a repository starts programs or leads elsewhere. */
const risky =
  /fsmonitor|hookspath|pager|editor|external|textconv|command|filter|sshcommand|gpg|alias|include|worktree|attributesfile|credential|askpass|submodule/i;

const largestConfig = 100_000;

/** Looks from the folder up to the root for the repository that git would find. Both paths are real. */
async function isPlainRepository(folder: string, root: string): Promise<boolean> {
  for (let current = folder; isInside(current, root); current = dirname(current)) {
    const repository = join(current, ".git");
    if (await isFolder(repository)) return hasPlainConfig(repository);
    // Git takes a folder with a HEAD for a repository without files, and a .git file for a way to one.
    if ((await exists(repository)) || (await exists(join(current, "HEAD")))) return false;
    if (current === root) return false;
  }
  return false;
}

async function hasPlainConfig(repository: string): Promise<boolean> {
  // The hook that even `git status` runs.
  for (const name of ["config.worktree", "hooks/post-index-change"]) {
    if (await exists(join(repository, name))) return false;
  }
  try {
    const config = await readFile(join(repository, "config"), "utf8");
    return config.length < largestConfig && !risky.test(config);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return false;
    throw error;
  }
}

async function isFolder(path: string): Promise<boolean> {
  return (await kindOf(path)) === "folder";
}

async function exists(path: string): Promise<boolean> {
  return (await kindOf(path)) !== undefined;
}

async function kindOf(path: string): Promise<"folder" | "other" | undefined> {
  try {
    return (await lstat(path)).isDirectory() ? "folder" : "other";
  } catch (error) {
    if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
    throw error;
  }
}
