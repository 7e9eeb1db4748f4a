// What may leave without a question: addresses by where they stood before, and every text by what it holds of what files,
// memory and commands have shown in the conversation. Holds in every turn, whatever its labels.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { toSite } from "../../lib/network/registrable-domain.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Effect, ToolContext } from "../../runner/tool.ts";
import { describeEffect } from "../approval/describe-effect.ts";
import type { ApprovalRequest } from "../approval/with-approval.ts";
import { coversHost, isOwnLabel, type ListGrants } from "../command/skill-grants.ts";
import type { CommandFacts } from "../labels/incoming-labels.ts";
import { findAddresses } from "./addresses.ts";
import { type ConversationFacts, listTexts } from "./conversation-facts.ts";
import { findPassage, type KnownText, type Passage } from "./known-text.ts";
import { holdsWhole } from "./named-by-owner.ts";

export interface OutgoingOptions {
  factsOf(context: ToolContext): Promise<ConversationFacts>;
  /** What the files that conversations begin with say. */
  promptTexts(context: ToolContext): Promise<KnownText[]>;
  /** Someone who was admitted is there. */
  isKnownChat(chat: { channel: string; chatId: string }): Promise<boolean>;
  /** What the owner granted to skills. */
  grants: ListGrants;
  commands: Pick<CommandFacts, "grantOf">;
}

/** Links of pages, to sites that the owner did not name, that are followed without a question in a conversation. */
const mostLinks = 8;
/** What can be said by choosing or writing addresses on sites that the owner did name. */
const mostBits = 192;

export async function findOutgoingQuestion(
  effect: Effect,
  context: ToolContext,
  options: OutgoingOptions,
): Promise<ApprovalRequest | undefined> {
  if (!(await leaves(effect, context, options))) return undefined;
  const facts = await options.factsOf(context);
  const asked =
    (effect.type === "send" ? await findStranger(effect, facts, options) : undefined) ??
    (await findAddressQuestion(effect, context, { facts, options }));
  if (asked !== undefined) return asked;
  const passage = await findLeak(effect, context, { facts, options });
  return passage && askAboutPassage(effect, passage);
}

async function leaves(effect: Effect, context: ToolContext, { commands }: OutgoingOptions): Promise<boolean> {
  const { origin } = context;
  if (effect.type === "run") return (await commands.grantOf(effect, context)) !== undefined;
  if (effect.type === "send") return effect.channel !== origin.channel || effect.chatId !== origin.chatId;
  if (effect.type === "call") return effect.isLocal !== true;
  return effect.type === "fetch" || effect.type === "schedule";
}

async function findStranger(
  effect: Effect & { type: "send" },
  facts: ConversationFacts,
  { isKnownChat }: OutgoingOptions,
): Promise<ApprovalRequest | undefined> {
  const { files = [], chatId } = effect;
  if (files.length > 0)
    return { ...describeEffect(effect), reasons: [phrase("approval.sends-files")], labels: [] };
  if (holdsWhole(facts.ownWords, chatId) || (await isKnownChat(effect))) return undefined;
  return { ...describeEffect(effect), reasons: [phrase("approval.unknown-chat")], labels: [] };
}

/** Once anything came in from outside, or a request was made before: the first one may go where the model knows a page. */
async function findAddressQuestion(
  effect: Effect,
  context: ToolContext,
  { facts, options }: { facts: ConversationFacts; options: OutgoingOptions },
): Promise<ApprovalRequest | undefined> {
  const addresses =
    effect.type === "fetch" && effect.query === undefined
      ? [effect.url]
      : effect.type === "call"
        ? findAddresses(JSON.stringify(effect.input) ?? "")
        : [];
  for (const url of addresses) {
    const { visit, links, bits, earlier } = facts.visitOf(context.callId, url);
    if (context.labels.size === 0 && earlier === 0) continue;
    if (effect.type === "fetch" && (await isGrantedAddress(url, context, options))) continue;
    if (visit.kind === "made-up")
      return askAboutAddress(url, phrase("approval.made-up-address"), `https://${siteOf(url)}/*`);
    const isOver =
      visit.kind === "link" ? links >= mostLinks : visit.kind === "named" && bits + visit.bits > mostBits;
    if (isOver) return askAboutAddress(url, phrase("approval.many-links"), "https://*");
  }
  return undefined;
}

