// Slack on loopback, as far as the channel speaks it: Socket Mode with envelopes that are sent again until they are
// acknowledged, messages, edits, files. Written after docs.slack.dev: Socket Mode, chat.postMessage, files, block_actions.
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export interface FakeSlackMessage {
  ts: string;
  channel: string;
  text: string;
  body: Json;
  edits: number;
  at: number;
}

export async function startFakeSlack(): Promise<FakeSlack> {
  return new FakeSlack().listen();
}

export class FakeSlack extends FakePlatform {
  readonly botToken = "xoxb-fake";
  readonly appToken = "xapp-fake";
  readonly botId = "UBOT";
  readonly messages: FakeSlackMessage[] = [];
  readonly acknowledged: string[] = [];
  readonly reactions: Json[] = [];
  readonly #open = new Map<string, Json>();
  #count = 0;

  /** By Ann, in private, unless the event says otherwise. Gives the envelope's id. */
  say(text: string, event: Json = {}): string {
    const ts = `1700000000.${String(++this.#count).padStart(6, "0")}`;
    const said = { type: "message", channel: "D1", channel_type: "im", user: "U42", text, ts, ...event };
    return this.push("events_api", { event: said });
  }

  push(type: string, payload: Json): string {
    const id = `env-${++this.#count}`;
    const envelope = { type, envelope_id: id, payload };
    this.#open.set(id, envelope);
    for (const socket of this.sockets) this.send(socket, envelope);
    return id;
  }

  /** Slack moves its connections now and then. */
  move(): void {
    for (const socket of this.sockets) this.send(socket, { type: "disconnect", reason: "refresh_requested" });
  }

  protected greet(socket: WebSocket): void {
    this.send(socket, { type: "hello" });
    for (const envelope of this.#open.values()) this.send(socket, envelope);
  }

  protected hear(_: WebSocket, { envelope_id: id }: Json): void {
    this.#open.delete(String(id));
    this.acknowledged.push(String(id));
  }

  protected answer(request: PlatformRequest): { status?: number; body: unknown } | undefined {
    const { path, headers, body } = request;
    const method = path.slice(1);
    if (method === "upload") return { body: {} };
    const token = method === "apps.connections.open" ? this.appToken : this.botToken;
    if (headers.authorization !== `Bearer ${token}`) return { body: { ok: false, error: "invalid_auth" } };
    if (method === "auth.test") return { body: { ok: true, user_id: this.botId, user: "nano" } };
    if (method === "apps.connections.open") return { body: { ok: true, url: `ws://${headers.host}/link` } };
    if (method === "users.info") return { body: { ok: true, user: { name: "ann", real_name: "Ann" } } };
    if (method === "chat.postMessage") return { body: this.#keep(body) };
    if (method === "chat.update") return { body: this.#edit(body) };
    if (method === "files.getUploadURLExternal")
      return { body: { ok: true, upload_url: `http://${headers.host}/upload`, file_id: "F1" } };
    if (method === "files.completeUploadExternal") return { body: this.#complete(body) };
    if (method === "reactions.add") this.reactions.push(body);
    return { body: { ok: true } };
  }

  #keep(body: Json): Json {
    const ts = `1700000001.${String(this.messages.length + 1).padStart(6, "0")}`;
    this.messages.push({
      ts,
      channel: String(body.channel),
      text: String(body.text),
      body,
      edits: 0,
      at: performance.now(),
    });
    return { ok: true, ts };
  }

  #complete(body: Json): Json {
    const [file] = body.files as Array<{ title: string }>;
    this.#keep({ channel: body.channel_id, text: `[file ${file?.title}]`, ...body });
    return { ok: true };
  }

  #edit(body: Json): Json {
    const message = this.messages.find(({ ts }) => ts === body.ts);
    if (message === undefined) return { ok: false, error: "message_not_found" };
    Object.assign(message, { text: String(body.text), body, edits: message.edits + 1 });
    return { ok: true, ts: message.ts };
  }
}
