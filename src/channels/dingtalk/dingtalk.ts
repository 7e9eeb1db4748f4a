// DingTalk, in stream mode: messages come over a WebSocket and are acknowledged once they are stored, everything else goes over
// HTTP. Written without its library: the protocol is a frame with an id.
import { basename, extname } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError, type ChannelUpdate } from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { AccessToken } from "../access-token.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { type JsonSocket, runJsonSocket } from "../json-socket.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";

const schema = z.object({
  clientId: z.string().min(1).describe("Client ID (AppKey) of the app"),
  clientSecret: z.string().min(1).describe("Client Secret (AppSecret) of the app"),
  apiBase: z.url().default("https://api.dingtalk.com").describe("Another address of the API"),
  uploadBase: z.url().default("https://oapi.dingtalk.com").describe("Another address that takes files"),
});

export type DingtalkConfig = z.infer<typeof schema>;

const frameSchema = z.object({
  type: z.string(),
  headers: z.object({ topic: z.string().optional(), messageId: z.string().default("") }),
  data: z.string().default("{}"),
});
const pieceSchema = z.object({ text: z.string().optional(), downloadCode: z.string().optional() });
const messageSchema = z.object({
  msgId: z.string(),
  conversationId: z.string(),
  /** 1: private, 2: group. */
  conversationType: z.string(),
  senderId: z.string().default(""),
  senderStaffId: z.string().optional(),
  senderNick: z.string().optional(),
  isInAtList: z.boolean().optional(),
  text: z.object({ content: z.string().default("") }).optional(),
  content: z
    .object({
      downloadCode: z.string().optional(),
      fileName: z.string().optional(),
      /** DingTalk's transcript of a recording. */
      recognition: z.string().optional(),
      richText: z.array(pieceSchema).optional(),
    })
    .optional(),
  msgtype: z.string(),
});
const topic = "/v1.0/im/bot/messages/get";
const groupMark = "cid";
const largestMegabytes = 20;

export const dingtalk = defineChannel<DingtalkConfig>({
  schema,
  create: (config, context) => new Dingtalk(config, context),
  check: (config, context, signal) => untilAborted(new Dingtalk(config, context).check(), signal),
});

class Dingtalk implements Channel {
  readonly name = "dingtalk";
  readonly capabilities = {
    format: "messaging",
    maxTextLength: 4_000,
    markup: "markdown",
    streaming: "none",
    media: true,
    typing: false,
    canAsk: true,
  } as const;
  readonly #config: DingtalkConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #token: AccessToken;
  readonly #chats = new KeyedLock();

