// `allowed-tools` of the Agent Skills format: which commands and hosts a skill names. Only what is named can be granted:
// "any command" or "any host" is not. Tools that need no grant are passed over.
import { toSite } from "../lib/network/registrable-domain.ts";
import { toPlainLine } from "../lib/text.ts";
import type { SkillWants } from "./skill.ts";

export const noWants: SkillWants = { commands: [], hosts: [], tooMuch: [] };

const mostRows = 60;
const longestRow = 200;
const rowPattern = /([A-Za-z][\w-]*)(?:\(([^()]*)\))?/g;
const commandTools = /^(bash|shell|exec)$/i;
const webTools = /^(webfetch|web_fetch|fetch)$/i;
/** A program of the system: one of the workspace could be exchanged. */
const program = /^[\w][\w.+-]*$/;
const hostName = /^(\*\.)?(?!-)[a-z\d-]+(\.[a-z\d-]+)*\.[a-z][a-z\d-]+$/;

/** One text (`Bash(git:*) Read`), or a list of them. */
export function readAllowedTools(value: unknown): SkillWants {
  const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
  const wants: SkillWants = { commands: [], hosts: [], tooMuch: [] };
  const rows = texts.flatMap((text) => [...text.slice(0, mostRows * longestRow).matchAll(rowPattern)]);
  for (const [row, tool = "", inner = ""] of rows.slice(0, mostRows)) {
    if (commandTools.test(tool)) add(wants, "commands", toRule(inner), row);
    else if (webTools.test(tool)) add(wants, "hosts", toHost(inner), row);
  }
  return wants;
}

function add(wants: SkillWants, to: "commands" | "hosts", named: string | undefined, row: string): void {
  const list = named === undefined ? wants.tooMuch : wants[to];
  const text = toPlainLine(named ?? row, longestRow);
  if (!list.includes(text)) list.push(text);
}

/** `git log:*` and `git log *` are the rule `git log *`; without a star it is exactly this. */
function toRule(inner: string): string | undefined {
  const words = inner
    .replace(/:\*$/, " *")
    .split(/\s+/)
    .filter((word) => word !== "");
  const isOpenInside = words.slice(0, -1).some((word) => word.includes("*"));
  return words[0] !== undefined && program.test(words[0]) && !isOpenInside ? words.join(" ") : undefined;
}

function toHost(inner: string): string | undefined {
  const host = inner
    .trim()
    .toLowerCase()
    .replace(/^domain:/, "");
  const name = host.replace(/^\*\./, "");
  // Below a suffix that everyone can register at, every name is another's.
  const isWide = host !== name && toSite(`x.${name}`) === `x.${name}`;
  return hostName.test(host) && !isWide ? host : undefined;
}
