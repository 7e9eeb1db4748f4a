// What content from outside may not set in motion by itself: calls that could carry something away or act on the world.
// They are asked about, whatever else would have let them pass, unless the owner wrote the very target in this turn.
import type { Origin } from "../bus/types.ts";
import { phrase } from "../i18n/phrase.ts";
import type { Effect, ToolContext } from "../runner/tool.ts";
import { carriesData } from "./data-in-address.ts";
import { describeEffect } from "./describe-effect.ts";
import type { FileRoots } from "./file-roots.ts";
import type { CommandFacts } from "./incoming-labels.ts";
import { isNamedByOwner } from "./named-by-owner.ts";
import type { SeenAddresses } from "./seen-addresses.ts";
import type { ApprovalRequest, Judge } from "./with-approval.ts";
import { describeWrite } from "./write-detail.ts";

type Asked = Omit<ApprovalRequest, "reasons" | "labels">;

export interface TaintOptions {
  roots: FileRoots;
  seen: SeenAddresses;
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
    if (verdict.type === "deny" || context.labels.size === 0 || isNamedByOwner(effect, context))
      return verdict;
    const labels = [...context.labels];
    if (verdict.type === "ask") return { type: "ask", request: { ...verdict.request, labels } };
    const asked = await findQuestion(effect, context, options);
    if (asked === undefined) return verdict;
    return { type: "ask", request: { ...asked, reasons: [phrase("approval.from-outside")], labels } };
  };
}

async function findQuestion(
  effect: Effect,
  context: ToolContext,
  options: TaintOptions,
): Promise<Asked | undefined> {
  const { origin, sessionKey } = context;
  switch (effect.type) {
    case "read":
      return undefined;
    case "fetch": {
      if (effect.sendsData) return describeEffect(effect);
      const isKnown = !carriesData(effect.url) || options.seen.has(sessionKey, effect.url);
      return isKnown ? undefined : { ...describeEffect(effect), subject: effect.url };
    }
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

/** A command that others let run: with the network, or on a file that conversations begin with. */
async function isRisky(
  effect: Effect & { type: "run" },
  context: ToolContext,
  { commands, promptNames }: TaintOptions,
): Promise<boolean> {
  if (await commands.reachesNetwork(effect, context)) return true;
  const command = effect.command.toLowerCase();
  const isNamed = promptNames.some((name) => command.includes(name.toLowerCase()));
  return isNamed && !(await commands.isReadOnly(effect, context));
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
