// What content from outside may not set in motion by itself: calls that could carry something away or act on the world.
// They are asked about, whatever else would have let them pass, unless the owner wrote the very target in this turn.

import { basename } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Effect, ToolContext } from "../../runner/tool.ts";
import { describeEffect, describeWrite } from "../approval/describe-effect.ts";
import type { ApprovalRequest, Judge } from "../approval/with-approval.ts";
import type { FileRoots } from "../files/file-roots.ts";
import type { CommandFacts } from "./incoming-labels.ts";
import type { SeenAddresses } from "./seen-addresses.ts";

type Asked = Omit<ApprovalRequest, "reasons" | "labels">;

interface TaintOptions {
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

const longestName = 24;
const longestPath = 80;
const mostHostNames = 5;
const mostPathNames = 6;

export function carriesData(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null) return true;
  const { hostname, pathname, search, username, password } = parsed;
  if (search !== "" || username !== "" || password !== "" || pathname.includes("%")) return true;
  const hostNames = hostname.split(".");
  const pathNames = pathname.split("/").filter((name) => name !== "");
  if (hostNames.length > mostHostNames || pathNames.length > mostPathNames) return true;
  return pathname.length > longestPath || [...hostNames, ...pathNames].some(isTelling);
}

function isTelling(name: string): boolean {
  const words = name.split(/[-_.~+]/);
  const numbered = words.filter((word) => /\d/.test(word) && /[a-z]/i.test(word));
  return name.length > longestName || numbered.length > 2 || words.some(isCoded);
}

/** Letters and digits mixed as in keys, hashes and encoded text; `v2`, `2026`, `http2` and `getElement` are not. */
function isCoded(word: string): boolean {
  if (/\d{7,}/.test(word)) return true;
  const isMixed = word.length >= 8 && /\d/.test(word) && /[a-z]/i.test(word);
  return isMixed || (word.match(/[a-z][A-Z]/g)?.length ?? 0) >= 4;
}

const shortestText = 4;
/** An address as people write it: with or without its beginning, up to the next blank, quote or Chinese mark. */
const written =
  /(?:https?:\/\/)?[a-z\d][a-z\d.-]*\.[a-z\d-]+(?::\d+)?(?:[/?][^\s"'`<>，。；：！？、（）《》【】“”]*)?/gi;

export function isNamedByOwner(effect: Effect, { ownWords }: ToolContext): boolean {
  if (ownWords === "") return false;
  switch (effect.type) {
    case "fetch":
      return namesAddress(ownWords, effect.url);
    case "send":
      return holdsWhole(ownWords, effect.chatId);
    case "write":
      return holdsWhole(ownWords, basename(effect.path));
    case "run":
      return holdsText(ownWords, effect.command);
    case "schedule":
      return holdsText(ownWords, effect.what);
    case "spawn":
      return holdsText(ownWords, effect.task);
    case "call":
      return holdsWhole(ownWords, effect.tool);
    case "read":
      return false;
  }
}

function namesAddress(words: string, url: string): boolean {
  const wanted = toPlainAddress(url);
  if (wanted === undefined) return false;
  return [...words.matchAll(written)].some(([text]) =>
    [text, text.replace(/[).,;:!?*_\]]+$/, "")].some((reading) => toPlainAddress(reading) === wanted),
  );
}

/** Host, path and query; whether it is http or https, and what stands behind #, makes no difference to who asked. */
function toPlainAddress(text: string): string | undefined {
  const parsed = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return undefined;
  return parsed.host + parsed.pathname + parsed.search;
}

/** Not inside of a longer word: "12" is not in "a123". Only ASCII counts, as Chinese has no gaps between words. */
function holdsWhole(words: string, target: string): boolean {
  const text = target.trim().toLowerCase();
  if (text === "") return false;
  const all = words.toLowerCase();
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
    const before = all[at - 1] ?? "";
    const after = all.slice(at + text.length, at + text.length + 2);
    if (!/[a-z\d_.-]/.test(before) && !/^[a-z\d_-]|^\.[a-z\d]/.test(after)) return true;
  }
  return false;
}

function holdsText(words: string, text: string): boolean {
  const wanted = text.trim();
  return wanted.length >= shortestText && words.includes(wanted);
}
