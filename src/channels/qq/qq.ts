// QQ, by its official bot API: events over a gateway that can be resumed, everything else over HTTP. An answer names the message
// that it answers: QQ lets a bot speak first only a few times a month.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as z from "zod";
import {
  type Channel,
  type ChannelInbox,
  ChannelSetupError,
  type ChannelUpdate,
  SendError,
} from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { AccessToken } from "../access-token.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { type GatewaySession, runGateway } from "../gateway.ts";
import { LastSeen } from "../last-seen.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  type PlatformFile,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";

const schema = z.object({
  appId: z.coerce.string().min(1).describe("AppID of the bot, from q.qq.com"),
  secret: z.string().min(1).describe("AppSecret of the bot"),
  msgFormat: z.enum(["plain", "markdown"]).default("plain").describe("markdown: needs QQ's permission"),
  apiBase: z.url().default("https://api.sgroup.qq.com").describe("Another address of the API"),
  tokenBase: z.url().default("https://bots.qq.com").describe("Another address that gives tokens"),
});

export type QqConfig = z.infer<typeof schema>;

const attachmentSchema = z.object({ url: z.string(), filename: z.string().default("file") });
const messageSchema = z.object({
  id: z.string(),
  author: z.object({ user_openid: z.string().optional(), member_openid: z.string().optional() }),
  group_openid: z.string().optional(),
  content: z.string().default(""),
  attachments: z.array(attachmentSchema).default([]),
});
const sessionSchema = z.object({ id: z.string(), url: z.string(), sequence: z.int() });
/** Private chats and groups. */
const identity = { intents: 1 << 25, shard: [0, 1] };
const groupMark = "group-";
/** QQ has taken a message with the same key before. */
const repeated = [40_054_005, 304_027];
const largestMegabytes = 10;
const fileTypes: Array<[RegExp, number]> = [
  [/\.(png|jpe?g|gif|webp)$/i, 1],
  [/\.mp4$/i, 2],
  [/\.(silk|wav|mp3|ogg|amr)$/i, 3],
];

export const qq = defineChannel<QqConfig>({
  schema,
  create: (config, context) => new Qq(config, context),
  check: (config, context, signal) => untilAborted(new Qq(config, context).check(), signal),
});

class Qq implements Channel {
  readonly name = "qq";
  readonly capabilities: Channel["capabilities"];
  readonly #config: QqConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #token: AccessToken;
  readonly #lastSeen: LastSeen;
  readonly #chats = new KeyedLock();
  /** Null: that of the last process was not looked for yet. */
  #session: GatewaySession | undefined | null = null;

