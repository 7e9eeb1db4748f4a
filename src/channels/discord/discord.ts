// Discord: events over its gateway, everything else over HTTP. Written without its library, for a gateway is a few frames
// and the library is many megabytes. Discord waits for no acknowledgement: what was missed is asked for by its id.
import { createHash } from "node:crypto";
import { basename } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError } from "../../bus/channel.ts";
import type { Button, OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { type GatewaySession, runGateway } from "../gateway.ts";
import { LastSeen } from "../last-seen.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";
import { type Interaction, readInteraction, readMessage, readRevisions } from "./message.ts";

const schema = z.object({
  token: z.string().min(1).describe("Bot token, from the Discord developer portal"),
  apiBase: z.url().default("https://discord.com/api/v10").describe("Another address of the API"),
  replyToMessage: z.boolean().default(false).describe("Answer as a reply to the message"),
  reactEmoji: z.string().default("👀").describe("Reaction to a received message; empty: none"),
  slashCommands: z.boolean().default(true).describe("Offer the assistant's commands in Discord's own menu"),
  streaming: z.boolean().default(true).describe("Show an answer while it is written"),
  streamEditInterval: z.number().min(0.1).default(1.2).describe("Seconds between two edits"),
});

export type DiscordConfig = z.infer<typeof schema>;

const ownSchema = z.object({ id: z.string(), username: z.string() });
const sentSchema = z.object({ id: z.string() });
const sessionSchema = z.object({ id: z.string(), url: z.string(), sequence: z.int() });
const readySchema = z.object({
  session_id: z.string(),
  resume_gateway_url: z.string(),
  application: z.object({ id: z.string() }),
});
/** Guilds, messages in guilds, direct messages, and what they say. */
const intents = (1 << 0) | (1 << 9) | (1 << 12) | (1 << 15);
const properties = { os: "linux", browser: "nanobot", device: "nanobot" };
/** Without a boost of the server. */
const largestMegabytes = 10;
/** SUPPRESS_EMBEDS */
const withoutPreviews = 4;
const mostMissed = 100;
const unknownMessage = 10008;

export const discord = defineChannel<DiscordConfig>({
  schema,
  create: (config, context) => new Discord(config, context),
  check: (config, context, signal) => untilAborted(new Discord(config, context).check(), signal),
});

class Discord implements Channel {
  readonly name = "discord";
  readonly capabilities: Channel["capabilities"];
  readonly #config: DiscordConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #lastSeen: LastSeen;
  readonly #chats = new KeyedLock();
  /** Null: that of the last process was not looked for yet. */
  #session: GatewaySession | undefined | null = null;

  constructor(config: DiscordConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#api = new PlatformApi({
      platform: "Discord",
      base: config.apiBase,
      fetch: context.fetch,
      headers: () => ({ authorization: `Bot ${config.token}` }),
      secrets: [config.token],
    });
    this.#lastSeen = new LastSeen(context.folder, isNewer);
    this.capabilities = {
      format: "messaging",
      maxTextLength: 2_000,
      markup: "markdown",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: true,
      canAsk: true,
      revisions: ["edits", "deletions"],
      buttons: true,
    };
  }

  async check(): Promise<string> {
    try {
      return (await this.#findOwn()).username;
    } catch (error) {
      throw toDiscordStartError(error);
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      const identity = await untilAborted(this.#findOwn(), signal);
      const { url } = z
        .object({ url: z.string() })
        .parse(await untilAborted(this.#api.call({ method: "GET", path: "/gateway/bot" }), signal));
      if (this.#session === null)
        this.#session = sessionSchema.safeParse(await this.#lastSeen.connection()).data;
      await runGateway({
        platform: "Discord",
        url: withVersion(url),
        token: this.#config.token,
        identity: { intents, properties },
        session: this.#session,
        clock: this.#context.clock,
        signal,
        onAlive: inbox.reportAlive,
        onReady: async (data) => {
          const { application, session_id: id, resume_gateway_url: place } = readySchema.parse(data);
          await this.#offerCommands(application.id);
          await this.#catchUp(identity.id, inbox);
          return { id, url: withVersion(place) };
        },
        onEvent: (name, data) => this.#handle(name, data, { botId: identity.id, inbox }),
        onSession: (session) => {
          this.#session = session;
        },
        toCloseError: explainClose,
      });
    } catch (error) {
      if (!signal.aborted) throw toDiscordStartError(error);
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const platformId = part.text.trim() === "" ? undefined : await this.#sendText(part);
      for (const [index, path] of part.media.entries()) await this.#sendFile(part, path, index);
      return platformId === undefined ? {} : { platformId };
    } catch (error) {
      throw toSendError(error, "Discord", ({ status }) => status >= 400 && status < 500);
    }
  }

  async showTyping(chatId: string): Promise<void> {
    await this.#api.call({ method: "POST", path: `/channels/${encodeURIComponent(chatId)}/typing` });
  }

  async #findOwn(): Promise<z.infer<typeof ownSchema>> {
    return ownSchema.parse(await this.#api.call({ method: "GET", path: "/users/@me" }));
  }

  async #handle(
    name: string,
    data: unknown,
    { botId, inbox }: { botId: string; inbox: ChannelInbox },
  ): Promise<void> {
    if (name === "MESSAGE_CREATE") await this.#receive(data, botId, inbox);
    for (const revision of readRevisions(name, data, botId))
      await this.#chats.run(revision.chat.id, () => inbox.revise(revision));
    const interaction = name === "INTERACTION_CREATE" ? readInteraction(data) : undefined;
    if (interaction !== undefined) await this.#interact(interaction, inbox);
  }

  /** In the order in which they came; another chat does not wait for this one's files. */
  async #receive(data: unknown, botId: string, inbox: ChannelInbox): Promise<void> {
    const message = readMessage(data, botId);
    if (message === undefined) return;
    const { chat, platformId, isAddressed } = message.update;
    await this.#chats.run(chat.id, async () => {
      const { log } = this.#context;
      const media = await keepFiles(message.files, { api: this.#api, inbox, log });
      const isTaken = await inbox.receive({ ...message.update, media });
      await this.#lastSeen.note({
        chatId: chat.id,
        messageId: platformId,
        connection: this.#session ?? undefined,
      });
      if (isTaken && isAddressed && this.#config.reactEmoji !== "") void this.#react(chat.id, platformId);
    });
  }

  /** Discord shows a failure when it hears nothing for three seconds: it is answered at once, before the work. */
  async #interact(interaction: Interaction, inbox: ChannelInbox): Promise<void> {
    const { id, token, kind } = interaction;
    // 6: the message with the button stays as it is; 4: the command is shown as it was given.
    const answer = kind === "press" ? { type: 6 } : { type: 4, data: { content: interaction.update.text } };
    const path = `/interactions/${encodeURIComponent(id)}/${encodeURIComponent(token)}/callback`;
    const telling = this.#try("interaction-not-answered", { method: "POST", path, body: answer });
    if (kind === "press") await inbox.choose(interaction.press);
    else await inbox.receive(interaction.update);
    await telling;
  }

  /** Messages that were sent while we were not connected. */
  async #catchUp(botId: string, inbox: ChannelInbox): Promise<void> {
    for (const [chatId, after] of await this.#lastSeen.chats()) {
      const path = `/channels/${encodeURIComponent(chatId)}/messages`;
      const query = { after, limit: String(mostMissed) };
      const missed = await this.#api.call({ method: "GET", path, query }).catch((error: unknown) => {
        // A chat that is gone has nothing to tell.
        if (error instanceof PlatformError && error.status < 500 && error.status !== 429) return [];
        throw error;
      });
      for (const message of Array.isArray(missed) ? missed.toReversed() : [])
        await this.#receive(message, botId, inbox);
    }
  }

  async #offerCommands(applicationId: string): Promise<void> {
    if (!this.#config.slashCommands) return;
    const text = { type: 3, name: "text", description: "…", required: false };
    const body = this.#context.commands.map(({ name, about }) => ({
      name,
      description: about.slice(0, 100),
      options: [text],
    }));
    const path = `/applications/${encodeURIComponent(applicationId)}/commands`;
    await this.#try("commands-not-offered", { method: "PUT", path, body });
  }

  async #react(chatId: string, messageId: string): Promise<void> {
    const [chat, message, emoji] = [chatId, messageId, this.#config.reactEmoji].map(encodeURIComponent);
    const path = `/channels/${chat}/messages/${message}/reactions/${emoji}/@me`;
    await this.#try("reaction-not-shown", { method: "PUT", path });
  }

  /** Nice to have: its failure is logged. */
  async #try(event: string, call: Parameters<PlatformApi["call"]>[0]): Promise<void> {
    await this.#api.call(call).catch((error: unknown) => {
      this.#context.log.debug(event, { channel: this.name, error });
    });
  }

  async #sendText(part: OutboundPart): Promise<string> {
    const path = `/channels/${encodeURIComponent(part.chatId)}/messages`;
    const body = {
      content: part.text,
      // Nobody is called by what a model wrote.
      allowed_mentions: { parse: [] },
      // A preview is fetched by the platform: a link in an answer must not carry anything away on its own.
      flags: withoutPreviews,
      components: part.question === undefined ? [] : toRows(part.question.buttons),
    };
    if (part.draft !== undefined) {
      const edited = await this.#edit(`${path}/${encodeURIComponent(part.draft)}`, body);
      if (edited) return part.draft;
    }
    const answer = await this.#api.call({
      method: "POST",
      path,
      body: { ...body, ...toNonce(part.id), ...this.#toReply(part) },
    });
    return sentSchema.parse(answer).id;
  }

  /** False when there is nothing left to edit. */
  async #edit(path: string, body: object): Promise<boolean> {
    try {
      await this.#api.call({ method: "PATCH", path, body });
      return true;
    } catch (error) {
      if (error instanceof PlatformError && isAbout(error, unknownMessage)) return false;
      throw error;
    }
  }

  async #sendFile(part: OutboundPart, path: string, index: number): Promise<void> {
    const form = new FormData();
    form.set("payload_json", JSON.stringify(toNonce(`${part.id}/${index}`)));
    form.set("files[0]", await readMedia(path, "Discord", largestMegabytes), basename(path));
    await this.#api.call({
      method: "POST",
      path: `/channels/${encodeURIComponent(part.chatId)}/messages`,
      form,
    });
  }

  #toReply({ replyTo }: OutboundPart) {
    if (!this.#config.replyToMessage || replyTo === undefined) return {};
    return { message_reference: { message_id: replyTo, fail_if_not_exists: false } };
  }
}

