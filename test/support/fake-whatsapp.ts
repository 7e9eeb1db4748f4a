// WhatsApp's Cloud API on loopback, as far as the channel speaks it: signed requests that are repeated until they are answered
// with 200, messages, buttons, media. Written after developers.facebook.com/docs/whatsapp/cloud-api: Webhooks (Payload examples,
// Components), Messages, Interactive reply buttons, Media, Error codes.
import { createHmac } from "node:crypto";
import { FakePlatform, type Json, type PlatformRequest } from "./fake-platform.ts";

export async function startFakeWhatsapp(): Promise<FakeWhatsapp> {
  return new FakeWhatsapp().listen();
}

export class FakeWhatsapp extends FakePlatform {
  readonly phoneNumberId = "1066";
  accessToken = "EAAfake";
  readonly appSecret = "app-secret";
  readonly messages: Array<{ to: string; text: string; body: Json }> = [];
  readonly #uploads = new Map<string, string>();
  #count = 0;

  /** The request about a message of Ann, signed; and its headers. */
  toRequest(text: string, message: Json = {}, secret = this.appSecret): Request {
    const id = `wamid.${++this.#count}`;
    const timestamp = String(Math.floor(Date.now() / 1000));
    const said = { from: "4930123", id, timestamp, type: "text", text: { body: text }, ...message };
    const metadata = { display_phone_number: "4930999", phone_number_id: this.phoneNumberId };
    const contacts = [{ profile: { name: "Ann" }, wa_id: "4930123" }];
    const value = { messaging_product: "whatsapp", metadata, contacts, messages: [said] };
    const entry = [{ id: "0", changes: [{ field: "messages", value }] }];
    const body = JSON.stringify({ object: "whatsapp_business_account", entry });
    const signature = createHmac("sha256", secret).update(body).digest("hex");
    const headers = { "content-type": "application/json", "x-hub-signature-256": `sha256=${signature}` };
    return new Request("http://gateway.invalid/channels/whatsapp", { method: "POST", headers, body });
  }

  protected greet(): void {}
  protected hear(): void {}

  protected answer(request: PlatformRequest): { status?: number; body: unknown } | undefined {
    const { method, path, headers, body, text } = request;
    if (headers.authorization !== `Bearer ${this.accessToken}`)
      return {
        status: 401,
        body: { error: { message: "Invalid OAuth access token", type: "OAuthException", code: 190 } },
      };
    if (method === "GET" && path === `/${this.phoneNumberId}`)
      return { body: { verified_name: "Nano", display_phone_number: "+49 30 999", id: this.phoneNumberId } };
    if (method === "GET")
      return { body: { url: `http://${headers.host}/files${path}`, mime_type: "text/plain" } };
    if (path.endsWith("/media")) {
      const id = `up${this.#uploads.size + 1}`;
      this.#uploads.set(id, /filename="([^"]*)"/.exec(text)?.[1] ?? "");
      return { body: { id } };
    }
    if (body.status === "read") return { body: { success: true } };
    const type = String(body.type);
    const content = body[type] as Json;
    const shown = type === "interactive" ? (content.body as Json).text : content.body;
    const file = this.#uploads.get(String(content.id));
    this.messages.push({
      to: String(body.to),
      text: file === undefined ? String(shown) : `[file ${file}]`,
      body,
    });
    return {
      body: { messaging_product: "whatsapp", messages: [{ id: `wamid.out${this.messages.length}` }] },
    };
  }
}
