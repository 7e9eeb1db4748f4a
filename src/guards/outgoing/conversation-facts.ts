// What a conversation has seen, from its stored messages: the owner's words, text that files and commands showed, text that
// others wrote, addresses and where they stood. Nothing of it is kept elsewhere, so that a restart changes nothing.
import { basename } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { kindOf, labelsOf, toLabel } from "../../lib/labels.ts";
import { toSite } from "../../lib/network/registrable-domain.ts";
import type { ToolCall } from "../../llm/types.ts";
import type { Effect, SaidSoFar, ToolContext } from "../../runner/tool.ts";
import { joinText, readEntry } from "../../storage/sessions/format/entry-facts.ts";
import type { StoredMessage } from "../../storage/sessions/format/message.ts";
import { findAddresses, findWrittenAddresses, toNormalAddress, toPlainAddress } from "./addresses.ts";
import { type KnownText, toKnownText } from "./known-text.ts";

/** What the calls of a conversation do, and which files are nobody's secret. */
export interface CallReader {
  /** Undefined for a tool that is not known, or that declares nothing. */
  effectsOf(name: string, args: string): readonly Effect[] | undefined;
  /** A file of a skill: instructions, which what follows from them may repeat. */
  isSkillFile(path: string): boolean;
}

/** How an address came to be asked for. */
export type Visit =
  /** The owner wrote it, or a search found it. */
  | { kind: "given" }
  /** A page has it, on a site that the owner did not name. */
  | { kind: "link" }
  /** On a site that the owner named; `bits` is what can be said by choosing or writing it. */
  | { kind: "named"; bits: number }
  /** Nobody has written it before. */
  | { kind: "made-up" };

export interface Judged {
  visit: Visit;
  /** What earlier requests of the conversation have used up. */
  links: number;
  bits: number;
  /** Requests before this one, whatever for. */
  earlier: number;
}

const mostAddresses = 8_192;
const mostShown = 2_000_000;
const mostOwn = 500_000;
const bitsPerCharacter = 8;
/** Of what left before, and of each of them its end. */
const mostSent = 32;
const longestSent = 64;

export class ConversationFacts {
  readonly shown: KnownText[] = [];
  /** What the owner and others wrote: no secret. */
  readonly shared: KnownText[] = [];
  readonly #reader: CallReader;
  readonly #addresses = new Map<string, "search" | "page">();
  readonly #ownAddresses = new Set<string>();
  readonly #namedSites = new Set<string>();
  readonly #visits = new Map<string, Judged>();
  readonly #calls = new Map<string, ToolCall>();
  /** Paths that a tool of the conversation wrote; commands may have written any. */
  readonly #written = new Set<string>();
  #hasRun = false;
  /** What left, by way, newest last. */
  readonly #sent = new Map<string, Array<{ callId: string; text: string }>>();
  #used = { links: 0, bits: 0, earlier: 0 };
  readonly #ownTexts = new Set<string>();
  /** The conversation is known up to here. */
  readonly #read = new WeakMap<SaidSoFar, number>();
  readonly #isOwners: boolean;
  #ownWords = "";

  /** `isOwners`: what people say in it is the owner's. */
  constructor(reader: CallReader, isOwners: boolean) {
    this.#reader = reader;
    this.#isOwners = isOwners;
  }

  get ownWords(): string {
    return this.#ownWords;
  }

  /** Messages since the last time. */
  async follow(said: SaidSoFar): Promise<void> {
    const from = this.#read.get(said) ?? 0;
    const messages = await said.read(from);
    // Another call of the same step may have been faster.
    if ((this.#read.get(said) ?? 0) !== from) return;
    this.#read.set(said, from + messages.length);
    for (const message of messages) this.#add(message);
  }

  #add(message: StoredMessage): void {
    if (message.role === "assistant") for (const call of message.tool_calls ?? []) this.#addCall(call);
    if (message.role === "tool") this.#addResult(message.tool_call_id, joinText(message));
    if (message.role === "user") this.#addUser(message);
  }

  #addUser(message: StoredMessage): void {
    const { kind, text, recalled } = readEntry(message);
    for (const { text: passage } of recalled) this.#show(toLabel("file", "memory"), passage);
    if (kind !== "user") return;
    const labels = labelsOf(message);
    if (labels.length === 0) {
      this.addOwn(text);
      return;
    }
    const isGuests = labels.every((label) => kindOf(label) === "guest");
    if (isGuests) this.#share(text);
    else this.#show(labels[0] ?? "", text);
    this.#keepAddresses(text, "page", "");
  }

