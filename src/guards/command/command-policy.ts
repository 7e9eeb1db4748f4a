// Whether a command line may just run, has to be asked about, or is refused: by its grammar, its resolved words and real
// paths, never by patterns over its text. What cannot be read is asked about.
import { homedir } from "node:os";
import type { Origin } from "../../bus/types.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type Clock, systemClock } from "../../lib/clock.ts";
import { createAddressSet } from "../../lib/ip-address.ts";
import { FileError } from "../files/file-error.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { toRealRoot } from "../files/real-path.ts";
import { type CommandRules, createCommandRules, type RuleTexts } from "./command-rules.ts";
import { type Concern, createAddressCheck, type Severity } from "./inquiry.ts";
import { type JudgedLine, judgeLine, type Segment } from "./line-judge.ts";
import { createPathJudge } from "./path-judge.ts";
import { listedName, printedSign } from "./shell-word.ts";

export type CommandClass = "harmless" | "ask" | "refused";

export interface CommandJudgement {
  class: CommandClass;
  /** Sentences, the most important first; none for what is harmless. */
  reasons: Phrase[];
  needsNetwork: boolean;
  /** It only looks around: no files are changed, no code is run. */
  isReadOnly: boolean;
  /** Programs with their arguments as they were resolved, those inside of others too. */
  segments: string[][];
}

export interface CommandPolicyOptions extends RuleTexts {
  roots: FileRoots;
  /** A sandbox contains what programs do, so that local code is harmless. */
  isContained(): boolean;
  /** Default: the user's. */
  home?: string;
  /** Folders for temporary files, of which a contained command has its own. */
  scratchFolders?: readonly string[];
  /** Private networks (CIDR) that commands may reach. */
  allowedNetworks?: readonly string[];
  clock?: Clock;
}

export interface CommandPlace {
  origin: Origin;
  /** As the model gave it; default: the root of the person. */
  workingDirectory?: string;
}

export interface CommandPolicy {
  judge(command: string, place: CommandPlace): Promise<CommandJudgement>;
}

const longestCommand = 30_000;
const mostRemembered = 50;
const rememberedMs = 1000;

export function createCommandPolicy(options: CommandPolicyOptions): CommandPolicy {
  const { roots, home = homedir(), allowedNetworks = [], clock = systemClock } = options;
  const rules = createCommandRules(options);
  const checkAddress = createAddressCheck(createAddressSet(allowedNetworks));
  const remembered = new Map<string, { judgement: CommandJudgement; at: number }>();

  async function read(
    command: string,
    { origin, workingDirectory = "." }: CommandPlace,
  ): Promise<JudgedLine> {
    if (command.length > longestCommand) return toLine("ask", phrase("approval.too-complex"));
    if (command.includes("\0")) return toLine("refused", phrase("approval.nul-bytes"));
    if (/[\u{E0F0}\u{FFFC}]/u.test(command)) return toLine("ask", phrase("approval.invisible"));
    try {
      const folder = await roots.resolveRead(workingDirectory, origin);
      const judgePath = createPathJudge({
        roots,
        home: toRealRoot(home),
        scratchFolders: (options.scratchFolders ?? []).map(toRealRoot),
        isContained: options.isContained(),
      });
      const grammar = await import("unbash");
      return await judgeLine(command, folder, { grammar, roots, origin, home, judgePath, checkAddress });
    } catch (error) {
      if (error instanceof FileError) return toLine("refused", error.phrase);
      throw error;
    }
  }

  return {
    async judge(command, place) {
      const { person, role, group } = place.origin;
      const isContained = options.isContained();
      const key = JSON.stringify([command, place.workingDirectory, person, role, group, isContained]);
      const known = remembered.get(key);
      // Good for further questions about the same call; later the files may be others.
      if (known !== undefined && clock.elapsed() - known.at < rememberedMs) return known.judgement;
      const judgement = toJudgement(command, await read(command, place), rules, isContained);
      remembered.set(key, { judgement, at: clock.elapsed() });
      const [oldest] = remembered.keys();
      if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest);
      return judgement;
    },
  };
}

function toLine(severity: Severity, reason: Phrase): JudgedLine {
  return { segments: [], concerns: [{ severity, reason }], isWriting: false };
}

function toJudgement(
  command: string,
  line: JudgedLine,
  rules: CommandRules,
  isContained: boolean,
): CommandJudgement {
  const all = [...line.concerns, ...line.segments.flatMap((segment) => segment.concerns)];
  const words = line.segments.map((segment) => segment.words);
  const denial = rules.findDenial(command, words);
  const heard: Concern[] = [
    ...(denial === undefined
      ? []
      : [{ severity: "refused" as const, reason: phrase("approval.owner-rule", { rule: denial }) }]),
    ...rules.problems.map((pattern) => ({
      severity: "ask" as const,
      reason: phrase("approval.bad-pattern", { pattern }),
    })),
    ...line.concerns,
    ...line.segments.flatMap((segment) => unlifted(segment, rules)),
  ].filter(({ severity }) => severity !== "local" || !isContained);
  const refusals = heard.filter(({ severity }) => severity === "refused");
  const told = (refusals.length > 0 ? refusals : heard).toSorted((a, b) => rank(a) - rank(b));
  return {
    class: refusals.length > 0 ? "refused" : heard.length > 0 ? "ask" : "harmless",
    reasons: [...new Map(told.map(({ reason }) => [JSON.stringify(reason), reason])).values()],
    needsNetwork: all.some(({ isNetwork }) => isNetwork === true),
    isReadOnly: all.length === 0 && !line.isWriting,
    segments: words.map((segment) => segment.map(({ text }) => toShown(text))),
  };
}

function toShown(text: string): string {
  return text.replaceAll(listedName, "…").replaceAll(printedSign, "0");
}

function unlifted({ words, concerns }: Segment, rules: CommandRules): Concern[] {
  return rules.isAllowed(words) ? concerns.filter(({ severity }) => severity === "refused") : concerns;
}

function rank({ severity, isNetwork }: Concern): number {
  if (severity === "local") return 2;
  return isNetwork === true ? 1 : 0;
}
