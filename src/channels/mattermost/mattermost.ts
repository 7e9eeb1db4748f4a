// Mattermost: events over a WebSocket, everything else over HTTP. It waits for no acknowledgement: after a connection was lost, the
// chats that were heard of last are asked for what they said since.
import { basename } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError } from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { KeyedLock } from "../../lib/keyed-lock.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { forgetOldest } from "../forget-oldest.ts";
import { type JsonSocket, runJsonSocket } from "../json-socket.ts";
import { LastSeen } from "../last-seen.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";

const schema = z.object({
  serverUrl: z.url().describe("Address of the server"),
  token: z.string().min(1).describe("Access token of the bot account"),
  replyInThread: z.boolean().default(true).describe("In a channel, answer in a thread"),
  reactEmoji: z.string().default("eyes").describe("Reaction to a received message; empty: none"),
  streaming: z.boolean().default(true).describe("Show an answer while it is written"),
  streamEditInterval: z.number().min(0.1).default(1.2).describe("Seconds between two edits"),
});

export type MattermostConfig = z.infer<typeof schema>;

const ownSchema = z.object({ id: z.string(), username: z.string() });
const frameSchema = z.object({
  event: z.string().optional(),
  status: z.string().optional(),
  data: z
    .object({
      post: z.string().optional(),
      channel_type: z.string().optional(),
      sender_name: z.string().optional(),
    })
    .optional(),
});
const postSchema = z.object({
  id: z.string(),
  user_id: z.string(),
  channel_id: z.string(),
  root_id: z.string().default(""),
  message: z.string().default(""),
  file_ids: z.array(z.string()).nullish(),
  /** Joins and the like have one. */
  type: z.string().default(""),
  create_at: z.number(),
  edit_at: z.number().optional(),
  props: z.record(z.string(), z.unknown()).nullish(),
});
type Post = z.infer<typeof postSchema>;

const threadMark = "thread:";
const largestMegabytes = 50;

export const mattermost = defineChannel<MattermostConfig>({
  schema,
  create: (config, context) => new Mattermost(config, context),
  check: (config, context, signal) => untilAborted(new Mattermost(config, context).check(), signal),
});

class Mattermost implements Channel {
  readonly name = "mattermost";
  readonly capabilities: Channel["capabilities"];
  readonly #config: MattermostConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #lastSeen: LastSeen;
  readonly #chats = new KeyedLock();
  readonly #groups = new Map<string, boolean>();
  readonly #ourThreads = new Set<string>();
  #own = { id: "", username: "" };

