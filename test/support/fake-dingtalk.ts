// DingTalk on loopback, as far as the channel speaks it: stream mode with frames that are sent again until they are acknowledged,
// tokens, messages, files. Written after open-dingtalk.github.io/developerpedia/docs/learn/stream/protocol and
// open.dingtalk.com: 获取企业内部应用的accessToken, 批量发送人与机器人会话中机器人消息, 机器人发送群聊消息, 下载机器人接收消息的文件内容.
import type { WebSocket } from "ws";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export async function startFakeDingtalk(): Promise<FakeDingtalk> {
  return new FakeDingtalk().listen();
}

export class FakeDingtalk extends FakePlatform {
  readonly clientId = "dingabc";
  clientSecret = "ding-secret";
  readonly messages: Array<{ to: string; text: string; body: Json }> = [];
  readonly acknowledged: string[] = [];
  readonly #open = new Map<string, Json>();
  #count = 0;

  /** By Ann, in private, unless the message says otherwise. */
  say(content: string, message: Json = {}): string {
    const about = { conversationId: "cidprivate==", conversationType: "1", senderId: "$:LWCP_v1:$x" };
    const person = { senderStaffId: "ann01", senderNick: "Ann", robotCode: this.clientId };
    const said = {
      ...about,
      ...person,
      msgId: `msg${++this.#count}`,
      msgtype: "text",
      text: { content },
      ...message,
    };
    return this.push("/v1.0/im/bot/messages/get", said);
  }

  push(topic: string, data: Json, type = "CALLBACK"): string {
    const messageId = `f${++this.#count}`;
    const headers = { topic, messageId, contentType: "application/json", time: "1" };
    const frame = { specVersion: "1.0", type, headers, data: JSON.stringify(data) };
    if (type === "CALLBACK") this.#open.set(messageId, frame);
    for (const socket of this.sockets) this.send(socket, frame);
    return messageId;
  }

  /** DingTalk moves its connections now and then. */
  move(): void {
    this.push("disconnect", { reason: "persistent connection is timeout" }, "SYSTEM");
  }

  protected greet(socket: WebSocket): void {
    for (const frame of this.#open.values()) this.send(socket, frame);
  }

  protected hear(_: WebSocket, { headers }: Json): void {
    const { messageId } = headers as Json;
    this.#open.delete(String(messageId));
    this.acknowledged.push(String(messageId));
  }

  protected answer({
    path,
    headers,
    body,
    text,
  }: PlatformRequest): { status?: number; body: unknown } | undefined {
    if (path === "/v1.0/gateway/connections/open") {
      if (!this.#isOurs(body.clientId, body.clientSecret))
        return { status: 401, body: { code: "authFailed", message: "鉴权失败" } };
      return { body: { endpoint: `ws://${headers.host}/connect`, ticket: "t1" } };
    }
    if (path === "/v1.0/oauth2/accessToken") {
      if (!this.#isOurs(body.appKey, body.appSecret))
        return {
          status: 400,
          body: { code: "invalidClientIdOrSecret", message: "无效的clientId或者clientSecret" },
        };
      return { body: { accessToken: "at", expireIn: 7200 } };
    }
    if (path === "/media/upload") {
      const name = /filename="([^"]*)"/.exec(text)?.[1];
      return { body: { errcode: 0, media_id: `@${name}`, type: "file" } };
    }
    if (headers["x-acs-dingtalk-access-token"] !== "at")
      return { status: 401, body: { code: "InvalidAuthentication", message: "不合法的access_token" } };
    if (path === "/v1.0/robot/messageFiles/download")
      return { body: { downloadUrl: `http://${headers.host}/files/${body.downloadCode}` } };
    const to = (body.userIds as string[] | undefined)?.[0] ?? body.openConversationId;
    if (to === undefined) return undefined;
    const parameters = JSON.parse(String(body.msgParam)) as Json;
    const file = parameters.photoURL ?? parameters.mediaId;
    this.messages.push({
      to: String(to),
      text: file === undefined ? String(parameters.text) : `[file ${file}]`,
      body,
    });
    return { body: { processQueryKey: `k${this.messages.length}` } };
  }

  #isOurs(id: unknown, secret: unknown): boolean {
    return id === this.clientId && secret === this.clientSecret;
  }
}
