// What the owner granted to a skill: its commands, with its hosts. A grant counts in the owner's turns and in a sandbox
// alone, where nothing else can be reached; what a command may read there it can send to these hosts.
import type { ReadLine, SimpleCommand } from "./read-line.ts";

export interface SkillGrant {
  /** Of the skill. */
  name: string;
  /** As rules: `gh issue *`. */
  commands: readonly string[];
  /** `wttr.in`, `*.example.com`. */
  hosts: readonly string[];
  /** What the skill teaches. */
  text: string;
}

/** Not those of skills that were changed, switched off or removed since. */
export type ListGrants = () => Promise<readonly SkillGrant[]>;

/** A command that a grant covers, with its words; the program is not among them. */
export interface GrantedCommand {
  skill: SkillGrant;
  words: string[];
  hasFiles: boolean;
}

export function coversHost({ hosts }: SkillGrant, host: string): boolean {
  const name = host.toLowerCase().replace(/\.$/, "");
  return hosts.some((known) => name === known || (known.startsWith("*.") && name.endsWith(known.slice(1))));
}

/** Every program is one of the skill's, or only goes somewhere or cuts what it is given. */
export function coversLine(
  { commands, isReadable }: ReadLine,
  isNamed: (command: SimpleCommand) => boolean,
  isAside: (command: SimpleCommand) => boolean,
): boolean {
  return (
    isReadable && commands.some(isNamed) && commands.every((command) => isNamed(command) || isAside(command))
  );
}

/** A label of what the skill itself brought. */
export function isOwnLabel({ name, commands, hosts }: SkillGrant, label: string): boolean {
  const [, kind, source = ""] = /^(\w+):(.*)$/s.exec(label) ?? [];
  if (kind === "skill") return source === name;
  if (kind === "command") return commands.some((rule) => rule.split(" ", 1)[0] === source);
  return kind === "web" && coversHost({ name, commands, hosts, text: "" }, source);
}