  constructor(config: DingtalkConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#api = new PlatformApi({
      platform: "DingTalk",
      base: config.apiBase,
      fetch: context.fetch,
      headers: () => ({}),
      secrets: [config.clientSecret],
    });
    this.#token = new AccessToken(() => this.#askToken(), context.clock);
  }

  async check(): Promise<string> {
    try {
      await this.#findConnection();
      await this.#token.get();
      return this.#config.clientId;
    } catch (error) {
      throw toStartError(error, "DingTalk");
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      const url = await untilAborted(this.#findConnection(), signal);
      await runJsonSocket({
        platform: "DingTalk",
        url,
        signal,
        onOpen: inbox.reportAlive,
        onPing: inbox.reportAlive,
        clock: this.#context.clock,
        onMessage: (message, socket) => this.#handle(message, socket, inbox),
      });
    } catch (error) {
      if (!signal.aborted) throw toStartError(error, "DingTalk");
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const { text } = part;
      const title = text
        .replaceAll(/[\s#*`>]+/g, " ")
        .trim()
        .slice(0, 40);
      if (text.trim() !== "") await this.#post(part.chatId, "sampleMarkdown", { title, text });
      for (const path of part.media) await this.#sendFile(part.chatId, path);
      return {};
    } catch (error) {
      throw toSendError(error, "DingTalk", ({ status, quote, answer }) => {
        const isLimit = /QpsLimit|FlowControl|throttl/i.test(`${quote} ${JSON.stringify(answer)}`);
        return status >= 400 && status < 500 && status !== 401 && !isLimit;
      });
    }
  }

  async #askToken(): Promise<{ token: string; seconds: number }> {
    const { clientId: appKey, clientSecret: appSecret } = this.#config;
    const path = "/v1.0/oauth2/accessToken";
    const answer = await this.#orRefuse({ method: "POST", path, body: { appKey, appSecret } });
    const { accessToken, expireIn } = z
      .object({ accessToken: z.string(), expireIn: z.number() })
      .parse(answer);
    return { token: accessToken, seconds: expireIn };
  }

  async #findConnection(): Promise<string> {
    const { clientId, clientSecret } = this.#config;
    const subscriptions = [{ type: "CALLBACK", topic }];
    const body = { clientId, clientSecret, subscriptions, ua: "nanobot" };
    const answer = await this.#orRefuse({ method: "POST", path: "/v1.0/gateway/connections/open", body });
    const { endpoint, ticket } = z.object({ endpoint: z.string(), ticket: z.string() }).parse(answer);
    const url = new URL(endpoint);
    url.searchParams.set("ticket", ticket);
    return url.href;
  }

  /** A refusal of our credentials alone is about them. */
  async #orRefuse(call: Parameters<PlatformApi["call"]>[0]): Promise<unknown> {
    try {
      return await this.#api.call(call);
    } catch (error) {
      const isOurs = error instanceof PlatformError && [400, 401, 403].includes(error.status);
      throw isOurs
        ? new ChannelSetupError(phrase("channels.dingtalk-credentials", { quote: error.quote }))
        : error;
    }
  }

  async #handle(message: unknown, socket: JsonSocket, inbox: ChannelInbox): Promise<void> {
    const { data: frame } = frameSchema.safeParse(message);
    if (frame === undefined) return;
    inbox.reportAlive();
    const { messageId, topic: about } = frame.headers;
    // Connections are moved now and then; what was not acknowledged comes again on the next one.
    if (frame.type === "SYSTEM" && about === "disconnect") {
      socket.fail(toStartError(undefined, "DingTalk"));
      return;
    }
    if (frame.type === "CALLBACK" && about === topic) await this.#receive(parseJson(frame.data), inbox);
    const data = about === "ping" ? frame.data : JSON.stringify({ response: null });
    socket.send({ code: 200, message: "OK", headers: { messageId, contentType: "application/json" }, data });
  }

  async #receive(data: unknown, inbox: ChannelInbox): Promise<void> {
    const { data: message } = messageSchema.safeParse(data);
    const update = message && toUpdate(message);
    if (message === undefined || update === undefined) return;
    await this.#chats.run(update.chat.id, async () => {
      const media = await this.#keep(message, inbox);
      if (update.text === "" && media.length === 0) return;
      await inbox.receive({ ...update, media });
    });
  }

  async #keep({ content }: z.infer<typeof messageSchema>, inbox: ChannelInbox): Promise<string[]> {
    // A recording comes with its words.
    if (content === undefined || content.recognition) return [];
    const codes = [content.downloadCode, ...(content.richText ?? []).map(({ downloadCode }) => downloadCode)];
    const wanted = codes.filter((code) => code !== undefined);
    const files = await Promise.all(
      wanted.map(async (downloadCode) => {
        const body = { downloadCode, robotCode: this.#config.clientId };
        const answer = await this.#call("/v1.0/robot/messageFiles/download", body).catch(() => undefined);
        const { data } = z.object({ downloadUrl: z.string() }).safeParse(answer);
        return data === undefined ? [] : [{ name: content.fileName ?? "picture.png", url: data.downloadUrl }];
      }),
    );
    return keepFiles(files.flat(), { api: this.#api, inbox, log: this.#context.log });
  }

  async #call(path: string, body: object): Promise<unknown> {
    const headers = { "x-acs-dingtalk-access-token": await this.#token.get() };
    try {
      return await this.#api.call({ method: "POST", path, body, headers });
    } catch (error) {
      if (error instanceof PlatformError && error.status === 401) this.#token.forget();
      throw error;
    }
  }

  async #post(chatId: string, msgKey: string, parameters: object): Promise<void> {
    const about = { robotCode: this.#config.clientId, msgKey, msgParam: JSON.stringify(parameters) };
    if (chatId.startsWith(groupMark))
      await this.#call("/v1.0/robot/groupMessages/send", { ...about, openConversationId: chatId });
    else await this.#call("/v1.0/robot/oToMessages/batchSend", { ...about, userIds: [chatId] });
  }

  async #sendFile(chatId: string, path: string): Promise<void> {
    const fileName = basename(path);
    const isPicture = /\.(png|jpe?g|gif|bmp)$/i.test(fileName);
    const form = new FormData();
    form.set("media", await readMedia(path, "DingTalk", largestMegabytes), fileName);
    const query = { access_token: await this.#token.get(), type: isPicture ? "image" : "file" };
    const upload = `${this.#config.uploadBase}/media/upload`;
    const answer = await this.#api.call({ method: "POST", path: upload, query, form });
    const { data } = z.object({ media_id: z.string() }).safeParse(answer);
    if (data === undefined) throw this.#api.refuse({ status: 400, answer, quote: "media/upload" });
    const fileType = extname(fileName).slice(1) || "file";
    if (isPicture) await this.#post(chatId, "sampleImageMsg", { photoURL: data.media_id });
    else await this.#post(chatId, "sampleFile", { mediaId: data.media_id, fileName, fileType });
  }
}

/** Undefined for what no person of the organisation said. */
function toUpdate(message: z.infer<typeof messageSchema>): ChannelUpdate | undefined {
  const { msgId, conversationId, senderStaffId, senderNick, text, content } = message;
  const isGroup = message.conversationType === "2";
  // In private an answer is addressed to the person.
  const sender = senderStaffId ?? (isGroup ? message.senderId : "");
  if (sender === "") return undefined;
  const words = (content?.richText ?? []).map((piece) => piece.text ?? "").join("");
  return {
    platformId: msgId,
    chat: { id: isGroup ? conversationId : sender, isGroup },
    sender: { id: sender, ...(senderNick && { name: senderNick }) },
    text: (text?.content ?? content?.recognition ?? words).trim(),
    isAddressed: !isGroup || message.isInAtList !== false,
  };
}