function withVersion(address: string): string {
  const url = new URL(address);
  url.searchParams.set("v", "10");
  url.searchParams.set("encoding", "json");
  return url.href;
}

/** 4004: the token; 4013, 4014: intents that the bot was not granted; 4007, 4009: the session. */
function explainClose(code: number) {
  if (code === 4004) return { error: new ChannelSetupError(phrase("channels.discord-token")) };
  if (code === 4013 || code === 4014)
    return { error: new ChannelSetupError(phrase("channels.discord-intents")) };
  return { isSessionOver: code === 4007 || code === 4009 };
}

/** Ids of Discord grow with time. */
function isNewer(id: string, than: string): boolean {
  return id.length === than.length ? id > than : id.length > than.length;
}

/** Discord takes a second message with the same key, within some minutes, for the first one. */
function toNonce(partId: string) {
  return { nonce: createHash("sha256").update(partId).digest("hex").slice(0, 25), enforce_nonce: true };
}

/** At most five buttons fit in a row. */
function toRows(buttons: Button[]): object[] {
  const rows = Array.from({ length: Math.ceil(Math.min(buttons.length, 25) / 5) }, (_, row) =>
    buttons.slice(row * 5, row * 5 + 5),
  );
  return rows.map((row) => ({
    type: 1,
    components: row.map(({ token, label }) => ({
      type: 2,
      style: 2,
      label: label.slice(0, 80),
      custom_id: token,
    })),
  }));
}

function isAbout({ answer }: PlatformError, code: number): boolean {
  return z.object({ code: z.literal(code) }).safeParse(answer).success;
}

function toDiscordStartError(error: unknown): unknown {
  if (error instanceof PlatformError && error.status === 401)
    return new ChannelSetupError(phrase("channels.discord-token"));
  return toStartError(error, "Discord");
}
