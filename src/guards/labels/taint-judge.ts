// What content from outside may not set in motion on its own: calls that could carry something away or act on the world.
// They are asked about, whatever else would have let them pass, unless the owner wrote the very target in this turn. What
// leaves or lasts is looked at in every turn.
import { basename } from "node:path";
import type { Cause, Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { joinLabels } from "../../lib/labels.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Effect, ToolContext } from "../../runner/tool.ts";
import { describeEffect, describeWrite, findAdded } from "../approval/describe-effect.ts";
import type { ApprovalRequest, Judge } from "../approval/with-approval.ts";
import { type GrantedCommand, isOwnLabel } from "../command/skill-grants.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { statIfThere } from "../files/path-resolver.ts";
import { holdsWhole, isNamedByOwner } from "../outgoing/named-by-owner.ts";
import { findBorrowed, findOutgoingQuestion, type OutgoingOptions } from "../outgoing/outgoing-judge.ts";
import type { CommandFacts } from "./incoming-labels.ts";

type Asked = Omit<ApprovalRequest, "reasons" | "labels">;

interface TaintOptions extends OutgoingOptions {
  roots: FileRoots;
  /** A file that conversations begin with, by its real path. */
  isPromptFile(path: string, origin: Origin): boolean;
  /** What such files are called. */
  promptNames: readonly string[];
  commands: CommandFacts;
}

/** Around the other judges: what they would ask about is asked about as well, with the sources named. */
export function createTaintJudge(judge: Judge, options: TaintOptions): Judge {
  return async (effect, context) => {
    const verdict = await judge(effect, context);
    const isAllowed = effect.type === "call" && effect.isAllowed === true && context.origin.role === "owner";
    if (verdict.type === "deny" || isAllowed || isNamedByOwner(effect, context)) return verdict;
    const labels = [...context.labels];
    if (verdict.type === "ask" && labels.length > 0)
      return { type: "ask", request: { ...verdict.request, labels } };
    const outside = labels.length === 0 ? undefined : await findQuestion(effect, context, options);
    if (outside !== undefined)
      return { type: "ask", request: { ...outside, reasons: [phrase("approval.from-outside")], labels } };
    const asked =
      (await findOutgoingQuestion(effect, context, options)) ?? (await findLasting(effect, context, options));
    if (asked === undefined) return verdict;
    return { type: "ask", request: { ...asked, labels: joinLabels(labels, asked.labels ?? []) } };
  };
}

async function findQuestion(
  effect: Effect,
  context: ToolContext,
  options: TaintOptions,
): Promise<Asked | undefined> {
  const { origin } = context;
  switch (effect.type) {
    case "read":
      return undefined;
    case "fetch":
      return effect.sendsData ? describeEffect(effect) : undefined;
    case "send": {
      const isOwnChat = effect.channel === origin.channel && effect.chatId === origin.chatId;
      return isOwnChat ? undefined : describeEffect(effect);
    }
    case "write":
      return findPromptWrite(effect, origin, options);
    case "run":
      return (await isRisky(effect, context, options))
        ? { ...describeEffect(effect), subject: effect.command }
        : undefined;
    case "call":
      return effect.isReadOnly ? undefined : describeEffect(effect);
    case "schedule":
    case "spawn":
      return describeEffect(effect);
  }
}

/** What later conversations begin with, or what happens later: from a file of someone else, or with nobody watching. */
async function findLasting(
  effect: Effect,
  context: ToolContext,
  options: TaintOptions,
): Promise<ApprovalRequest | undefined> {
  const { origin } = context;
  const asked =
    effect.type === "schedule"
      ? describeEffect(effect)
      : effect.type === "write"
        ? await findPromptWrite(effect, origin, options)
        : undefined;
  if (asked === undefined) return undefined;
  if (unattended.has(origin.cause) && !isTaskList(effect))
    return { ...asked, reasons: [phrase("approval.unattended")], labels: [] };
  if (effect.type !== "write") return undefined;
  const added = await findAdded(effect, options.roots, origin);
  const borrowed = await findBorrowed(added, context, options);
  if (borrowed === undefined) return undefined;
  const reasons = [phrase("approval.holds-shown", { passage: toOneLine(borrowed.text, 60) })];
  return { ...asked, reasons, labels: [borrowed.source] };
}

const unattended = new Set<Cause>(["cron", "trigger", "heartbeat"]);

/** Tasks are ticked off where they are done. */
function isTaskList(effect: Effect): boolean {
  return effect.type === "write" && basename(effect.path) === "HEARTBEAT.md";
}

/** A command that others let run: with the network, or on a file that conversations begin with. */
async function isRisky(
  effect: Effect & { type: "run" },
  context: ToolContext,
  { commands, promptNames, roots }: TaintOptions,
): Promise<boolean> {
  if (await commands.reachesNetwork(effect, context))
    return !(await isRepeated(await commands.grantOf(effect, context), context, roots));
  const command = effect.command.toLowerCase();
  const isNamed = promptNames.some((name) => command.includes(name.toLowerCase()));
  return isNamed && !(await commands.isReadOnly(effect, context));
}

/**
 * A command of a granted skill, where nothing from outside is there but what the skill itself brought: all that it says,
 * the skill or the owner has said before, but for numbers, and it takes no file along.
 */
async function isRepeated(
  granted: GrantedCommand | undefined,
  { labels, origin, ownWords }: ToolContext,
  roots: FileRoots,
): Promise<boolean> {
  if (granted === undefined || granted.hasFiles) return false;
  const { skill, words } = granted;
  if (![...labels].every((label) => isOwnLabel(skill, label))) return false;
  const rules = skill.commands.join(" ");
  const isSaid = (word: string) =>
    /^-?\d{1,6}$/.test(word) || [rules, skill.text, ownWords].some((text) => holdsWhole(text, word));
  const isPlain = (word: string) => !/[*?[\]{}~]/.test(word) && isSaid(word);
  if (!words.every(isPlain)) return false;
  for (const part of words.flatMap((word) => [word, ...word.split(/[=@:,]/)])) {
    const path = await roots.resolveRead(part, origin).catch(() => undefined);
    if (part !== "" && path !== undefined && (await statIfThere(path)) !== undefined) return false;
  }
  return true;
}

async function findPromptWrite(
  effect: Effect & { type: "write" },
  origin: Origin,
  { roots, isPromptFile }: TaintOptions,
): Promise<Asked | undefined> {
  const path = await roots.resolveWrite(effect.path, origin);
  if (!isPromptFile(path, origin)) return undefined;
  return {
    phrase: phrase("approval.change-prompt", { path: roots.display(path, origin) }),
    detail: await describeWrite(effect, roots, origin),
    risk: phrase("approval.risk-instructions"),
  };
}