  addOwn(text: string): void {
    if (text === "" || this.#ownTexts.has(text)) return;
    this.#ownTexts.add(text);
    this.#share(text);
    if (!this.#isOwners) return;
    this.#ownWords = `${this.#ownWords}\n${text}`.slice(-mostOwn);
    for (const address of findWrittenAddresses(text)) {
      this.#ownAddresses.add(address);
      this.#namedSites.add(toSite(new URL(`https://${address}`).hostname));
    }
  }

  #addCall(call: ToolCall): void {
    this.#calls.set(call.id, call);
    for (const effect of this.#effectsOf(call)) {
      if (effect.type === "write") this.#written.add(effect.path);
      if (effect.type === "run") this.#hasRun = true;
      this.#keepSent(call.id, effect);
      if (effect.type !== "fetch" || effect.query !== undefined) continue;
      const visit = this.#judge(effect.url);
      this.#visits.set(keyOf(call.id, effect.url), { visit, ...this.#used });
      this.#used.earlier += 1;
      if (visit.kind === "link") this.#used.links += 1;
      if (visit.kind === "named") this.#used.bits += visit.bits;
    }
  }

  #keepSent(callId: string, effect: Effect): void {
    const way = wayOf(effect);
    if (way === undefined) return;
    const texts = [...(this.#sent.get(way.name) ?? []), { callId, text: way.text }];
    this.#sent.set(way.name, texts.slice(-mostSent));
  }

  /** What calls before this one have sent the same way. */
  sentBefore(callId: string, effect: Effect): string[] {
    const sent = this.#sent.get(wayOf(effect)?.name ?? "") ?? [];
    const at = sent.findIndex((each) => each.callId === callId);
    return (at === -1 ? sent : sent.slice(0, at)).map(({ text }) => text);
  }

  #effectsOf({ function: { name, arguments: args } }: ToolCall): readonly Effect[] {
    return this.#reader.effectsOf(name, args) ?? [];
  }

  #addResult(callId: string, text: string): void {
    const call = this.#calls.get(callId);
    this.#calls.delete(callId);
    const effects = call === undefined ? [] : this.#effectsOf(call);
    const args = call?.function.arguments ?? "";
    const fetch = effects.find((effect) => effect.type === "fetch");
    const read = effects.find((effect) => effect.type === "read");
    const isPublic = fetch !== undefined || (read !== undefined && this.#reader.isSkillFile(read.path));
    if (isPublic) this.#share(text);
    else this.#show(sourceOf(call, effects), text);
    const isForeign = fetch !== undefined || effects.some(({ type }) => type === "call");
    // Of what the conversation itself wrote, the addresses are its own.
    const isUntouched = read !== undefined && !this.#hasRun && !this.#written.has(read.path);
    if (isForeign || isUntouched)
      this.#keepAddresses(text, fetch?.query === undefined ? "page" : "search", args);
  }

  #show(source: string, text: string): void {
    this.shown.push(toKnownText(source, text));
    keepNewest(this.shown);
  }