/** On a host of a skill that the owner granted it to, with nothing from outside but what the skill itself brought. */
async function isGrantedAddress(
  url: string,
  { origin, labels }: ToolContext,
  { grants }: OutgoingOptions,
): Promise<boolean> {
  const host = URL.parse(url)?.hostname ?? "";
  if (origin.role !== "owner") return false;
  return (await grants()).some(
    (grant) => coversHost(grant, host) && [...labels].every((label) => isOwnLabel(grant, label)),
  );
}

function askAboutAddress(url: string, reason: Phrase, subject: string): ApprovalRequest {
  const title = phrase("approval.open-address", { host: toOneLine(URL.parse(url)?.host ?? url, 100) });
  return {
    phrase: title,
    detail: url,
    reasons: [reason],
    labels: [],
    subject,
    risk: phrase("approval.risk-network"),
  };
}

async function findLeak(
  effect: Effect,
  context: ToolContext,
  { facts, options }: { facts: ConversationFacts; options: OutgoingOptions },
): Promise<Passage | undefined> {
  const text = toOutgoingText(effect, facts);
  if (text === "") return undefined;
  // A plan stays here: what the prompt says may be planned with.
  const prompt = effect.type === "schedule" ? [] : await options.promptTexts(context);
  const earlier = facts.sentBefore(context.callId, effect);
  return findPassage(text, [...facts.shown, ...prompt], facts.shared, earlier);
}

function toOutgoingText(effect: Effect, facts: ConversationFacts): string {
  switch (effect.type) {
    case "fetch":
      if (effect.query !== undefined) return effect.query;
      return facts.isSeen(effect.url) ? "" : withoutSite(effect.url);
    case "send":
      return effect.text ?? "";
    case "call":
      return listTexts(effect.input).join("\n");
    case "schedule":
      return effect.what;
    case "run":
      return effect.command;
    default:
      return "";
  }
}

/** Who owns the site is no message; what is before and after its name can be one. */
function withoutSite(url: string): string {
  const parsed = URL.parse(url);
  if (parsed === null) return url;
  const { hostname, pathname, search, username, password } = parsed;
  const below = hostname.slice(0, -siteOf(url).length);
  return [username, password, below, pathname + search].filter((part) => part !== "").join("\n");
}

function siteOf(url: string): string {
  return toSite(URL.parse(url)?.hostname ?? url);
}

function askAboutPassage(effect: Effect, { source, text }: Passage): ApprovalRequest {
  const shown = describeEffect(effect);
  const title =
    effect.type === "fetch" ? phrase("approval.open-address", { host: siteOf(effect.url) }) : shown.phrase;
  const detail = effect.type === "fetch" && effect.query !== undefined ? effect.query : shown.detail;
  const reasons = [phrase("approval.holds-shown", { passage: toOneLine(text, 60) })];
  const isRepeatable = effect.type === "fetch" || effect.type === "call";
  return {
    phrase: title,
    detail,
    reasons,
    labels: [source],
    ...(isRepeatable && { subject: `→ ${effect.type === "fetch" ? siteOf(effect.url) : effect.server}` }),
  };
}

/** For what lasts: whether it says what only a file or command of this conversation says. */
export async function findBorrowed(
  text: string,
  context: ToolContext,
  { factsOf }: Pick<OutgoingOptions, "factsOf">,
): Promise<Passage | undefined> {
  const { shown, shared } = await factsOf(context);
  return findPassage(text, shown, shared);
}
