// Who may speak on a channel, and as whom. An empty list admits no one: strangers in private are sent a code that the
// owner can approve, and in a group they are ignored.
import type { ChannelUpdate } from "../bus/channel.ts";
import { toSessionKey } from "../bus/session-key.ts";
import type { Role } from "../bus/types.ts";
import { UserError } from "../i18n/user-error.ts";
import type { Clock } from "../lib/clock.ts";
import { isRecord } from "../lib/is-record.ts";
import type { PairingRequest, PairingStore } from "../storage/people/pairing-store.ts";

/** Of one channel, from its block in the config. */
export interface AccessRules {
  allowFrom: readonly string[];
  /** Senders that are the owner. */
  owners: readonly string[];
  groupPolicy: "mention" | "open" | "allowlist";
  groupAllowFrom: readonly string[];
}

export type Admission =
  | { kind: "admitted"; person: string; role: Role }
  /** To be sent to the sender, who is unknown. */
  | { kind: "pairing"; request: PairingRequest }
  | { kind: "ignored"; reason: string };

/** A stranger is sent the code this often at most. */
const notifyEveryMs = 60_000;
const mostRemembered = 1_000;

export class Access {
  readonly #channel: string;
  readonly #rules: AccessRules;
  readonly #pairing: PairingStore;
  readonly #clock: Clock;
  readonly #notified = new Map<string, number>();

  constructor(
    channel: string,
    rules: AccessRules,
    { pairing, clock }: { pairing: PairingStore; clock: Clock },
  ) {
    this.#channel = channel;
    this.#rules = rules;
    this.#pairing = pairing;
    this.#clock = clock;
  }

  async judge({ chat, sender, isAddressed }: ChannelUpdate): Promise<Admission> {
    if (chat.isGroup && !this.#isForUs(chat.id, isAddressed))
      return { kind: "ignored", reason: "not addressed" };
    try {
      const known = await this.identify(sender);
      if (known !== undefined) return { kind: "admitted", ...known };
      if (chat.isGroup) return { kind: "ignored", reason: "a stranger in a group" };
      return await this.#offerPairing(sender);
    } catch (error) {
      if (error instanceof UserError) return { kind: "ignored", reason: error.phrase.code };
      throw error;
    }
  }

  #isForUs(chatId: string, isAddressed: boolean): boolean {
    const { groupPolicy, groupAllowFrom } = this.#rules;
    if (groupPolicy === "allowlist" && !groupAllowFrom.includes(chatId)) return false;
    return groupPolicy === "open" || isAddressed;
  }

  /** Undefined for a stranger. */
  async identify({
    id,
    aliases = [],
  }: ChannelUpdate["sender"]): Promise<{ person: string; role: Role } | undefined> {
    const { allowFrom, owners } = this.#rules;
    const isListed = (list: readonly string[]) => [id, ...aliases].some((name) => list.includes(name));
    // A list of one is a person who speaks to an assistant of their own.
    const isOnlyOne = allowFrom.length === 1 && allowFrom[0] !== "*";
    if (isListed(owners) || (isOnlyOne && owners.length === 0 && isListed(allowFrom)))
      return { person: "owner", role: "owner" };
    const paired = await this.#pairing.find(this.#channel, id);
    if (paired !== undefined) return { person: paired.person, role: paired.role };
    const isAllowed = isListed(allowFrom) || allowFrom.includes("*");
    return isAllowed ? { person: `${this.#channel}-${id}`, role: "guest" } : undefined;
  }

  async #offerPairing({ id, name }: ChannelUpdate["sender"]): Promise<Admission> {
    const now = this.#clock.now();
    // A time in the future comes from a clock that was set back since.
    if (Math.abs(now - (this.#notified.get(id) ?? Number.NEGATIVE_INFINITY)) < notifyEveryMs)
      return { kind: "ignored", reason: "told a moment ago" };
    const request = await this.#pairing.request({
      channel: this.#channel,
      senderId: id,
      ...(name && { name }),
    });
    if (request === undefined) return { kind: "ignored", reason: "too many strangers wait" };
    this.#notified.set(id, now);
    const [oldest] = this.#notified.keys();
    if (this.#notified.size > mostRemembered && oldest !== undefined) this.#notified.delete(oldest);
    return { kind: "pairing", request };
  }
}

interface KnownChats {
  /** Blocks of the config, by channel. */
  blocks: Readonly<Record<string, unknown>>;
  pairing: Pick<PairingStore, "list">;
  /** Whether anything was ever said in a chat: messages of strangers are not taken. */
  hasConversation(sessionKey: string): Promise<boolean>;
}

/** Someone who was admitted is there: who was paired, is in a list of the config, or has spoken here. */
export async function isKnownChat(
  { channel, chatId }: { channel: string; chatId: string },
  { blocks, pairing, hasConversation }: KnownChats,
): Promise<boolean> {
  const block = isRecord(blocks[channel]) ? blocks[channel] : {};
  const listed = [block.allowFrom, block.owners, block.groupAllowFrom].flatMap((list) =>
    Array.isArray(list) ? list.map(String) : [],
  );
  if (listed.includes(chatId)) return true;
  const paired = await pairing.list();
  if (paired.some((sender) => sender.channel === channel && sender.senderId === chatId)) return true;
  return hasConversation(toSessionKey({ channel, chatId }));
}
