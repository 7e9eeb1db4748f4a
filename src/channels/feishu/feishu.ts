// Feishu, which is called Lark elsewhere: events over its long connection, everything else over HTTP. Written without
// its SDK, whose frames are simple and whose weight is not.
import { createHash } from "node:crypto";
import * as z from "zod";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  SendError,
} from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { FeishuApi, FeishuError } from "./api.ts";
import { type FeishuFile, type FeishuMessage, readMessage, readRecalled, toRoot } from "./event.ts";
import { type FileContent, uploadFile } from "./files.ts";
import { listen } from "./long-connection.ts";

const schema = z.object({
  appId: z.string().min(1).describe("App ID, from the developer console"),
  appSecret: z.string().min(1).describe("App Secret, from the same page"),
  domain: z.enum(["feishu", "lark"]).default("feishu").describe("`lark` outside of China"),
  apiBase: z.url().optional().describe("API address. Default: the address of the domain"),
  reactEmoji: z.string().default("THUMBSUP").describe("Reaction to a received message; empty means none"),
  replyToMessage: z.boolean().default(false).describe("Answer as a reply to the message"),
  topicIsolation: z.boolean().default(true).describe("Each thread is a separate conversation"),
  streaming: z.boolean().default(true).describe("Show an answer while it is being written"),
  streamEditInterval: z.number().min(0.1).default(0.8).describe("Seconds between updates of such an answer"),
});

export type FeishuConfig = z.infer<typeof schema>;

const bases = { feishu: "https://open.feishu.cn", lark: "https://open.larksuite.com" };
const botSchema = z.object({ bot: z.object({ open_id: z.string(), app_name: z.string().default("") }) });
const longestPingMs = 60_000;
/** "app secret invalid", "invalid app_id"; of the long connection: "auth failed", "forbidden". */
const credentialCodes = [10003, 10012, 10013, 10014, 10015, 514, 403];
/** A card that Feishu cannot show, usually for its tables. */
const cardCodes = [230099, 11310, 200621, 200732];
/** The message to edit was withdrawn or is too old. */
const goneCodes = [230011, 230031, 230050, 230071, 230072, 230075];

export const feishu = defineChannel<FeishuConfig>({
  schema,
  create: (config, context) => new Feishu(config, context),
  check: (config, context, signal) => untilAborted(new Feishu(config, context).check(), signal),
});

class Feishu implements Channel {
  readonly name = "feishu";
  readonly capabilities: Channel["capabilities"];
  readonly #config: FeishuConfig;
  readonly #context: ChannelContext;
  readonly #api: FeishuApi;
  readonly #chats = new KeyedLock();
  readonly #receiving = new Map<string, Promise<boolean>>();
  /** Messages that we sent: an answer to one of them is for us. */
  readonly #ours = new Set<string>();

  constructor(config: FeishuConfig, context: ChannelContext) {
    const { appId, appSecret, domain, apiBase: base = bases[domain] } = config;
    this.#config = config;
    this.#context = context;
    this.#api = new FeishuApi({ base, appId, appSecret, fetch: context.fetch, now: context.clock.now });
    this.capabilities = {
      format: "messaging",
      // A card holds 30 kB, in which a Chinese character takes three.
      maxTextLength: 8_000,
      markup: "markdown",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: false,
      canAsk: true,
      voice: true,
      revisions: ["deletions"],
    };
  }

