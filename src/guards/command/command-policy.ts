// Whether a command may just run, has to be asked about, or is refused. In a sandbox everything runs that stays in it;
// leaving it is asked about. Without one, only the exact list runs unasked. The owner's rules hold in both.
import type { Origin } from "../../bus/types.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import type { Effect } from "../../runner/tool.ts";
import { FileError } from "../files/file-error.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { type CommandRules, createCommandRules, type RuleTexts } from "./command-rules.ts";
import { isExact } from "./exact-list.ts";
import { createLeaveCheck, type LeaveOptions } from "./leave-sandbox.ts";
import { type ReadLine, readLine, type SimpleCommand } from "./read-line.ts";
import { coversHost, coversLine, type GrantedCommand, type ListGrants } from "./skill-grants.ts";
import { toProgram } from "./started-programs.ts";

export type Run = Effect & { type: "run" };

export interface CommandJudgement {
  class: "harmless" | "ask" | "refused";
  /** The most important first; none if it is harmless. */
  reasons: Phrase[];
  /** It may reach the network. */
  needsNetwork: boolean;
  /** It only looks around: no files are changed, no code is run. */
  isReadOnly: boolean;
  /** Names of the programs that it starts and that are not on the exact list; undefined: not all are known. */
  programs: string[] | undefined;
  /** It leaves the sandbox only as the owner granted it to a skill. */
  granted?: GrantedCommand;
}

export interface CommandPolicyOptions extends RuleTexts, LeaveOptions {
  roots: FileRoots;
  /** A sandbox contains what programs do. */
  isContained(): boolean;
  /** Default: there are none. */
  grants?: ListGrants;
}

export interface CommandPolicy {
  judge(run: Omit<Run, "type">, place: { origin: Origin }): Promise<CommandJudgement>;
}

const longestCommand = 30_000;
const unreadable: ReadLine = { commands: [], isReadable: false, isPlain: false };
/** Of those that are known; only to tell where a result came from, never to let something pass. */
const networkPrograms =
  /^(curl|wget|ssh|scp|sftp|rsync|ftp|nc|ncat|socat|telnet|https?|lynx|w3m|dig|host|nslookup|ping|git|gh|npm|npx|pnpm|yarn|bun|bunx|pip3?|uvx?|pipx|cargo|go|gem|bundle|composer|apt(-get)?|dnf|brew|docker|podman|kubectl|aws|gcloud|az)$/;

/** Whether a line that a person typed names a program that is of no use without the network. */
export function namesNetworkProgram(command: string): boolean {
  return command.split(/[\s;|&()]+/).some((word) => networkPrograms.test(word));
}

export function createCommandPolicy(options: CommandPolicyOptions): CommandPolicy {
  const { roots, isContained, grants = async () => [] } = options;
  const rules = createCommandRules(options);
  const checkLeave = createLeaveCheck(options);

  async function isOnList(run: Omit<Run, "type">, line: ReadLine, origin: Origin): Promise<boolean> {
    try {
      const folder = await roots.resolveRead(run.workingDirectory ?? ".", origin);
      return await isExact(run.command, line, { roots, origin, folder });
    } catch (error) {
      if (error instanceof FileError) return false;
      throw error;
    }
  }

  /** Hosts of one skill, for commands of the same skill, and nothing else. */
  async function findGranted(run: Omit<Run, "type">, line: ReadLine): Promise<GrantedCommand | undefined> {
    const { network, writable = [], outside } = run;
    if (!Array.isArray(network) || network.length === 0 || writable.length > 0 || outside) return undefined;
    const skill = (await grants()).find(
      (grant) =>
        network.every((host) => coversHost(grant, host)) &&
        coversLine(line, createCommandRules({ allow: grant.commands, deny: [] }).isAllowed, isAside),
    );
    if (skill === undefined) return undefined;
    const words = line.commands.flatMap((command) => command.words.slice(1).map(({ text }) => text));
    return { skill, words, hasFiles: line.commands.some(({ files }) => files.length > 0) };
  }

  return {
    async judge(run, { origin }) {
      const line = await read(run.command);
      const leave = checkLeave(run);
      const contained = isContained() && run.outside !== true;
      const isListed = await isOnList(run, line, origin);
      const denial = rules.findDenial(run.command, line);
      const refusals = [
        ...(denial === undefined ? [] : [phrase("approval.owner-rule", { rule: denial })]),
        ...leave.refusals,
      ];
      const doubts = [
        ...leave.reasons,
        ...(contained || isListed || run.outside === true ? [] : [phrase("approval.no-sandbox")]),
      ];
      const isRuled = doubts.length > 0 && isLifted(line, rules, run);
      const isGrantable = doubts.length > 0 && !isRuled && contained && origin.role === "owner";
      const granted = isGrantable ? await findGranted(run, line) : undefined;
      const asked = [...(isRuled || granted !== undefined ? [] : doubts), ...toDoubts(line, rules)];
      const names = line.commands.flatMap(({ words: [program] }) =>
        program === undefined ? [] : [toProgram(program)],
      );
      return {
        class: refusals.length > 0 ? "refused" : asked.length > 0 ? "ask" : "harmless",
        reasons: refusals.length > 0 ? refusals : asked,
        needsNetwork:
          run.network !== undefined ||
          (!contained && !isListed && names.some((name) => networkPrograms.test(name))),
        isReadOnly: isListed,
        programs: line.isReadable ? [...new Set(names.filter((name) => !quiet.has(name)))].sort() : undefined,
        ...(granted !== undefined && { granted }),
      };
    },
  };
}

/** Of no account for what a line can reach. */
const quiet = new Set(
  "cd echo printf cat head tail grep sort wc tr cut uniq tee true false test [ set export".split(" "),
);

async function read(command: string): Promise<ReadLine> {
  if (command.length > longestCommand) return unreadable;
  return readLine(command, await import("unbash"));
}

/** The owner's rules name every command of the line, but for what only goes somewhere, prints or cuts its input. */
function isLifted(line: ReadLine, rules: CommandRules, run: Omit<Run, "type">): boolean {
  const isPlaced = line.commands.every(({ files }) => files.length === 0 || run.outside !== true);
  return isPlaced && coversLine(line, rules.isAllowed, isAside);
}

function isAside({ words: [program, ...args], settings, files }: SimpleCommand): boolean {
  if (settings.length > 0 || files.length > 0 || !args.every(({ isKnown }) => isKnown)) return false;
  if (/^(cd|echo|pwd|true|false|:)$/.test(program?.text ?? "")) return true;
  return /^(head|tail|wc)$/.test(program?.text ?? "") && args.every(({ text }) => /^(-\w+|\d+)$/.test(text));
}

function toDoubts(line: ReadLine, rules: CommandRules): Phrase[] {
  const rule = rules.findDoubt(line);
  return [
    ...(rule === undefined ? [] : [phrase("approval.may-be-denied", { rule })]),
    ...rules.problems.map((pattern) => phrase("approval.bad-pattern", { pattern })),
  ];
}
