// WeCom, as an intelligent bot over its long connection: everything goes over one WebSocket, in both directions. WeCom waits for
// no acknowledgement and repeats nothing: what is said while the connection is lost is lost.
import { createDecipheriv, createHash, randomUUID } from "node:crypto";
import { basename } from "node:path";
import * as z from "zod";
import {
  type Channel,
  ChannelError,
  type ChannelInbox,
  ChannelSetupError,
  type ChannelUpdate,
  SendError,
} from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { type JsonSocket, runJsonSocket } from "../json-socket.ts";
import { isOurs, PlatformApi, readMedia, toStartError } from "../platform-api.ts";

const schema = z.object({
  botId: z.string().min(1).describe("Bot ID, from the page of the bot in WeCom"),
  secret: z.string().min(1).describe("Secret of the long connection"),
  socketUrl: z.url().default("wss://openws.work.weixin.qq.com").describe("Another address of the connection"),
});

export type WecomConfig = z.infer<typeof schema>;

const frameSchema = z.object({
  cmd: z.string().optional(),
  headers: z.object({ req_id: z.string() }),
  body: z.unknown().optional(),
  errcode: z.int().optional(),
  errmsg: z.string().optional(),
});
const fileSchema = z.object({ url: z.string(), aeskey: z.string(), name: z.string().optional() });
const contentSchema = z.object({
  msgtype: z.string(),
  text: z.object({ content: z.string() }).optional(),
  /** What was said in a recording, as WeCom heard it. */
  voice: z.object({ content: z.string() }).optional(),
  image: fileSchema.optional(),
  file: fileSchema.optional(),
  video: fileSchema.optional(),
});
const messageSchema = contentSchema.extend({
  msgid: z.string(),
  chatid: z.string().optional(),
  /** single, group */
  chattype: z.string().default("single"),
  from: z.object({ userid: z.string() }),
  mixed: z.object({ msg_item: z.array(contentSchema) }).optional(),
});
const pingMs = 30_000;
const answerMs = 20_000;
/** Too much at once. */
const limits = [45_009, 45_033, 846_607];
const largestFile = 64 * 1024 * 1024;
/** Of a file that is sent: at most a hundred pieces of half a megabyte. */
const largestMegabytes = 50;
const chunkSize = 512 * 1024;
const kinds: Array<[RegExp, string]> = [
  [/\.(png|jpe?g)$/i, "image"],
  [/\.amr$/i, "voice"],
  [/\.mp4$/i, "video"],
];

export const wecom = defineChannel<WecomConfig>({
  schema,
  create: (config, context) => new Wecom(config, context),
  check: (config, context, signal) => new Wecom(config, context).check(signal),
});

type Answer = z.infer<typeof frameSchema>;

class Wecom implements Channel {
  readonly name = "wecom";
  readonly capabilities = {
    format: "messaging",
    maxTextLength: 4_000,
    markup: "markdown",
    streaming: "none",
    media: true,
    typing: false,
    canAsk: true,
  } as const;
  readonly #config: WecomConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #chats = new KeyedLock();
  readonly #waiting = new Map<string, PromiseWithResolvers<Answer>>();
  #socket: JsonSocket | undefined;