  constructor(config: QqConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#api = new PlatformApi({
      platform: "QQ",
      base: config.apiBase,
      fetch: context.fetch,
      headers: () => ({}),
      secrets: [config.secret],
    });
    this.#token = new AccessToken(() => this.#askToken(), context.clock);
    this.#lastSeen = new LastSeen(context.folder, () => true);
    this.capabilities = {
      format: "messaging",
      maxTextLength: 1_800,
      markup: config.msgFormat === "markdown" ? "markdown" : "plain",
      streaming: "none",
      media: true,
      typing: false,
      canAsk: true,
    };
  }

  async check(): Promise<string> {
    try {
      const answer = await this.#call("GET", "/users/@me");
      return z.object({ username: z.string() }).parse(answer).username;
    } catch (error) {
      throw toStartError(error, "QQ");
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      const token = await untilAborted(this.#token.get(), signal);
      const { url } = z
        .object({ url: z.string() })
        .parse(await untilAborted(this.#call("GET", "/gateway"), signal));
      if (this.#session === null)
        this.#session = sessionSchema.safeParse(await this.#lastSeen.connection()).data;
      await runGateway({
        platform: "QQ",
        url,
        token: `QQBot ${token}`,
        identity,
        session: this.#session,
        clock: this.#context.clock,
        signal,
        onAlive: inbox.reportAlive,
        onReady: async (data) => ({ id: z.object({ session_id: z.string() }).parse(data).session_id, url }),
        onEvent: (name, data) => this.#receive(name, data, inbox),
        onSession: (session) => {
          this.#session = session;
        },
        toCloseError: (code) => this.#explainClose(code),
      });
    } catch (error) {
      if (!signal.aborted) throw toStartError(error, "QQ");
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      if (part.text.trim() !== "") await this.#post(part, part.id, this.#toBody(part.text));
      for (const [index, path] of part.media.entries()) await this.#sendFile(part, path, index);
      return {};
    } catch (error) {
      throw toSendError(error, "QQ", ({ status }) => status >= 400 && status < 500 && status !== 401);
    }
  }

  /** QQ answers with 200 also when it refuses. */
  async #askToken(): Promise<{ token: string; seconds: number }> {
    const { appId, secret, tokenBase } = this.#config;
    const path = `${tokenBase}/app/getAppAccessToken`;
    const answer = await this.#api.call({ method: "POST", path, body: { appId, clientSecret: secret } });
    const { data } = z.object({ access_token: z.string(), expires_in: z.coerce.number() }).safeParse(answer);
    if (data === undefined) throw new ChannelSetupError(phrase("channels.qq-credentials"));
    return { token: data.access_token, seconds: data.expires_in };
  }

  async #call(method: "GET" | "POST", path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `QQBot ${await this.#token.get()}` };
    try {
      return await this.#api.call({ method, path, headers, ...(body && { body }) });
    } catch (error) {
      if (error instanceof PlatformError && error.status === 401) this.#token.forget();
      throw error;
    }
  }

  /** 4004, 4914, 4915: the token, or the bot is off; 4006, 4007, 4009: the session. */
  #explainClose(code: number) {
    if (code === 4004) this.#token.forget();
    if (code === 4914 || code === 4915) return { error: new ChannelSetupError(phrase("channels.qq-off")) };
    return { isSessionOver: [4004, 4006, 4007, 4009].includes(code) };
  }

  async #receive(name: string, data: unknown, inbox: ChannelInbox): Promise<void> {
    const message = readMessage(name, data);
    if (message === undefined) return;
    const { update, files } = message;
    await this.#chats.run(update.chat.id, async () => {
      const media = await keepFiles(files, { api: this.#api, inbox, log: this.#context.log });
      await inbox.receive({ ...update, media });
      const connection = this.#session ?? undefined;
      await this.#lastSeen.note({ chatId: update.chat.id, messageId: update.platformId, connection });
    });
  }

  #toBody(text: string): object {
    if (this.#config.msgFormat === "markdown") return { msg_type: 2, markdown: { content: text } };
    return { msg_type: 0, content: text };
  }

  /** The same key a second time means that QQ has it already. */
  async #post({ chatId, replyTo }: OutboundPart, key: string, body: object): Promise<void> {
    const number = createHash("sha256").update(key).digest().readUInt32BE(0) % 1_000_000;
    const about = { ...(replyTo !== undefined && { msg_id: replyTo }), msg_seq: number + 1 };
    try {
      await this.#call("POST", `${toPlace(chatId)}/messages`, { ...body, ...about });
    } catch (error) {
      const { data } = z
        .object({ code: z.number() })
        .safeParse(error instanceof PlatformError ? error.answer : undefined);
      if (data === undefined || !repeated.includes(data.code)) throw error;
    }
  }

  async #sendFile(part: OutboundPart, path: string, index: number): Promise<void> {
    const type = fileTypes.find(([pattern]) => pattern.test(path))?.[1];
    const file = basename(path);
    if (type === undefined)
      throw new SendError(phrase("channels.file-kind", { file, platform: "QQ" }), { isPermanent: true });
    const bytes = Buffer.from(await (await readMedia(path, "QQ", largestMegabytes)).arrayBuffer());
    const upload = { file_type: type, file_data: bytes.toString("base64"), srv_send_msg: false };
    const answer = await this.#call("POST", `${toPlace(part.chatId)}/files`, upload);
    const { file_info } = z.object({ file_info: z.string() }).parse(answer);
    await this.#post(part, `${part.id}/${index}`, { msg_type: 7, media: { file_info } });
  }
}

function toPlace(chatId: string): string {
  if (!chatId.startsWith(groupMark)) return `/v2/users/${encodeURIComponent(chatId)}`;
  return `/v2/groups/${encodeURIComponent(chatId.slice(groupMark.length))}`;
}

/** Undefined for what no person said. In a group a bot hears only what is said to it. */
function readMessage(
  name: string,
  data: unknown,
): { update: ChannelUpdate; files: PlatformFile[] } | undefined {
  if (name !== "C2C_MESSAGE_CREATE" && name !== "GROUP_AT_MESSAGE_CREATE") return undefined;
  const { data: message } = messageSchema.safeParse(data);
  const sender = message?.author.user_openid ?? message?.author.member_openid;
  if (message === undefined || sender === undefined) return undefined;
  const { group_openid: group, attachments, content, id } = message;
  const files = attachments.map(({ url, filename }) => ({
    name: filename,
    url: url.startsWith("//") ? `https:${url}` : url,
  }));
  if (content.trim() === "" && files.length === 0) return undefined;
  const chat =
    group === undefined ? { id: sender, isGroup: false } : { id: `${groupMark}${group}`, isGroup: true };
  return {
    files,
    update: { platformId: id, chat, sender: { id: sender }, text: content.trim(), isAddressed: true },
  };
}
