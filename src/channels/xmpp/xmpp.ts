// XMPP (Jabber): private chats and rooms on any server. A message is acknowledged once it is stored, and the server keeps what
// was not; rooms are asked for what was said since the last message that was taken.
import { randomUUID } from "node:crypto";
import { resolveSrv } from "node:dns/promises";
import * as z from "zod";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  type ChannelRevision,
  type ChannelUpdate,
  SendError,
} from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { LastSeen } from "../last-seen.ts";
import { isNamed, withoutName } from "../mention.ts";
import { runTextSocket } from "../text-socket.ts";
import { Session } from "./session.ts";
import { escapeXml, findChild, type XmlElement } from "./xml.ts";

const schema = z.object({
  jid: z
    .string()
    .regex(/^[^@/\s]+@[^@/\s]+$/)
    .describe("Address of the assistant, such as nano@example.org"),
  password: z.string().min(1).describe("Password of that address"),
  host: z.string().optional().describe("Server; found by the address when empty"),
  port: z.int().min(1).max(65_535).default(5222).describe("Port of the server"),
  certificate: z.string().optional().describe("File with the certificate of a server with a private one"),
  rooms: z.array(z.string()).default([]).describe("Rooms to join, such as team@conference.example.org"),
  nickname: z.string().min(1).max(60).default("nanobot").describe("Name of the assistant in rooms"),
});

export type XmppConfig = z.infer<typeof schema>;

const muc = "http://jabber.org/protocol/muc";
const mostOccupants = 5_000;
const firstPauseMs = 1_000;
const longestPauseMs = 5 * 60_000;

export const xmpp = defineChannel<XmppConfig>({
  schema,
  create: (config, context) => new Xmpp(config, context),
  check: (config, context, signal) => new Xmpp(config, context).check(signal),
});

class Xmpp implements Channel {
  readonly name = "xmpp";
  readonly capabilities = {
    format: "plain",
    maxTextLength: 8_000,
    markup: "plain",
    streaming: "none",
    media: false,
    typing: true,
    canAsk: true,
    revisions: ["edits", "deletions"],
  } as const;
  readonly #config: XmppConfig;
  readonly #context: ChannelContext;
  readonly #lastSeen: LastSeen;
  /** Who is behind a name in a room, where the room tells. */
  readonly #occupants = new Map<string, string>();
  /** Of messages in rooms, which have an id of their sender and one of the room. */
  readonly #ids = new Map<string, string>();
  /** How a room that has refused us is tried again, and after which pause. */
  readonly #refused = new Map<string, (pauseMs: number) => void>();
  readonly #pauses = new Map<string, number>();
  #session: Session | undefined;

  constructor(config: XmppConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#lastSeen = new LastSeen(context.folder, (time, than) => time > than);
  }

