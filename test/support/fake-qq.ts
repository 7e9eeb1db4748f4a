// QQ's bot platform on loopback, as far as the channel speaks it: tokens, the gateway with sessions that can be resumed, messages
// with msg_id and msg_seq, files. Written after bot.q.qq.com/wiki/develop/api-v2: 接口调用与鉴权, 事件订阅与通知, 发送消息, 富媒体消息.
import type { IncomingMessage } from "node:http";
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export async function startFakeQq(): Promise<FakeQq> {
  return new FakeQq().listen();
}

export class FakeQq extends FakePlatform {
  readonly appId = "1020";
  secret = "qq-secret";
  readonly messages: Array<{ place: string; text: string; body: Json }> = [];
  /** How sessions began: `identify`, or `resume:<sequence>`. */
  readonly beginnings: string[] = [];
  readonly #events: Json[] = [];
  readonly #keys = new Set<string>();
  #host = "";

  /** By Ann, in private, unless the message says otherwise. */
  say(content: string, message: Json = {}): void {
    const id = `ROBOT1.0_${this.#events.length}`;
    const isGroup = message.group_openid !== undefined;
    const author = isGroup ? { member_openid: "ANN" } : { user_openid: "ANN" };
    const name = isGroup ? "GROUP_AT_MESSAGE_CREATE" : "C2C_MESSAGE_CREATE";
    this.push(name, { id, author, content, timestamp: "2026-01-01T00:00:00+08:00", ...message });
  }

  push(name: string, data: Json): void {
    const event = { op: 0, t: name, s: this.#events.length + 2, d: data };
    this.#events.push(event);
    for (const socket of this.sockets) this.send(socket, event);
  }

  drop(code = 4008): void {
    for (const socket of this.sockets) socket.close(code);
  }

  protected greet(socket: WebSocket, { headers }: IncomingMessage): void {
    this.#host = String(headers.host);
    this.send(socket, { op: 10, d: { heartbeat_interval: 41_250 } });
  }

  protected hear(socket: WebSocket, { op, d }: Json): void {
    const data = (d ?? {}) as Json;
    if (op === 1) this.send(socket, { op: 11 });
    else if (op === 2 && data.token !== `QQBot ${this.#token}`) socket.close(4004);
    else if (op === 2) {
      this.beginnings.push("identify");
      this.send(socket, {
        op: 0,
        t: "READY",
        s: 1,
        d: { session_id: "s1", user: { id: "1", username: "nano" } },
      });
    } else if (op === 6) {
      this.beginnings.push(`resume:${data.seq}`);
      for (const event of this.#events) if (Number(event.s) > Number(data.seq)) this.send(socket, event);
      this.send(socket, { op: 0, t: "RESUMED", s: this.#events.length + 2, d: "" });
    }
  }

  protected answer({ path, headers, body }: PlatformRequest): { status?: number; body: unknown } | undefined {
    if (path === "/app/getAppAccessToken") {
      const isKnown = body.appId === this.appId && body.clientSecret === this.secret;
      return {
        body: isKnown
          ? { access_token: this.#token, expires_in: "7200" }
          : { code: 100007, message: "invalid appid or secret" },
      };
    }
    if (headers.authorization !== `QQBot ${this.#token}`)
      return { status: 401, body: { message: "token not exist or expire", code: 11244 } };
    if (path === "/gateway") return { body: { url: `ws://${headers.host ?? this.#host}/websocket` } };
    if (path === "/users/@me") return { body: { id: "1", username: "nano" } };
    if (path.endsWith("/files"))
      return { body: { file_uuid: "u", file_info: `info-${body.file_type}`, ttl: 60 } };
    return path.endsWith("/messages") ? this.#keep(path, body) : undefined;
  }

  get #token(): string {
    return `token-of-${this.secret}`;
  }

  #keep(path: string, body: Json): { status?: number; body: unknown } {
    const key = `${body.msg_id}/${body.msg_seq}`;
    if (body.msg_id !== undefined && this.#keys.has(key))
      return { status: 400, body: { message: "消息被去重，请检查请求msgseq", code: 40054005 } };
    this.#keys.add(key);
    const media = body.media as Json | undefined;
    const text =
      media === undefined
        ? String(body.content ?? (body.markdown as Json)?.content)
        : `[file ${media.file_info}]`;
    this.messages.push({ place: path, text, body });
    return { body: { id: `out${this.messages.length}`, timestamp: 1 } };
  }
}