  async check(): Promise<string> {
    try {
      const { name } = await this.#findOwn();
      await this.#api.findConnection();
      return name;
    } catch (error) {
      throw toStartError(error);
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { clock } = this.#context;
    try {
      const { openId } = await untilAborted(this.#findOwn(), signal);
      const { url, pingMs } = await untilAborted(this.#api.findConnection(), signal);
      const { protocol, hostname } = new URL(url);
      if (protocol !== "wss:" && !isLoopbackHost(hostname))
        throw new ChannelError(phrase("channels.insecure", { platform: "Feishu" }));
      await listen({
        url,
        pingMs: Math.min(pingMs, longestPingMs),
        clock,
        signal,
        onAlive: inbox.reportAlive,
        onEvent: (json) => this.#receive(json, openId, inbox),
      });
    } catch (error) {
      if (!signal.aborted) throw toStartError(error);
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const platformId = part.text.trim() === "" ? undefined : await this.#sendText(part);
      for (const [index, path] of part.media.entries()) {
        const content = await uploadFile(this.#api, path);
        await this.#create(part, content, `media${index}`);
      }
      return platformId === undefined ? {} : { platformId };
    } catch (error) {
      throw toSendError(error);
    }
  }

  async #findOwn(): Promise<{ openId: string; name: string }> {
    const answer = await this.#api.call({ method: "GET", path: "/open-apis/bot/v3/info" });
    const { data } = botSchema.safeParse(answer);
    if (data !== undefined) return { openId: data.bot.open_id, name: data.bot.app_name };
    throw new ChannelSetupError(phrase("channels.feishu-no-bot"));
  }

  async #receive(json: string, openId: string, inbox: ChannelInbox): Promise<void> {
    const { topicIsolation, reactEmoji } = this.#config;
    const recalled = readRecalled(json);
    if (recalled !== undefined)
      return void (await this.#chats.run(recalled.chat.id, () => inbox.revise(recalled)));
    const isOurs = (id: string) => this.#ours.has(id);
    const message = readMessage(json, { openId, topicIsolation, isOurs });
    if (message === undefined) return;
    const { chat, platformId, isAddressed } = message.update;
    // Feishu sends again what takes long, such as a large file: that is the same work.
    const begun = this.#receiving.get(platformId);
    if (begun !== undefined) return void (await begun);
    // In the order in which they came; another chat does not wait for this one's files.
    const receiving = this.#chats.run(chat.id, async () => {
      const media = await this.#keep(message, inbox);
      return inbox.receive({ ...message.update, media });
    });
    this.#receiving.set(platformId, receiving);
    try {
      if ((await receiving) && isAddressed && reactEmoji !== "") void this.#react(platformId);
    } finally {
      this.#receiving.delete(platformId);
    }
  }

  /** A file that cannot be had is no reason to lose the words that came with it. */
  async #keep({ files, update }: FeishuMessage, inbox: ChannelInbox): Promise<string[]> {
    const kept = await Promise.all(files.map((file) => this.#keepFile(file, update.platformId, inbox)));
    return kept.filter((path) => path !== undefined);
  }

  async #keepFile({ key, type, name }: FeishuFile, messageId: string, inbox: ChannelInbox) {
    const [message, file] = [messageId, key].map(encodeURIComponent);
    try {
      const path = `/open-apis/im/v1/messages/${message}/resources/${file}`;
      return await inbox.keep({ name, bytes: await this.#api.download(path, { type }) });
    } catch (error) {
      this.#context.log.warn("attachment-not-kept", { channel: this.name, error });
      return undefined;
    }
  }

  async #react(messageId: string): Promise<void> {
    const path = `/open-apis/im/v1/messages/${encodeURIComponent(messageId)}/reactions`;
    const body = { reaction_type: { emoji_type: this.#config.reactEmoji } };
    await this.#api.call({ method: "POST", path, body }).catch((error: unknown) => {
      this.#context.log.debug("reaction-not-shown", { channel: this.name, error });
    });
  }

  async #sendText(part: OutboundPart): Promise<string> {
    if (part.draft !== undefined && (await this.#edit(part.draft, part.text))) return part.draft;
    // Only a card can be edited as often as an answer grows.
    const content = part.isUnfinished === true ? toCard(part.text) : toContent(part.text);
    try {
      return await this.#create(part, content, "text");
    } catch (error) {
      if (content.msg_type !== "interactive" || !isOneOf(error, cardCodes)) throw error;
      return this.#create(part, toPost(part.text), "post");
    }
  }

  /** False when there is nothing left to edit. */
  async #edit(messageId: string, text: string): Promise<boolean> {
    const path = `/open-apis/im/v1/messages/${encodeURIComponent(messageId)}`;
    try {
      await this.#api.call({ method: "PATCH", path, body: { content: toCard(text).content } });
      return true;
    } catch (error) {
      if (isOneOf(error, [...goneCodes, ...cardCodes])) return false;
      throw error;
    }
  }

  async #create(part: OutboundPart, content: Content | FileContent, piece: string): Promise<string> {
    const root = toRoot(part.thread);
    const answered = root ?? (this.#config.replyToMessage ? part.replyTo : undefined);
    // Feishu takes a second message with the same key for the first one, for an hour.
    const uuid = createHash("sha256").update(`${part.id}/${piece}`).digest("hex").slice(0, 32);
    const answer =
      answered !== undefined
        ? await this.#api.call({
            method: "POST",
            path: `/open-apis/im/v1/messages/${encodeURIComponent(answered)}/reply`,
            body: { ...content, uuid, ...(root !== undefined && { reply_in_thread: true }) },
          })
        : await this.#api.call({
            method: "POST",
            path: "/open-apis/im/v1/messages",
            query: { receive_id_type: part.chatId.startsWith("ou_") ? "open_id" : "chat_id" },
            body: { receive_id: part.chatId, ...content, uuid },
          });
    const { data } = z.object({ data: z.object({ message_id: z.string() }) }).parse(answer);
    this.#ours.add(data.message_id);
    forgetOldest(this.#ours);
    return data.message_id;
  }
}