  constructor(config: WecomConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    // Only for files, whose addresses are whole.
    const { fetch } = context;
    this.#api = new PlatformApi({
      platform: "WeCom",
      base: "https://work.weixin.qq.com",
      fetch,
      headers: () => ({}),
      secrets: [],
    });
  }

  async check(signal: AbortSignal): Promise<string> {
    const done = new AbortController();
    const inbox = { reportAlive: () => done.abort() } as ChannelInbox;
    await untilAborted(this.start(inbox, AbortSignal.any([signal, done.signal])), signal);
    return this.#config.botId;
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    try {
      await runJsonSocket({
        platform: "WeCom",
        url: this.#config.socketUrl,
        signal,
        onOpen: (socket) => void this.#subscribe(socket, inbox, over.signal).catch(socket.fail),
        onMessage: (message, socket) => this.#handle(message, socket, inbox),
      });
    } catch (error) {
      if (!signal.aborted) throw toStartError(error, "WeCom");
    } finally {
      over.abort();
      this.#socket = undefined;
      for (const { reject } of this.#waiting.values()) reject(disconnected());
      this.#waiting.clear();
    }
  }

  async send({ chatId: chatid, text, media }: OutboundPart): Promise<Sent> {
    const content = { msgtype: "markdown", markdown: { content: text } };
    if (text.trim() !== "") await this.#tell("aibot_send_msg", { chatid, ...content });
    for (const path of media) await this.#tell("aibot_send_msg", { chatid, ...(await this.#upload(path)) });
    return {};
  }

  async #tell(cmd: string, body: object): Promise<unknown> {
    if (this.#socket === undefined) throw disconnected();
    const { errcode = 0, errmsg = "", body: answer } = await this.#ask(this.#socket, cmd, body);
    if (errcode === 0) return answer;
    const said = phrase("channels.refused", { platform: "WeCom", quote: errmsg.slice(0, 200) });
    throw limits.includes(errcode)
      ? new SendError(said, { retryAfterMs: 5_000 })
      : new SendError(said, { isPermanent: true });
  }

  /** In pieces, over the same connection. */
  async #upload(path: string): Promise<object> {
    const filename = basename(path);
    const type = kinds.find(([pattern]) => pattern.test(filename))?.[1] ?? "file";
    const bytes = Buffer.from(await (await readMedia(path, "WeCom", largestMegabytes)).arrayBuffer());
    const md5 = createHash("md5").update(bytes).digest("hex");
    const total_chunks = Math.ceil(bytes.length / chunkSize);
    const about = { type, filename, total_size: bytes.length, total_chunks, md5 };
    const begun = await this.#tell("aibot_upload_media_init", about);
    const { upload_id } = z.object({ upload_id: z.string() }).parse(begun);
    for (let chunk_index = 0; chunk_index < total_chunks; chunk_index++) {
      const chunk = bytes.subarray(chunk_index * chunkSize, (chunk_index + 1) * chunkSize);
      const base64_data = chunk.toString("base64");
      await this.#tell("aibot_upload_media_chunk", { upload_id, chunk_index, base64_data });
    }
    const ended = await this.#tell("aibot_upload_media_finish", { upload_id });
    const { media_id } = z.object({ media_id: z.string() }).parse(ended);
    return { msgtype: type, [type]: { media_id } };
  }

  async #subscribe(socket: JsonSocket, inbox: ChannelInbox, over: AbortSignal): Promise<void> {
    const { botId: bot_id, secret } = this.#config;
    const { errcode = 0, errmsg = "" } = await this.#ask(socket, "aibot_subscribe", { bot_id, secret });
    if (errcode !== 0) {
      const quote = errmsg.replaceAll(secret, "***").slice(0, 200);
      throw new ChannelSetupError(phrase("channels.wecom-credentials", { quote }));
    }
    this.#socket = socket;
    inbox.reportAlive();
    for (;;) {
      await this.#context.clock.sleep(pingMs, over).catch(() => {});
      if (over.aborted) return;
      await this.#ask(socket, "ping");
      inbox.reportAlive();
    }
  }

  /** The platform's answer; without one in time the connection counts as lost. */
  async #ask(socket: JsonSocket, cmd: string, body?: object): Promise<Answer> {
    const id = randomUUID();
    const waiting = Promise.withResolvers<Answer>();
    this.#waiting.set(id, waiting);
    const late = new AbortController();
    void this.#context.clock.sleep(answerMs, late.signal).then(
      () => {
        waiting.reject(disconnected());
        socket.fail(disconnected());
      },
      () => {},
    );
    try {
      socket.send({ cmd, headers: { req_id: id }, ...(body && { body }) });
      return await waiting.promise;
    } finally {
      late.abort();
      this.#waiting.delete(id);
    }
  }

  async #handle(data: unknown, socket: JsonSocket, inbox: ChannelInbox): Promise<void> {
    const { data: frame } = frameSchema.safeParse(data);
    if (frame === undefined) return;
    const { cmd, headers, body } = frame;
    this.#waiting.get(headers.req_id)?.resolve(frame);
    if (cmd === "aibot_msg_callback") await this.#receive(body, inbox);
    else if (cmd === "aibot_event_callback" && isReplaced(body))
      // Another program took our place: taking it back would go on for ever.
      socket.fail(new ChannelSetupError(phrase("channels.wecom-shared")));
  }

  async #receive(body: unknown, inbox: ChannelInbox): Promise<void> {
    const { data: message } = messageSchema.safeParse(body);
    if (message === undefined) return;
    const { msgid, chatid, chattype, from, mixed } = message;
    const isGroup = chattype === "group";
    const pieces = [message, ...(mixed?.msg_item ?? [])];
    const words = pieces.flatMap(({ text, voice }) => text?.content ?? voice?.content ?? []).join("\n");
    const files = pieces.flatMap(({ image, file, video }) => image ?? file ?? video ?? []);
    const chat: ChannelUpdate["chat"] = { id: isGroup ? (chatid ?? "") : from.userid, isGroup };
    // A group hands over only what is said to the bot, which is named first.
    const text = (isGroup ? words.replace(/^@\S+\s+/, "") : words).trim();
    await this.#chats.run(chat.id, async () => {
      const kept = await Promise.all(files.map((file) => this.#keep(file, inbox)));
      const media = kept.filter((path) => path !== undefined);
      if (text === "" && media.length === 0) return;
      await inbox.receive({
        platformId: msgid,
        chat,
        sender: { id: from.userid },
        text,
        media,
        isAddressed: true,
      });
    });
  }

  /** A file that cannot be had is no reason to lose the words that came with it. */
  async #keep({ url, aeskey, name }: z.infer<typeof fileSchema>, inbox: ChannelInbox) {
    try {
      const bytes = decrypt(await readAll(await this.#api.download(url)), aeskey);
      return await inbox.keep({ name: name ?? "picture.png", bytes });
    } catch (error) {
      if (isOurs(error)) throw error;
      this.#context.log.warn("attachment-not-kept", { channel: this.name });
      return undefined;
    }
  }
}

function isReplaced(body: unknown): boolean {
  return z.object({ event: z.object({ eventtype: z.literal("disconnected_event") }) }).safeParse(body)
    .success;
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > largestFile) throw new Error("the file is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** AES-256-CBC; the beginning of the key is where it starts, and the padding is up to 32 bytes. */
async function* decrypt(bytes: Buffer, aeskey: string): AsyncIterable<Uint8Array> {
  const key = Buffer.from(aeskey, "base64");
  const decipher = createDecipheriv("aes-256-cbc", key, key.subarray(0, 16)).setAutoPadding(false);
  const plain = Buffer.concat([decipher.update(bytes), decipher.final()]);
  const padding = plain.at(-1) ?? 0;
  yield padding >= 1 && padding <= 32 ? plain.subarray(0, plain.length - padding) : plain;
}

function disconnected(): ChannelError {
  return new ChannelError(phrase("channels.disconnected", { platform: "WeCom" }));
}
