// Matrix, by the client-server API: /sync tells what is new since a token, and the token is stored after everything that came
// with it. Rooms without encryption only.
import { createHash } from "node:crypto";
import { basename, join } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError } from "../../bus/channel.ts";
import type { OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import { StateFile } from "../../storage/files/state-file.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import { forgetOldest } from "../forget-oldest.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";
import { readMessage, readRevision, toContent, toRelation } from "./event.ts";

const schema = z.object({
  homeserver: z.url().default("https://matrix.org").describe("Address of the server"),
  accessToken: z.string().min(1).describe("Access token of the assistant's account"),
  joinInvites: z.boolean().default(true).describe("Join rooms that the assistant is invited to"),
  streaming: z.boolean().default(true).describe("Show an answer while it is written"),
  streamEditInterval: z.number().min(0.1).default(1.5).describe("Seconds between two edits"),
});

export type MatrixConfig = z.infer<typeof schema>;

const roomSchema = z.object({
  timeline: z
    .object({
      events: z.array(z.unknown()).default([]),
      limited: z.boolean().optional(),
      prev_batch: z.string().optional(),
    })
    .default({ events: [] }),
  state: z.object({ events: z.array(z.unknown()).default([]) }).default({ events: [] }),
});
const syncSchema = z.object({
  next_batch: z.string(),
  rooms: z
    .object({
      join: z.record(z.string(), roomSchema).default({}),
      invite: z.record(z.string(), z.unknown()).default({}),
    })
    .default({ join: {}, invite: {} }),
});
const eventTypes = ["m.room.message", "m.room.member", "m.room.encrypted", "m.room.redaction"];
const filter = JSON.stringify({
  presence: { types: [] },
  account_data: { types: [] },
  room: {
    ephemeral: { types: [] },
    account_data: { types: [] },
    state: { types: ["m.room.member"], lazy_load_members: true },
    timeline: { types: eventTypes, limit: 50 },
  },
});
const pollMs = 30_000;
const mostMissed = "200";
const largestMegabytes = 50;

export const matrix = defineChannel<MatrixConfig>({
  schema,
  create: (config, context) => new Matrix(config, context),
  check: (config, context, signal) => untilAborted(new Matrix(config, context).check(), signal),
});

class Matrix implements Channel {
  readonly name = "matrix";
  readonly capabilities: Channel["capabilities"];
  readonly #config: MatrixConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  readonly #state: StateFile;
  readonly #sent = new Set<string>();
  /** Rooms with more than two people. */
  readonly #groups = new Map<string, boolean>();
  #ownId = "";

  constructor(config: MatrixConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    this.#state = new StateFile(join(context.folder, "sync.json"));
    this.#api = new PlatformApi({
      platform: "Matrix",
      base: `${config.homeserver.replace(/\/$/, "")}/_matrix`,
      fetch: context.fetch,
      headers: () => ({ authorization: `Bearer ${config.accessToken}` }),
      secrets: [config.accessToken],
    });
    this.capabilities = {
      format: "messaging",
      maxTextLength: 12_000,
      markup: "html",
      streaming: config.streaming ? "edit" : "none",
      editIntervalMs: config.streamEditInterval * 1000,
      media: true,
      typing: true,
      canAsk: true,
      voice: true,
      revisions: ["edits", "deletions"],
    };
  }

  async check(): Promise<string> {
    try {
      return await this.#findOwn();
    } catch (error) {
      throw toMatrixStartError(error);
    }
  }

  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      this.#ownId = await untilAborted(this.#findOwn(), signal);
      inbox.reportAlive();
      let since = await this.#readToken();
      while (!signal.aborted) {
        const news = await this.#sync(since, signal);
        inbox.reportAlive();
        await this.#take(news, since, inbox);
        // Only now: what was not received is sent again.
        since = news.next_batch;
        await this.#state.write({ since });
      }
    } catch (error) {
      if (!signal.aborted) throw toMatrixStartError(error);
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    try {
      const platformId = part.text.trim() === "" ? undefined : await this.#sendText(part);
      for (const [index, path] of part.media.entries()) await this.#sendFile(part, path, index);
      return platformId === undefined ? {} : { platformId };
    } catch (error) {
      throw toSendError(error, "Matrix", ({ status }) => status >= 400 && status < 500 && status !== 401);
    }
  }

  async showTyping(roomId: string): Promise<void> {
    const path = `/client/v3/rooms/${encodeURIComponent(roomId)}/typing/${encodeURIComponent(this.#ownId)}`;
    await this.#api.call({ method: "PUT", path, body: { typing: true, timeout: 8_000 } });
  }

  async #findOwn(): Promise<string> {
    const { protocol, hostname } = new URL(this.#config.homeserver);
    if (protocol !== "https:" && !isLoopbackHost(hostname))
      throw new ChannelSetupError(phrase("channels.insecure", { platform: "Matrix" }));
    const answer = await this.#api.call({ method: "GET", path: "/client/v3/account/whoami" });
    return z.object({ user_id: z.string() }).parse(answer).user_id;
  }

  async #readToken(): Promise<string | undefined> {
    const { value } = await this.#state.read();
    return typeof value?.since === "string" ? value.since : undefined;
  }

  async #sync(since: string | undefined, signal: AbortSignal): Promise<z.infer<typeof syncSchema>> {
    // The first one asks where we are, and does not wait for news.
    const query = { filter, timeout: String(since === undefined ? 0 : pollMs), ...(since && { since }) };
    return syncSchema.parse(await this.#api.call({ method: "GET", path: "/client/v3/sync", query, signal }));
  }

  /** Of the time before the first start only invitations count. */
  async #take(
    { rooms }: z.infer<typeof syncSchema>,
    since: string | undefined,
    inbox: ChannelInbox,
  ): Promise<void> {
    if (this.#config.joinInvites)
      for (const roomId of Object.keys(rooms.invite))
        await this.#try("POST", `/client/v3/join/${encodeURIComponent(roomId)}`);
    if (since === undefined) return;
    for (const [roomId, { timeline, state }] of Object.entries(rooms.join)) {
      const missed =
        timeline.limited && timeline.prev_batch
          ? await this.#findMissed(roomId, { from: timeline.prev_batch, to: since })
          : [];
      if ([...state.events, ...timeline.events].some(isMembership)) this.#groups.delete(roomId);
      for (const event of [...missed, ...timeline.events]) await this.#receive(event, roomId, inbox);
    }
  }

  /** A server tells only the last events of a room; the others are asked for. Newest first, as it tells them. */
  async #findMissed(roomId: string, range: { from: string; to: string }): Promise<unknown[]> {
    const path = `/client/v3/rooms/${encodeURIComponent(roomId)}/messages`;
    const query = { ...range, dir: "b", limit: mostMissed };
    const answer = await this.#api.call({ method: "GET", path, query }).catch(passOver);
    return (
      z
        .object({ chunk: z.array(z.unknown()) })
        .safeParse(answer)
        .data?.chunk.toReversed() ?? []
    );
  }

  async #receive(event: unknown, roomId: string, inbox: ChannelInbox): Promise<void> {
    if (isOfType(event, "m.room.encrypted"))
      this.#context.log.warn("room-is-encrypted", { channel: this.name, roomId });
    if (!isOfType(event, "m.room.message") && !isOfType(event, "m.room.redaction")) return;
    const isGroup = await this.#isGroup(roomId);
    const isOurs = (eventId: string) => this.#sent.has(eventId);
    const options = { roomId, ownId: this.#ownId, isGroup, isOurs };
    const revision = readRevision(event, options);
    if (revision !== undefined) return void (await inbox.revise(revision));
    const message = readMessage(event, options);
    if (message === undefined) return;
    const { file, update } = message;
    const media = file === undefined ? [] : await this.#keep(file, inbox);
    const isTaken = await inbox.receive({ ...update, media });
    const path = `/client/v3/rooms/${encodeURIComponent(roomId)}/receipt/m.read/${encodeURIComponent(update.platformId)}`;
    if (isTaken) void this.#try("POST", path);
  }

  #keep({ name, server, id }: { name: string; server: string; id: string }, inbox: ChannelInbox) {
    const { homeserver } = this.#config;
    const url = `${homeserver.replace(/\/$/, "")}/_matrix/client/v1/media/download/${encodeURIComponent(server)}/${id}`;
    const { log } = this.#context;
    return keepFiles([{ name, url }], { api: this.#api, inbox, log, withCredentials: true });
  }

  async #isGroup(roomId: string): Promise<boolean> {
    const known = this.#groups.get(roomId);
    if (known !== undefined) return known;
    const path = `/client/v3/rooms/${encodeURIComponent(roomId)}/joined_members`;
    // A room that tells us nothing is no private one.
    const answer = await this.#api.call({ method: "GET", path }).catch(passOver);
    const { data } = z.object({ joined: z.record(z.string(), z.unknown()) }).safeParse(answer);
    const isGroup = data === undefined || Object.keys(data.joined).length > 2;
    this.#groups.set(roomId, isGroup);
    forgetOldest(this.#groups);
    return isGroup;
  }

  /** Nice to have: its failure is logged. */
  async #try(method: "POST", path: string): Promise<void> {
    await this.#api.call({ method, path, body: {} }).catch((error: unknown) => {
      this.#context.log.debug("request-failed", { channel: this.name, error });
    });
  }

  /** A server takes a second event with the same key for the first one. */
  async #sendText(part: OutboundPart): Promise<string> {
    const { id, text, draft } = part;
    const isFirst = draft === undefined && part.isUnfinished !== true;
    const sent = await this.#put(part.chatId, isFirst ? id : `${id}:${digest(text)}`, toContent(part));
    return draft ?? sent;
  }

  async #sendFile(part: OutboundPart, path: string, index: number): Promise<void> {
    const filename = basename(path);
    const bytes = await readMedia(path, "Matrix", largestMegabytes);
    const headers = { "content-type": "application/octet-stream" };
    const upload = { method: "POST", path: "/media/v3/upload", query: { filename }, bytes, headers } as const;
    const { content_uri: url } = z.object({ content_uri: z.string() }).parse(await this.#api.call(upload));
    const isVoice = /\.opus$/i.test(filename);
    const isImage = /\.(png|jpe?g|gif|webp)$/i.test(filename);
    const content = {
      msgtype: isVoice ? "m.audio" : isImage ? "m.image" : "m.file",
      ...(isVoice && { "org.matrix.msc3245.voice": {} }),
      body: filename,
      filename,
      url,
      info: { size: bytes.size },
      ...toRelation(part.thread),
    };
    await this.#put(part.chatId, `${part.id}/${index}`, content);
  }

  async #put(roomId: string, key: string, content: object): Promise<string> {
    const [room, transaction] = [roomId, key].map(encodeURIComponent);
    const path = `/client/v3/rooms/${room}/send/m.room.message/${transaction}`;
    const answer = await this.#api.call({ method: "PUT", path, body: content });
    const eventId = z.object({ event_id: z.string() }).parse(answer).event_id;
    this.#sent.add(eventId);
    forgetOldest(this.#sent);
    return eventId;
  }
}

function isOfType(event: unknown, type: string): boolean {
  return (event as { type?: unknown } | null)?.type === type;
}

/** A room that is gone has nothing to tell; anything else is an outage. */
function passOver(error: unknown): undefined {
  if (error instanceof PlatformError && (error.status === 403 || error.status === 404)) return undefined;
  throw error;
}

function isMembership(event: unknown): boolean {
  return isOfType(event, "m.room.member");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

function toMatrixStartError(error: unknown): unknown {
  if (error instanceof PlatformError && error.status === 401)
    return new ChannelSetupError(phrase("channels.matrix-token"));
  return toStartError(error, "Matrix");
}
