// Telegram, by long polling or by requests of Telegram to the gateway's port. An update counts as taken by us with the next
// poll, or with our answer, so that nothing is lost in between.
import { createHmac, timingSafeEqual } from "node:crypto";
import type { Api, ApiClientOptions, GrammyError } from "grammy";
import type { Update } from "grammy/types";
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
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { sendMedia, sendText } from "./send.ts";
import { downloadFile, findFile, toEdit, toPress, toTopic, toUpdate } from "./update.ts";

const schema = z.object({
  token: z.string().min(1).describe("Token of the bot, from BotFather"),
  apiBase: z.url().default("https://api.telegram.org").describe("Address of the Bot API server"),
  webhookUrl: z
    .url({ protocol: /^https$/ })
    .optional()
    .describe(
      "Public address of the gateway, where Telegram sends messages; empty: Telegram is asked for them",
    ),
  replyToMessage: z.boolean().default(false).describe("Answer as a reply to the message"),
  reactEmoji: z.string().default("👀").describe("Reaction to a received message; empty means none"),
  streaming: z.boolean().default(true).describe("Show an answer while it is being written"),
  streamEditInterval: z.number().min(0.1).default(0.6).describe("Seconds between updates of such an answer"),
});

export type TelegramConfig = z.infer<typeof schema>;

const pollSeconds = 25;
const aliveMs = 100_000;
const webhookPath = "/channels/telegram";
const wantedUpdates = ["message" as const, "edited_message" as const, "callback_query" as const];

export const telegram = defineChannel<TelegramConfig>({
  schema,
  create: (config, context) => new Telegram(config, context),
  check: (config, context, signal) => new Telegram(config, context).check(signal),
});

class Telegram implements Channel {
  readonly name = "telegram";
  readonly capabilities: Channel["capabilities"];
  readonly http?: NonNullable<Channel["http"]>;
  readonly #config: TelegramConfig;
  /** Where requests are handed over to, while it runs. */
  #open: { inbox: ChannelInbox; username: string } | undefined;
  #loading: Promise<Api> | undefined;
  readonly #context: Pick<ChannelContext, "fetch" | "log" | "clock">;