  #share(text: string): void {
    this.shared.push(toKnownText("", text));
    keepNewest(this.shared);
  }

  /** What the call itself said may come back in its result, and was not written by another. */
  #keepAddresses(text: string, source: "search" | "page", said: string): void {
    for (const found of findAddresses(text)) {
      const address = toNormalAddress(found);
      if (address === undefined || said.includes(found)) continue;
      // What a search found once stays found.
      if (this.#addresses.get(address) !== "search") this.#addresses.set(address, source);
      const [oldest] = this.#addresses.keys();
      if (this.#addresses.size > mostAddresses && oldest !== undefined) this.#addresses.delete(oldest);
    }
  }

  /** Of a call that is about to be made. */
  visitOf(callId: string, url: string): Judged {
    return this.#visits.get(keyOf(callId, url)) ?? { visit: this.#judge(url), ...this.#used };
  }

  /** It stood somewhere, letter by letter, before it was asked for. */
  isSeen(url: string): boolean {
    const address = toNormalAddress(url);
    return address !== undefined && (this.#addresses.has(address) || this.#isOwn(address));
  }

  #isOwn(address: string): boolean {
    return this.#ownAddresses.has(toPlainAddress(address) ?? "");
  }

  #judge(url: string): Visit {
    const address = toNormalAddress(url);
    if (address === undefined) return { kind: "made-up" };
    const source = this.#addresses.get(address);
    if (source === "search" || this.#isOwn(address)) return { kind: "given" };
    const site = toSite(new URL(address).hostname);
    if (this.#namedSites.has(site)) return { kind: "named", bits: this.#countBits(address, site) };
    return { kind: source === "page" ? "link" : "made-up" };
  }

  /** Which of the known addresses of the site it is, and each character that it does not share with the nearest of them. */
  #countBits(address: string, site: string): number {
    const isOfSite = (known: string) => toSite(new URL(known).hostname) === site;
    const own = [...this.#ownAddresses].map((known) => `https://${known}`);
    const known = [...own, ...this.#addresses.keys()].filter(isOfSite);
    const choice = Math.ceil(Math.log2(known.length + 1));
    if (this.#addresses.has(address)) return choice;
    const plain = toPlainAddress(address) ?? address;
    const fewest = Math.min(...known.map((each) => countNew(plain, toPlainAddress(each) ?? "")));
    return choice + bitsPerCharacter * Math.min(fewest, plain.length);
  }
}

/** As a label. */
function sourceOf(call: ToolCall | undefined, effects: readonly Effect[]): string {
  for (const effect of effects) {
    if (effect.type === "read" || effect.type === "write") return toLabel("file", basename(effect.path));
    if (effect.type === "call") return toLabel("mcp", effect.server);
    if (effect.type === "run") return toLabel("command", effect.command.trim().split(/\s/, 1)[0]);
  }
  return toLabel("tool", call?.function.name);
}

/** Searches and calls of one server: what is sent there in pieces is put together there. */
function wayOf(effect: Effect): { name: string; text: string } | undefined {
  if (effect.type === "fetch" && effect.query !== undefined)
    return { name: "search", text: effect.query.slice(-longestSent) };
  if (effect.type !== "call" || effect.isLocal === true) return undefined;
  return { name: `mcp ${effect.server}`, text: listTexts(effect.input).join(" ").slice(-longestSent) };
}

/** All texts and numbers of a value, with the names that they are under. */
export function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...listTexts(each)]);
}

function keyOf(callId: string, url: string): string {
  return `${callId} ${url}`;
}

/** Characters between what two texts begin and end with alike. */
function countNew(text: string, known: string): number {
  const most = Math.min(text.length, known.length);
  let head = 0;
  while (head < most && text[head] === known[head]) head += 1;
  let tail = 0;
  while (tail < most - head && text.at(-1 - tail) === known.at(-1 - tail)) tail += 1;
  // To leave something out says something, too.
  return Math.max(text.length - head - tail, Math.ceil((known.length - head - tail) / bitsPerCharacter), 1);
}

function keepNewest(texts: KnownText[]): void {
  let size = texts.reduce((sum, { text }) => sum + text.length, 0);
  while (size > mostShown && texts.length > 1) size -= texts.shift()?.text.length ?? 0;
}

export interface FactsOptions extends CallReader {
  /** Of a subagent: the conversation that it works for. */
  findParent(key: string, origin: Origin): Promise<SaidSoFar | undefined>;
}

/** The facts of the conversation of a call, with all that was said until now. */
export function createFactsOf(options: FactsOptions): (context: ToolContext) => Promise<ConversationFacts> {
  const known = new WeakMap<SaidSoFar, ConversationFacts>();
  return async ({ said, origin, ownWords }) => {
    const facts = (said && known.get(said)) ?? new ConversationFacts(options, origin.role === "owner");
    const parentKey = said?.metadata.subagent?.parent;
    const parent = parentKey === undefined ? undefined : await options.findParent(parentKey, origin);
    if (said !== undefined) known.set(said, facts);
    for (const each of [parent, said]) if (each !== undefined) await facts.follow(each);
    facts.addOwn(ownWords);
    return facts;
  };
}
