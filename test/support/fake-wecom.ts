// WeCom's long connection on loopback, as far as the channel speaks it: subscribing, pings, messages both ways, encrypted files.
// Written after developer.work.weixin.qq.com/document/path/101463 (智能机器人长连接) path/100719 (接收消息), and
// the platform's own @wecom/aibot-node-sdk 1.0.7 (uploads).
import { createCipheriv, createHash } from "node:crypto";
import type { WebSocket } from "ws";
import { FakePlatform, type Json } from "./fake-platform.ts";

export async function startFakeWecom(): Promise<FakeWecom> {
  return new FakeWecom().listen();
}

export class FakeWecom extends FakePlatform {
  readonly botId = "aib1";
  secret = "wecom-secret";
  readonly messages: Array<{ chatId: string; text: string; body: Json }> = [];
  readonly aesKey = Buffer.alloc(32, 7);
  /** What the next messages are answered with: an error, nothing before it was taken, or nothing after. */
  readonly failures: Array<{ errcode: number; errmsg: string } | "before" | "after"> = [];
  #subscribed = new Set<WebSocket>();
  #count = 0;
  readonly #uploads = new Map<string, { about: Json; bytes: Buffer }>();

  get isSubscribed(): boolean {
    return this.#subscribed.size > 0;
  }

  /** By Ann, in private, unless the message says otherwise. */
  say(content: string, message: Json = {}): void {
    const about = {
      msgid: `m${++this.#count}`,
      aibotid: this.botId,
      chattype: "single",
      from: { userid: "ann" },
    };
    this.push("aibot_msg_callback", { ...about, msgtype: "text", text: { content }, ...message });
  }

  push(cmd: string, body: Json): void {
    for (const socket of this.#subscribed)
      this.send(socket, { cmd, headers: { req_id: `r${++this.#count}` }, body });
  }

  encrypt(text: string): Buffer {
    const padding = 32 - (Buffer.byteLength(text) % 32);
    const cipher = createCipheriv("aes-256-cbc", this.aesKey, this.aesKey.subarray(0, 16)).setAutoPadding(
      false,
    );
    return Buffer.concat([
      cipher.update(Buffer.concat([Buffer.from(text), Buffer.alloc(padding, padding)])),
      cipher.final(),
    ]);
  }

  /** The secret was changed, and everyone has to subscribe again. */
  revoke(): void {
    this.secret = "another";
    for (const socket of this.sockets) socket.close();
  }

  protected greet(socket: WebSocket): void {
    socket.on("close", () => this.#subscribed.delete(socket));
  }

  protected hear(socket: WebSocket, { cmd, headers, body }: Json): void {
    const about = (body ?? {}) as Json;
    const reply = (errcode: number, errmsg: string, answer?: Json) =>
      this.send(socket, { headers, errcode, errmsg, ...(answer && { body: answer }) });
    if (cmd === "aibot_subscribe") {
      if (about.bot_id !== this.botId || about.secret !== this.secret)
        reply(853000, "invalid bot_id or secret");
      else {
        this.#subscribed.add(socket);
        reply(0, "ok");
      }
    } else if (cmd === "aibot_send_msg") this.#keep(about, socket, reply);
    else if (cmd === "aibot_upload_media_init") {
      this.#uploads.set("up1", { about, bytes: Buffer.alloc(0) });
      reply(0, "ok", { upload_id: "up1" });
    } else if (cmd === "aibot_upload_media_chunk") {
      const upload = this.#uploads.get(String(about.upload_id));
      if (upload)
        upload.bytes = Buffer.concat([upload.bytes, Buffer.from(String(about.base64_data), "base64")]);
      reply(upload ? 0 : 40_007, upload ? "ok" : "invalid upload_id");
    } else if (cmd === "aibot_upload_media_finish") {
      const { about: told = {}, bytes = Buffer.alloc(0) } = this.#uploads.get(String(about.upload_id)) ?? {};
      const isWhole = told.md5 === createHash("md5").update(bytes).digest("hex");
      reply(isWhole ? 0 : 40_007, isWhole ? "ok" : "md5 differs", { media_id: String(told.filename) });
    } else reply(0, "ok");
  }

  #keep(body: Json, socket: WebSocket, reply: (errcode: number, errmsg: string) => void): void {
    const failure = this.failures.shift();
    const isTaken = failure === undefined || failure === "after";
    const [shown = {}] = [body.markdown, body.file, body.image].filter(
      (each) => each !== undefined,
    ) as Json[];
    const text = String(shown.content ?? `[file ${shown.media_id}]`);
    if (isTaken) this.messages.push({ chatId: String(body.chatid), text, body });
    if (failure === undefined) reply(0, "ok");
    else if (typeof failure === "object") reply(failure.errcode, failure.errmsg);
    else socket.terminate();
  }

  protected answer(): undefined {}
}