function isOneOf(error: unknown, codes: number[]): boolean {
  return error instanceof FeishuError && codes.includes(error.code);
}

function toStartError(error: unknown): unknown {
  if (isOneOf(error, credentialCodes)) return new ChannelSetupError(phrase("channels.feishu-credentials"));
  return error instanceof ChannelError ? error : unreachable();
}

function toSendError(error: unknown): Error {
  if (error instanceof SendError) return error;
  if (!(error instanceof FeishuError)) return unreachable();
  const { code, phrase: said, retryAfterMs } = error;
  if (retryAfterMs !== undefined) return new SendError(said, { retryAfterMs });
  // 2300xx: this message, this chat or a missing permission; none of them passes on its own. 230049: being sent already.
  const isPermanent = (code >= 230000 && code < 240000 && code !== 230049) || code === 99991672;
  return new SendError(said, { isPermanent });
}

function unreachable(): ChannelError {
  return new ChannelError(phrase("channels.unreachable", { platform: "Feishu" }));
}

interface Content {
  msg_type: "text" | "post" | "interactive";
  /** JSON within JSON, as Feishu wants it. */
  content: string;
}

const longestText = 200;
const longestPost = 2_000;
const code = /^\s*(```|~~~)/m;
const table = /^\s*\|.*\|\s*$/m;
const heading = /^\s{0,3}#{1,6}\s/m;
const forms = /[*_`~#>[\]|]|^\s*([-+]|\d+[.)])\s|https?:\/\//m;

/** Short plain text as text, formatted text as a post, tables and code as a card. */
function toContent(markdown: string): Content {
  const text = withoutMentions(markdown);
  const isLong = text.length > longestPost;
  if (isLong || code.test(text) || table.test(text) || heading.test(text)) return toCard(text);
  if (text.length <= longestText && !forms.test(text))
    return { msg_type: "text", content: JSON.stringify({ text }) };
  return toPost(text);
}

/** What can be edited again and again while it is written. */
function toCard(markdown: string): Content {
  const card = {
    schema: "2.0",
    config: { update_multi: true },
    body: { elements: [{ tag: "markdown", content: withoutMentions(markdown) }] },
  };
  return { msg_type: "interactive", content: JSON.stringify(card) };
}

function toPost(markdown: string): Content {
  const post = { zh_cn: { content: [[{ tag: "md", text: withoutMentions(markdown) }]] } };
  return { msg_type: "post", content: JSON.stringify(post) };
}

/** Nobody is called by what a model wrote: `<at id=all></at>` would ring in the whole group. */
function withoutMentions(text: string): string {
  return text.replaceAll(/<(\/?)(at)\b/gi, "＜$1$2");
}