  async check(signal: AbortSignal): Promise<string> {
    const done = new AbortController();
    const both = AbortSignal.any([signal, done.signal]);
    await untilAborted(
      this.#connect({} as ChannelInbox, both, () => done.abort()),
      signal,
    );
    return this.#config.jid;
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    await this.#connect(inbox, signal, (session) => {
      inbox.reportAlive();
      session.write("<presence/>");
      for (const room of this.#config.rooms) void this.#join(room, session, signal).catch(() => {});
    });
  }

  async send({ id, chatId, text }: OutboundPart): Promise<Sent> {
    const session = this.#session;
    if (session === undefined) throw unreachable();
    const isRoom = this.#config.rooms.includes(chatId);
    const body = `<body>${escapeXml(text)}</body><origin-id xmlns='urn:xmpp:sid:0' id='${escapeXml(id)}'/>`;
    const address = `to='${escapeXml(chatId)}' type='${isRoom ? "groupchat" : "chat"}' id='${escapeXml(id)}'`;
    const quote = await session.deliver(id, `<message ${address}>${body}</message>`);
    if (quote === undefined) return {};
    throw new SendError(phrase("channels.refused", { platform: "XMPP", quote }), { isPermanent: true });
  }

  async showTyping(chatId: string): Promise<void> {
    if (this.#config.rooms.includes(chatId)) return;
    const state = "<composing xmlns='http://jabber.org/protocol/chatstates'/>";
    this.#session?.write(`<message to='${escapeXml(chatId)}' type='chat'>${state}</message>`);
  }

  async #connect(
    inbox: ChannelInbox,
    signal: AbortSignal,
    onReady: (session: Session) => void,
  ): Promise<void> {
    const { jid, password, certificate } = this.#config;
    const [user = "", domain = ""] = jid.split("@");
    const session = new Session({
      user,
      domain,
      password,
      onAlive: () => inbox.reportAlive?.(),
      onReady,
      onStanza: (stanza) => this.#receive(stanza, inbox),
    });
    try {
      if (signal.aborted) return;
      const place = await untilAborted(this.#findServer(domain), signal).catch(() => undefined);
      if (place === undefined) return;
      this.#session = session;
      await runTextSocket({
        platform: "XMPP",
        ...place,
        isEncrypted: false,
        serverName: domain,
        certificate,
        clock: this.#context.clock,
        signal,
        onOpen: (socket) => session.open(socket),
        onText: (text) => session.read(text),
        onIdle: () => session.ping(),
      });
    } finally {
      await session.close();
    }
  }

  async #findServer(domain: string): Promise<{ host: string; port: number }> {
    const { host, port } = this.#config;
    if (host) return { host, port };
    const found = await resolveSrv(`_xmpp-client._tcp.${domain}`).catch(() => []);
    const [first] = found.toSorted((one, other) => one.priority - other.priority);
    return first === undefined ? { host: domain, port } : { host: first.name, port: first.port };
  }

  /** Asks also for what the room said since the last message that was taken; of a room that is new, for nothing. */
  async #join(room: string, session: Session, signal: AbortSignal): Promise<void> {
    this.#refused.set(room, (pauseMs) => {
      const again = this.#context.clock.sleep(pauseMs, signal).then(() => this.#join(room, session, signal));
      again.catch(() => {});
    });
    const since = new Map(await this.#lastSeen.chats()).get(room);
    const history = since === undefined ? "maxstanzas='0'" : `since='${escapeXml(since)}'`;
    const to = escapeXml(`${room}/${this.#config.nickname}`);
    session.write(`<presence to='${to}'><x xmlns='${muc}'><history ${history}/></x></presence>`);
  }

  async #receive(stanza: XmlElement, inbox: ChannelInbox): Promise<void> {
    if (stanza.name === "presence") this.#notePresence(stanza);
    else if (stanza.name === "iq") this.#answer(stanza);
    else {
      const update = this.#toUpdate(stanza);
      const revision = this.#toRevision(stanza, update);
      if (revision !== undefined) await inbox.revise(revision);
      if (update === undefined) return;
      if (revision === undefined) await inbox.receive(update);
      if (!update.chat.isGroup) return;
      const stamp = findChild(stanza, "delay")?.attributes.stamp;
      const time = Date.parse(stamp ?? "") || this.#context.clock.now();
      await this.#lastSeen.note({ chatId: update.chat.id, messageId: new Date(time).toISOString() });
    }
  }

  /** A server may ask whether we are there; nothing else is known here. */
  #answer({ attributes: { type, id = "", from }, children: [query] }: XmlElement): void {
    if (type !== "get" && type !== "set") return;
    const to = from === undefined ? "" : ` to='${escapeXml(from)}'`;
    const isPing = query?.name === "ping";
    const error =
      "<error type='cancel'><service-unavailable xmlns='urn:ietf:params:xml:ns:xmpp-stanzas'/></error>";
    this.#session?.write(
      `<iq type='${isPing ? "result" : "error"}' id='${escapeXml(id)}'${to}>${isPing ? "" : error}</iq>`,
    );
  }

  /** A room that refuses may be locked for now, or our name may be taken by a connection that is about to end. */
  #notePresence({ attributes: { from = "", type }, children }: XmlElement): void {
    const room = bareOf(from);
    const pauseMs = this.#pauses.get(room) ?? firstPauseMs;
    if (type === "error") {
      this.#pauses.set(room, Math.min(2 * pauseMs, longestPauseMs));
      this.#refused.get(room)?.(pauseMs);
      return;
    }
    if (from === `${room}/${this.#config.nickname}`) this.#pauses.delete(room);
    const items = children.flatMap((child) => child.children.filter(({ name }) => name === "item"));
    const jid = items.map(({ attributes }) => attributes.jid).find((found) => found !== undefined);
    if (type === "unavailable" || jid === undefined) this.#occupants.delete(from);
    else if (this.#occupants.size < mostOccupants) this.#occupants.set(from, bareOf(jid));
  }

  /** A correction (XEP-0308) names the sender's own id of the message, a retraction (XEP-0424) in a room the room's. */
  #toRevision(stanza: XmlElement, update: ChannelUpdate | undefined): ChannelRevision | undefined {
    const { from = "", id = randomUUID(), type } = stanza.attributes;
    const chat = { id: bareOf(from) };
    const retracted = findChild(stanza, "retract")?.attributes.id;
    const speaker = from.slice(chat.id.length + 1);
    if (retracted !== undefined && type === "groupchat")
      return { of: `${speaker}/${retracted}`, platformId: id, chat };
    if (retracted !== undefined) return { of: retracted, platformId: id, chat };
    const replaced = findChild(stanza, "replace")?.attributes.id;
    if (update === undefined || replaced === undefined) return undefined;
    return { ...update, of: this.#ids.get(`${from}/${replaced}`) ?? replaced };
  }

  /** Undefined for what no person said. */
  #toUpdate(stanza: XmlElement): ChannelUpdate | undefined {
    const { type = "normal", from = "", id } = stanza.attributes;
    const text = findChild(stanza, "body")?.text ?? "";
    const chatId = bareOf(from);
    const isGroup = type === "groupchat";
    const isRoom = this.#config.rooms.includes(chatId);
    // In private from a room: nobody knows who that is.
    if (text.trim() === "" || type === "error" || isGroup !== isRoom) return undefined;
    if (!isGroup) {
      const sender = { id: chatId, name: chatId };
      return {
        platformId: id ?? randomUUID(),
        chat: { id: chatId, isGroup },
        sender,
        text,
        isAddressed: true,
      };
    }
    const { nickname } = this.#config;
    const speaker = from.slice(chatId.length + 1);
    if (speaker === "" || speaker === nickname) return undefined;
    const known = this.#occupants.get(from);
    const platformId = `${speaker}/${findChild(stanza, "stanza-id")?.attributes.id ?? id ?? randomUUID()}`;
    this.#ids.set(`${from}/${id}`, platformId);
    forgetOldest(this.#ids, mostOccupants);
    return {
      platformId,
      chat: { id: chatId, isGroup },
      sender: { id: known ?? from, name: speaker },
      text: withoutName(text, [nickname]),
      // A name in a room is anyone's.
      ...(known === undefined && { labels: [`xmpp:${from}`] }),
      isAddressed: isNamed(text, nickname),
    };
  }
}

function bareOf(jid: string): string {
  return jid.replace(/\/.*$/s, "").toLowerCase();
}

function unreachable(): ChannelError {
  return new ChannelError(phrase("channels.unreachable", { platform: "XMPP" }));
}