  constructor(config: TelegramConfig, context: Pick<ChannelContext, "fetch" | "log" | "clock">) {
    this.#config = config;
    this.#context = context;
    if (config.webhookUrl) this.http = { path: webhookPath, handle: (request) => this.#answer(request) };
    this.capabilities = {
      format: "messaging",
      // Telegram's limit is 4096 after its tags are taken away.
      maxTextLength: 4000,
      markup: "html",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: true,
      canAsk: true,
      voice: true,
      revisions: ["edits"],
      buttons: true,
    };
  }

  async check(signal: AbortSignal): Promise<string> {
    try {
      return `@${(await (await this.#api()).getMe(signal as never)).username}`;
    } catch (error) {
      throw signal.aborted ? signal.reason : toStartError(error);
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      const { username = "" } = await (await this.#api()).getMe(signal as never);
      inbox.reportAlive();
      if (this.#config.webhookUrl) await this.#serve({ inbox, username }, signal);
      for (let offset = 0; !signal.aborted; ) {
        const updates = await this.#poll(offset, signal);
        inbox.reportAlive();
        for (const update of updates) {
          await this.#receive(update, username, inbox);
          offset = update.update_id + 1;
        }
      }
    } catch (error) {
      if (!signal.aborted) throw toStartError(error);
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const api = await this.#api();
      const message = part.text.trim() === "" ? undefined : await sendText(api, this.#toTarget(part));
      for (const path of part.media) await sendMedia(api, this.#toTarget(part), path);
      return message === undefined ? {} : { platformId: message };
    } catch (error) {
      throw toSendError(error);
    }
  }

  async showTyping(chatId: string, thread?: string): Promise<void> {
    const topic = toTopic(thread);
    const place = topic === undefined ? {} : { message_thread_id: topic };
    await (await this.#api()).sendChatAction(chatId, "typing", place);
  }

  /** The library is loaded when the gateway already answers. */
  #api(): Promise<Api> {
    const { token, apiBase: apiRoot } = this.#config;
    const { fetch } = this.#context;
    // Without a proxy grammy's own client does, which it loads anyway; Node's `fetch` would be 10 MB more.
    const client = { apiRoot, ...(fetch !== globalThis.fetch && { fetch: adaptFetch(fetch) }) };
    this.#loading ??= import("grammy").then(({ Api }) => new Api(token, client));
    return this.#loading;
  }

  /** Telegram is asked now and then whether it still knows us. */
  async #serve(open: { inbox: ChannelInbox; username: string }, signal: AbortSignal): Promise<void> {
    const api = await this.#api();
    const address = `${this.#config.webhookUrl?.replace(/\/$/, "")}${webhookPath}`;
    // One at a time keeps their order.
    const options = { secret_token: this.#secret, allowed_updates: wantedUpdates, max_connections: 1 };
    await api.setWebhook(address, options, signal as never);
    this.#open = open;
    try {
      for (;;) {
        await this.#context.clock.sleep(aliveMs, signal);
        await api.getMe(signal as never);
        open.inbox.reportAlive();
      }
    } finally {
      this.#open = undefined;
    }
  }

  /** Known only to Telegram and to us. */
  get #secret(): string {
    return createHmac("sha256", this.#config.token).update("webhook").digest("hex");
  }

  async #answer(request: Request): Promise<Response> {
    const given = Buffer.from(request.headers.get("x-telegram-bot-api-secret-token") ?? "");
    const expected = Buffer.from(this.#secret);
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return new Response(null, { status: 401 });
    const open = this.#open;
    // Not running: it comes again.
    if (open === undefined) return new Response(null, { status: 503 });
    const update = parseJson(await request.text());
    if (isRecord(update)) await this.#receive(update as unknown as Update, open.username, open.inbox);
    return new Response(null, { status: 200 });
  }

  async #poll(offset: number, signal: AbortSignal): Promise<Update[]> {
    const wanted = {
      offset,
      timeout: pollSeconds,
      allowed_updates: wantedUpdates,
    };
    const api = await this.#api();
    return api.getUpdates(wanted, signal as never).catch(async (error: unknown) => {
      // Left by an earlier setting: Telegram does both never.
      if (!isGrammyError(error) || !error.description.includes("webhook is active")) throw error;
      await api.deleteWebhook();
      return [];
    });
  }

  async #receive(raw: Update, username: string, inbox: ChannelInbox): Promise<void> {
    const press = toPress(raw);
    if (press !== undefined) {
      await inbox.choose(press);
      return this.#endPress(press.platformId);
    }
    const edit = toEdit(raw, username);
    if (edit !== undefined) return void (await inbox.revise(edit));
    const update = toUpdate(raw, username);
    if (update === undefined) return;
    const file = findFile(raw);
    const media = file === undefined ? [] : await this.#keep(file, inbox);
    await inbox.receive({ ...update, media });
    if (this.#config.reactEmoji !== "" && update.isAddressed)
      await this.#react(update.chat.id, update.platformId);
  }

  /** A file that cannot be had is no reason to lose the words that came with it. */
  async #keep(file: { id: string; name: string }, inbox: ChannelInbox): Promise<string[]> {
    const { apiBase, token } = this.#config;
    try {
      const { file_path: path = "" } = await (await this.#api()).getFile(file.id);
      const bytes = await downloadFile(`${apiBase}/file/bot${token}/${path}`, this.#context.fetch);
      const kept = await inbox.keep({ name: file.name || path, bytes });
      return kept === undefined ? [] : [kept];
    } catch (error) {
      this.#context.log.warn("attachment-not-kept", { channel: this.name, reason: this.#hide(error) });
      return [];
    }
  }

  async #react(chatId: string, messageId: string): Promise<void> {
    const reaction = [{ type: "emoji" as const, emoji: this.#config.reactEmoji as "👀" }];
    const api = await this.#api();
    await api.setMessageReaction(chatId, Number(messageId), reaction).catch((error: unknown) => {
      this.#context.log.debug("reaction-not-shown", { reason: this.#hide(error) });
    });
  }

  /** Without it the button goes on looking busy. */
  async #endPress(queryId: string): Promise<void> {
    const api = await this.#api();
    await api.answerCallbackQuery(queryId).catch((error: unknown) => {
      this.#context.log.debug("press-not-ended", { reason: this.#hide(error) });
    });
  }

  #toTarget(part: OutboundPart) {
    const topic = toTopic(part.thread);
    return {
      chatId: part.chatId,
      text: part.text,
      ...(part.draft !== undefined && { draft: Number(part.draft) }),
      ...(topic !== undefined && { topic }),
      ...(part.question && { buttons: part.question.buttons }),
      ...(this.#config.replyToMessage && part.replyTo !== undefined && { replyTo: Number(part.replyTo) }),
    };
  }

  /** Addresses of files hold the token. */
  #hide(error: unknown): string {
    const message = error instanceof Error ? error.message : String(error);
    return message.replaceAll(this.#config.token, "***");
  }
}

/** grammy hands over an abort signal and streams of older libraries, which Node's own fetch does not take. */
function adaptFetch(fetch: typeof globalThis.fetch): ApiClientOptions["fetch"] {
  const adapted = (url: string, { signal, body, ...init }: GrammyInit): Promise<Response> => {
    const controller = new AbortController();
    if (signal?.aborted) controller.abort();
    signal?.addEventListener("abort", () => controller.abort(), { once: true });
    const request = {
      ...init,
      signal: controller.signal,
      ...(body !== undefined && { body, duplex: "half" }),
    };
    return fetch(url, request as RequestInit);
  };
  return adapted as unknown as ApiClientOptions["fetch"];
}

interface GrammyInit {
  signal?: {
    aborted: boolean;
    addEventListener(type: "abort", listener: () => void, options: { once: boolean }): void;
  };
  body?: unknown;
}

function isGrammyError(error: unknown): error is GrammyError {
  return error instanceof Error && "error_code" in error;
}

function toStartError(error: unknown): unknown {
  if (isOurs(error)) return error;
  if (!isGrammyError(error)) return unreachable();
  const { error_code: code, description } = error;
  if (code === 401 || code === 404) {
    return new ChannelSetupError(phrase("channels.telegram-token", { status: code }));
  }
  if (code === 409) return new ChannelError(phrase("channels.telegram-shared"));
  return new ChannelError(refused(description));
}

/** What was said could not be stored, such as on a full disk: the platform is not to blame. */
function isOurs(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode !== undefined || code === "ENOSPC" || code === "EROFS";
}

function toSendError(error: unknown): Error {
  if (!isGrammyError(error)) return unreachable();
  const { error_code: code, description, parameters } = error;
  const retryAfterMs = parameters?.retry_after === undefined ? undefined : parameters.retry_after * 1000;
  const isPermanent = code === 400 || code === 403 || code === 404;
  return new SendError(refused(description), { isPermanent, ...(retryAfterMs && { retryAfterMs }) });
}

function unreachable(): ChannelError {
  return new ChannelError(phrase("channels.unreachable", { platform: "Telegram" }));
}

function refused(quote: string) {
  return phrase("channels.refused", { platform: "Telegram", quote });
}