  constructor(config: MattermostConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#api = new PlatformApi({
      platform: "Mattermost",
      base: `${config.serverUrl.replace(/\/$/, "")}/api/v4`,
      fetch: context.fetch,
      headers: () => ({ authorization: `Bearer ${config.token}` }),
      secrets: [config.token],
    });
    this.#lastSeen = new LastSeen(context.folder, (time, than) => Number(time) > Number(than));
    this.capabilities = {
      format: "messaging",
      maxTextLength: 16_000,
      markup: "markdown",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: true,
      canAsk: true,
      revisions: ["edits", "deletions"],
    };
  }

  async check(): Promise<string> {
    try {
      return `@${(await this.#findOwn()).username}`;
    } catch (error) {
      throw toMattermostStartError(error);
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    const { token, serverUrl } = this.#config;
    try {
      this.#own = await untilAborted(this.#findOwn(), signal);
      await runJsonSocket({
        platform: "Mattermost",
        url: `${serverUrl.replace(/^http/, "ws").replace(/\/$/, "")}/api/v4/websocket`,
        signal,
        onOpen: (socket) => socket.send({ seq: 1, action: "authentication_challenge", data: { token } }),
        onPing: inbox.reportAlive,
        clock: this.#context.clock,
        onMessage: (message, socket) => this.#handle(message, socket, inbox),
      });
    } catch (error) {
      if (!signal.aborted) throw toMattermostStartError(error);
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const files = await Promise.all(part.media.map((path) => this.#upload(part.chatId, path)));
      return { platformId: await this.#post(part, files) };
    } catch (error) {
      throw toSendError(error, "Mattermost", ({ status }) => status >= 400 && status < 500 && status !== 401);
    }
  }

  async showTyping(channel_id: string, thread?: string): Promise<void> {
    const body = { channel_id, ...toRoot(thread, "parent_id") };
    await this.#api.call({ method: "POST", path: "/users/me/typing", body });
  }

  async #findOwn(): Promise<z.infer<typeof ownSchema>> {
    return ownSchema.parse(await this.#api.call({ method: "GET", path: "/users/me" }));
  }

  async #handle(message: unknown, socket: JsonSocket, inbox: ChannelInbox): Promise<void> {
    const { data: frame } = frameSchema.safeParse(message);
    if (frame === undefined) return;
    if (frame.status === "FAIL") {
      socket.fail(new ChannelSetupError(phrase("channels.mattermost-token")));
      return;
    }
    inbox.reportAlive();
    if (frame.event === "hello") await this.#catchUp(inbox);
    const { post, sender_name: name } = frame.data ?? {};
    if (frame.event === "post_edited" || frame.event === "post_deleted")
      await this.#revise(parseJson(post ?? ""), frame.event === "post_deleted", inbox);
    if (frame.event === "posted" && post !== undefined) await this.#receive(parseJson(post), inbox, name);
  }

  /** Messages that were sent while we were not connected. */
  async #catchUp(inbox: ChannelInbox): Promise<void> {
    for (const [chatId, since] of await this.#lastSeen.chats()) {
      const path = `/channels/${encodeURIComponent(chatId)}/posts`;
      const answer = await this.#api
        .call({ method: "GET", path, query: { since } })
        .catch((error: unknown) => {
          // A chat that is gone has nothing to tell.
          if (error instanceof PlatformError && (error.status === 403 || error.status === 404))
            return undefined;
          throw error;
        });
      const { data } = z
        .object({ order: z.array(z.string()), posts: z.record(z.string(), z.unknown()) })
        .safeParse(answer);
      for (const id of data?.order.toReversed() ?? []) await this.#receive(data?.posts[id], inbox);
    }
  }

  async #receive(data: unknown, inbox: ChannelInbox, senderName = ""): Promise<void> {
    const { data: post } = postSchema.safeParse(data);
    if (post === undefined || post.user_id === this.#own.id || post.type !== "" || post.props?.from_bot)
      return;
    const { id, channel_id: chatId, root_id: root, create_at: time, file_ids: files } = post;
    await this.#chats.run(chatId, async () => {
      const isGroup = await this.#isGroup(chatId);
      const text = this.#withoutMention(post.message);
      const isMentioned = text !== post.message.trim();
      const isOurs = root !== "" && this.#ourThreads.has(root);
      const thread = root || (isGroup && this.#config.replyInThread ? id : "");
      const name = senderName.replace(/^@/, "");
      const isAddressed = !isGroup || isMentioned || isOurs;
      const isTaken = await inbox.receive({
        platformId: id,
        chat: { id: chatId, isGroup, ...(thread !== "" && { thread: `${threadMark}${thread}` }) },
        sender: { id: post.user_id, ...(name !== "" && { name, aliases: [name] }) },
        text,
        media: await this.#keep(files ?? [], inbox),
        isAddressed,
      });
      await this.#lastSeen.note({ chatId, messageId: String(time) });
      if (isTaken && isAddressed) void this.#react(post);
    });
  }

  async #revise(data: unknown, isDeleted: boolean, inbox: ChannelInbox): Promise<void> {
    const { data: post } = postSchema.safeParse(data);
    if (post === undefined) return;
    const { id: of, channel_id: id, user_id, message, edit_at } = post;
    const now = isDeleted ? {} : { sender: { id: user_id }, text: this.#withoutMention(message) };
    const platformId = isDeleted ? "deleted" : String(edit_at);
    await this.#chats.run(id, () => inbox.revise({ of, platformId, chat: { id }, ...now }));
  }

  #withoutMention(message: string): string {
    return message.replaceAll(`@${this.#own.username}`, "").trim();
  }

  async #isGroup(chatId: string): Promise<boolean> {
    const known = this.#groups.get(chatId);
    if (known !== undefined) return known;
    const answer = await this.#api.call({ method: "GET", path: `/channels/${encodeURIComponent(chatId)}` });
    const isGroup = z.object({ type: z.string() }).parse(answer).type !== "D";
    this.#groups.set(chatId, isGroup);
    forgetOldest(this.#groups);
    return isGroup;
  }

  async #keep(ids: string[], inbox: ChannelInbox): Promise<string[]> {
    const { serverUrl } = this.#config;
    const files = await Promise.all(
      ids.slice(0, 10).map(async (id) => {
        const path = `/files/${encodeURIComponent(id)}`;
        const info = await this.#api.call({ method: "GET", path: `${path}/info` }).catch(() => undefined);
        const name = z.object({ name: z.string() }).safeParse(info).data?.name ?? "file";
        return { name, url: `${serverUrl.replace(/\/$/, "")}/api/v4${path}` };
      }),
    );
    const { log } = this.#context;
    return keepFiles(files, { api: this.#api, inbox, log, withCredentials: true });
  }

  async #react({ id: post_id }: Post): Promise<void> {
    const { reactEmoji: emoji_name } = this.#config;
    const body = { user_id: this.#own.id, post_id, emoji_name };
    if (emoji_name !== "")
      await this.#api.call({ method: "POST", path: "/reactions", body }).catch((error: unknown) => {
        this.#context.log.debug("reaction-not-shown", { channel: this.name, error });
      });
  }

  async #upload(chatId: string, path: string): Promise<string> {
    const form = new FormData();
    form.set("channel_id", chatId);
    form.set("files", await readMedia(path, "Mattermost", largestMegabytes), basename(path));
    const answer = await this.#api.call({ method: "POST", path: "/files", form });
    return (
      z.object({ file_infos: z.array(z.object({ id: z.string() })).min(1) }).parse(answer).file_infos[0]
        ?.id ?? ""
    );
  }

  /** A server drops a second post with the same key for some seconds. */
  async #post({ id, chatId, thread, text, draft }: OutboundPart, files: string[]): Promise<string> {
    if (draft !== undefined && (await this.#edit(draft, text))) return draft;
    const key = { pending_post_id: `${this.#own.id}:${id}` };
    const body = { channel_id: chatId, message: text, file_ids: files, ...key, ...toRoot(thread, "root_id") };
    const answer = await this.#api.call({ method: "POST", path: "/posts", body });
    const sent = z.object({ id: z.string(), root_id: z.string().default("") }).parse(answer);
    this.#ourThreads.add(sent.root_id || sent.id);
    forgetOldest(this.#ourThreads);
    return sent.id;
  }

  /** False when there is nothing left to edit. */
  async #edit(postId: string, message: string): Promise<boolean> {
    const path = `/posts/${encodeURIComponent(postId)}/patch`;
    try {
      await this.#api.call({ method: "PUT", path, body: { message } });
      return true;
    } catch (error) {
      if (error instanceof PlatformError && error.status === 404) return false;
      throw error;
    }
  }
}

/** Of a thread that an update named. */
function toRoot(thread: string | undefined, key: "root_id" | "parent_id"): Record<string, string> {
  return thread?.startsWith(threadMark) ? { [key]: thread.slice(threadMark.length) } : {};
}

function toMattermostStartError(error: unknown): unknown {
  if (error instanceof PlatformError && error.status === 401)
    return new ChannelSetupError(phrase("channels.mattermost-token"));
  return toStartError(error, "Mattermost");
}
