// Tells whether a command is plainly harmless: one program of a short list, with arguments known to be safe, on files
// that may be read anyway. Everything else is for the owner to decide. Errs on the side of asking.
import { resolve } from "node:path";
import type { Origin } from "../bus/types.ts";
import { ToolError } from "../runner/tool.ts";
import type { FileRoots } from "./file-roots.ts";
import { isPlainRepository } from "./plain-repository.ts";

/** Letters of any language, digits and a few signs that mean nothing to a shell. No quotes, no `~`, no wildcards. */
const word = /^[\p{L}\p{N}\p{M}_./,:=@%+-]+$/u;

const longestCommand = 2000;

interface Rule {
  options: RegExp;
  /** What may stand beside the options: files that are checked, any words, nothing, or only such words. */
  operands: "files" | "any" | "none" | RegExp;
}

const revisions =
  /^(--(oneline|stat|shortstat|graph|all|decorate|abbrev-commit|name-only|name-status|cached|staged|patch|no-patch|no-color|reverse|merges|no-merges|first-parent)|--(max-count|since|until|author|grep|date|pretty|format)=.*|-\d+|-[psuw]|-n|--)$/;

const gitRules: Record<string, Rule> = {
  status: { options: /^(--short|--branch|--porcelain|-s|-b|-sb|--)$/, operands: "files" },
  log: { options: revisions, operands: "files" },
  show: { options: revisions, operands: "files" },
  diff: { options: revisions, operands: "files" },
  branch: { options: /^(--list|--show-current|--all|--remotes|-[arv]|-vv)$/, operands: "none" },
};

const rules: Record<string, Rule> = {
  ls: {
    options:
      /^-[ABCFGNQRSUXabcdfghiklmnopqrstuvx1]+$|^--(all|almost-all|recursive|human-readable|reverse|size)$/,
    operands: "files",
  },
  cat: { options: /^-[AbeEnstTv]+$/, operands: "files" },
  head: { options: /^-[qv]$|^-[nc]?\d*$/, operands: "files" },
  tail: { options: /^-[qv]$|^-[nc]?\d*$/, operands: "files" },
  wc: { options: /^-[clmwL]+$/, operands: "files" },
  echo: { options: /^-/, operands: "any" },
  date: { options: /^(-u|--utc|-R|-I(date|hours|minutes|seconds)?)$/, operands: /^\+/ },
  pwd: { options: /^-[LP]$/, operands: "none" },
  whoami: { options: /^$/, operands: "none" },
  uname: { options: /^-[asnrvmpio]+$/, operands: "none" },
  which: { options: /^-a$/, operands: "any" },
};

export interface CommandPlace {
  roots: FileRoots;
  origin: Origin;
  /** As the model gave it; default: the workspace. */
  workingDirectory?: string;
}

/** Why the command should be asked about; undefined when it may just run. */
export async function findConcern(command: string, place: CommandPlace): Promise<string | undefined> {
  if (command.length > longestCommand) return "It is too long to be judged.";
  // Only what bash itself takes for blank: to it, any other space of Unicode is a part of a word.
  const words = command.replaceAll(/^[ \n]+|[ \n]+$/g, "").split(/ +/);
  if (!words.every((part) => word.test(part))) return "It uses more of the shell than one plain command.";
  const isGit = words[0] === "git";
  const name = isGit ? `git ${words[1] ?? ""}`.trim() : (words[0] ?? "");
  const rule = isGit ? ownRule(gitRules, words[1]) : ownRule(rules, words[0]);
  if (rule === undefined) return `"${name}" is not on the short list of commands that run without asking.`;
  const args = words.slice(isGit ? 2 : 1);
  const odd = args.find((part) => !isAllowed(part, rule));
  if (odd !== undefined) return `"${odd}" is more than "${name}" is allowed without asking.`;
  try {
    return await findPlaceConcern(isGit, rule.operands === "files" ? args.filter(isOperand) : [], place);
  } catch (error) {
    if (error instanceof ToolError) return error.message;
    throw error;
  }
}

function isAllowed(part: string, { options, operands }: Rule): boolean {
  if (!isOperand(part)) return options.test(part);
  if (operands instanceof RegExp) return operands.test(part);
  return operands !== "none";
}

async function findPlaceConcern(
  isGit: boolean,
  files: string[],
  { roots, origin, workingDirectory = "." }: CommandPlace,
): Promise<string | undefined> {
  const folder = await roots.resolveRead(workingDirectory, origin);
  for (const file of files) await roots.resolveRead(resolve(folder, file), origin);
  if (!isGit || (await isPlainRepository(folder, roots.rootFor(origin)))) return undefined;
  return "The repository is not a plain one of this workspace, so git might run programs that it names.";
}

function isOperand(part: string): boolean {
  return !part.startsWith("-");
}

function ownRule(table: Record<string, Rule>, name = ""): Rule | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
