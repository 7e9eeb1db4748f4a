// Slack, by Socket Mode: events come over a WebSocket and are acknowledged once they are stored, everything else goes over
// HTTP. Written without its library: the protocol is an envelope with an id.
import { basename } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError } from "../../bus/channel.ts";
import type { Button, OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { type JsonSocket, runJsonSocket } from "../json-socket.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";
import { readCommand, readMessage, readPress, readRevision, toThreadKey, toThreadTs } from "./message.ts";

const schema = z.object({
  botToken: z.string().min(1).describe("Bot token, begins with xoxb-"),
  appToken: z.string().min(1).describe("App token with connections:write, begins with xapp-"),
  apiBase: z.url().default("https://slack.com/api").describe("Another address of the API"),
  replyInThread: z.boolean().default(true).describe("In a channel, answer in a thread"),
  reactEmoji: z.string().default("eyes").describe("Reaction to a received message; empty: none"),
  streaming: z.boolean().default(true).describe("Show an answer while it is written"),
  streamEditInterval: z.number().min(0.1).default(1.2).describe("Seconds between two edits"),
});

export type SlackConfig = z.infer<typeof schema>;

const answerSchema = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
const ownSchema = z.object({ user_id: z.string(), user: z.string().default("") });
const envelopeSchema = z.object({
  type: z.string(),
  envelope_id: z.string().optional(),
  payload: z.unknown().optional(),
});
/** Errors that trying again does not mend: this chat, this message, this token. */
const passing = ["ratelimited", "fatal_error", "internal_error", "service_unavailable", "request_timeout"];
const tokenErrors = ["invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"];
const goneErrors = ["message_not_found", "cant_update_message", "edit_window_closed"];
const largestMegabytes = 100;

export const slack = defineChannel<SlackConfig>({
  schema,
  create: (config, context) => new Slack(config, context),
  check: (config, context, signal) => untilAborted(new Slack(config, context).check(), signal),
});

class Slack implements Channel {
  readonly name = "slack";
  readonly capabilities: Channel["capabilities"];
  readonly #config: SlackConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #chats = new KeyedLock();
  readonly #ourThreads = new Set<string>();
  readonly #names = new Map<string, string>();

  constructor(config: SlackConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#api = new PlatformApi({
      platform: "Slack",
      base: config.apiBase,
      fetch: context.fetch,
      headers: () => ({ authorization: `Bearer ${config.botToken}` }),
      secrets: [config.botToken, config.appToken],
    });
    this.capabilities = {
      format: "messaging",
      maxTextLength: 3_500,
      markup: "mrkdwn",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: false,
      canAsk: true,
      revisions: ["edits", "deletions"],
      buttons: true,
    };
  }

  async check(): Promise<string> {
    try {
      const { user } = await this.#findOwn();
      await this.#findConnection();
      return `@${user}`;
    } catch (error) {
      throw toStartError(error, "Slack");
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      const { user_id: botId } = await untilAborted(this.#findOwn(), signal);
      const url = await untilAborted(this.#findConnection(), signal);
      await runJsonSocket({
        platform: "Slack",
        url,
        signal,
        onPing: inbox.reportAlive,
        onMessage: (message, socket) => this.#handle(message, socket, { botId, inbox }),
      });
    } catch (error) {
      if (!signal.aborted) throw toStartError(error, "Slack");
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const platformId = part.text.trim() === "" ? undefined : await this.#sendText(part);
      for (const path of part.media) await this.#sendFile(part, path);
      return platformId === undefined ? {} : { platformId };
    } catch (error) {
      throw toSendError(error, "Slack", ({ quote }) => !passing.includes(quote));
    }
  }

  async #findOwn(): Promise<z.infer<typeof ownSchema>> {
    try {
      return ownSchema.parse(await this.#call("auth.test", {}));
    } catch (error) {
      if (!isOneOf(error, tokenErrors)) throw error;
      throw new ChannelSetupError(phrase("channels.slack-bot-token", { quote: error.quote }));
    }
  }

  async #findConnection(): Promise<string> {
    try {
      const headers = { authorization: `Bearer ${this.#config.appToken}` };
      const answer = await this.#call("apps.connections.open", {}, headers);
      return z.object({ url: z.string() }).parse(answer).url;
    } catch (error) {
      if (!isOneOf(error, [...tokenErrors, "not_allowed_token_type", "missing_scope"])) throw error;
      throw new ChannelSetupError(phrase("channels.slack-app-token", { quote: error.quote }));
    }
  }

  /** Slack answers with 200 also when it refuses. */
  async #call(method: string, body: object, headers?: Record<string, string>): Promise<unknown> {
    const answer = await this.#api.call({
      method: "POST",
      path: `/${method}`,
      body,
      ...(headers && { headers }),
    });
    const { success, data } = answerSchema.safeParse(answer);
    if (success && data.ok) return data;
    throw this.#api.refuse({ status: 200, answer, quote: data?.error ?? "" });
  }

  async #handle(
    message: unknown,
    socket: JsonSocket,
    { botId, inbox }: { botId: string; inbox: ChannelInbox },
  ) {
    const { data: envelope } = envelopeSchema.safeParse(message);
    if (envelope === undefined) return;
    const { type, envelope_id: id, payload } = envelope;
    inbox.reportAlive();
    // Slack changes its servers now and then; what is not acknowledged comes again on the next one.
    if (type === "disconnect") return socket.fail(toStartError(undefined, "Slack"));
    if (type === "events_api") await this.#receive(payload, botId, inbox);
    else if (type === "interactive") await this.#press(payload, inbox);
    else if (type === "slash_commands") await this.#command(payload, inbox);
    if (id !== undefined) socket.send({ envelope_id: id });
  }

  async #receive(payload: unknown, botId: string, inbox: ChannelInbox): Promise<void> {
    const { data } = z.object({ event: z.unknown() }).safeParse(payload);
    const isOurThread = (key: string) => this.#ourThreads.has(key);
    const opensThreads = this.#config.replyInThread;
    const options = { botId, opensThreads, isOurThread };
    const revision = readRevision(data?.event, options);
    if (revision !== undefined) await this.#chats.run(revision.chat.id, () => inbox.revise(revision));
    const message = readMessage(data?.event, options);
    if (message === undefined) return;
    const { chat, sender, platformId, isAddressed } = message.update;
    await this.#chats.run(chat.id, async () => {
      const { log } = this.#context;
      const media = await keepFiles(message.files, { api: this.#api, inbox, log, withCredentials: true });
      const name = await this.#findName(sender.id);
      const isTaken = await inbox.receive({ ...message.update, media, sender: { ...sender, name } });
      if (isTaken && isAddressed && this.#config.reactEmoji !== "") void this.#react(chat.id, platformId);
    });
  }

  async #press(payload: unknown, inbox: ChannelInbox): Promise<void> {
    const press = readPress(payload);
    if (press !== undefined) await inbox.choose(press);
  }

  async #command(payload: unknown, inbox: ChannelInbox): Promise<void> {
    const update = readCommand(payload);
    if (update !== undefined) await inbox.receive(update);
  }

  /** Asked for once; without it the id is used as the name. */
  async #findName(userId: string): Promise<string> {
    const known = this.#names.get(userId);
    if (known !== undefined) return known;
    const answer = await this.#call("users.info", { user: userId }).catch(() => undefined);
    const { data } = z
      .object({ user: z.object({ real_name: z.string().optional(), name: z.string().optional() }) })
      .safeParse(answer);
    const name = data?.user.real_name ?? data?.user.name ?? userId;
    this.#names.set(userId, name);
    forgetOldest(this.#names);
    return name;
  }

  async #react(channel: string, timestamp: string): Promise<void> {
    const body = { channel, timestamp, name: this.#config.reactEmoji };
    await this.#call("reactions.add", body).catch((error: unknown) => {
      this.#context.log.debug("reaction-not-shown", { channel: this.name, error });
    });
  }

  async #sendText({ chatId: channel, thread, text, draft, question }: OutboundPart): Promise<string> {
    const blocks = question === undefined ? [] : toBlocks(text, question.buttons);
    const body = { channel, text, blocks, unfurl_links: false, unfurl_media: false };
    if (draft !== undefined && (await this.#edit({ ...body, ts: draft }))) return draft;
    const threadTs = toThreadTs(thread);
    const place = threadTs === undefined ? {} : { thread_ts: threadTs };
    const { ts } = z
      .object({ ts: z.string() })
      .parse(await this.#call("chat.postMessage", { ...body, ...place }));
    this.#ourThreads.add(toThreadKey(channel, threadTs ?? ts));
    forgetOldest(this.#ourThreads);
    return ts;
  }

  /** False when there is nothing left to edit. */
  async #edit(body: object): Promise<boolean> {
    try {
      await this.#call("chat.update", body);
      return true;
    } catch (error) {
      if (isOneOf(error, goneErrors)) return false;
      throw error;
    }
  }

  /** An address is asked for, the bytes go there, and then the file is shown in the chat. */
  async #sendFile({ chatId, thread }: OutboundPart, path: string): Promise<void> {
    const bytes = await readMedia(path, "Slack", largestMegabytes);
    const filename = basename(path);
    const query = { filename, length: String(bytes.size) };
    const offered = await this.#api.call({ method: "GET", path: "/files.getUploadURLExternal", query });
    const { data } = z.object({ upload_url: z.string(), file_id: z.string() }).safeParse(offered);
    if (data === undefined) throw this.#api.refuse({ status: 200, answer: offered, quote: errorOf(offered) });
    await this.#api.call({ method: "POST", path: data.upload_url, bytes });
    const threadTs = toThreadTs(thread);
    await this.#call("files.completeUploadExternal", {
      files: [{ id: data.file_id, title: filename }],
      channel_id: chatId,
      ...(threadTs !== undefined && { thread_ts: threadTs }),
    });
  }
}

function toBlocks(text: string, buttons: Button[]): object[] {
  const elements = buttons.slice(0, 25).map(({ token, label }) => ({
    type: "button",
    text: { type: "plain_text", text: label.slice(0, 75) },
    value: token,
    action_id: token,
  }));
  return [
    { type: "section", text: { type: "mrkdwn", text: text.slice(0, 3_000) } },
    { type: "actions", elements },
  ];
}

function errorOf(answer: unknown): string {
  return answerSchema.safeParse(answer).data?.error ?? "";
}

function isOneOf(error: unknown, quotes: string[]): error is PlatformError {
  return error instanceof PlatformError && quotes.includes(error.quote);
}
