// WhatsApp, by Meta's Cloud API: messages come as signed requests to the gateway's port and are acknowledged once they are
// stored; Meta repeats what was not, for days. Everything else goes over HTTP.
import { createHmac, timingSafeEqual } from "node:crypto";
import { basename } from "node:path";
import * as z from "zod";
import { type Channel, type ChannelInbox, ChannelSetupError, SendError } from "../../bus/channel.ts";
import type { Button, OutboundPart, Sent } from "../../bus/types.ts";
import { phrase } from "../../i18n/phrase.ts";
import { untilAborted } from "../../lib/abort.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { type ChannelContext, defineChannel } from "../channel-kind.ts";
import {
  keepFiles,
  PlatformApi,
  PlatformError,
  readMedia,
  toSendError,
  toStartError,
} from "../platform-api.ts";
import { readMessages, type WhatsappMessage } from "./message.ts";

const schema = z.object({
  phoneNumberId: z.coerce.string().regex(/^\d+$/).describe("Phone number ID, from the Meta developer page"),
  accessToken: z.string().min(1).describe("Permanent access token of a system user"),
  appSecret: z.string().min(1).describe("App secret: requests are checked with it"),
  verifyToken: z.string().min(8).describe("A word of your choice that you also enter at Meta"),
  apiBase: z.url().default("https://graph.facebook.com/v23.0").describe("Another address of the API"),
});

export type WhatsappConfig = z.infer<typeof schema>;

const ownSchema = z.object({
  verified_name: z.string().optional(),
  display_phone_number: z.string().optional(),
});
const errorSchema = z.object({ error: z.object({ code: z.number(), message: z.string().default("") }) });
const aliveMs = 100_000;
/** Meta repeats for so long; what is older was recorded and sent again. */
const replayMs = 7 * 24 * 60 * 60_000;
const outsideWindow = [131_047, 470];
const tokenErrors = [0, 10, 190, 200];
const limits = [4, 80_007, 130_429, 131_048, 131_056, 133_016];
const largestMegabytes = 16;
const kinds: Array<[RegExp, string]> = [
  [/\.(png|jpe?g)$/i, "image"],
  [/\.(mp4|3gp)$/i, "video"],
  [/\.(ogg|opus|mp3|m4a|aac|amr)$/i, "audio"],
];

export const whatsapp = defineChannel<WhatsappConfig>({
  schema,
  create: (config, context) => new Whatsapp(config, context),
  check: (config, context, signal) => untilAborted(new Whatsapp(config, context).check(), signal),
});

class Whatsapp implements Channel {
  readonly name = "whatsapp";
  readonly capabilities = {
    format: "plain",
    maxTextLength: 4_000,
    markup: "plain",
    streaming: "none",
    media: true,
    typing: false,
    canAsk: true,
    voice: true,
    revisions: ["edits", "deletions"],
    buttons: true,
  } as const;
  readonly http = { path: "/channels/whatsapp", handle: (request: Request) => this.#answer(request) };
  readonly #config: WhatsappConfig;
  readonly #context: ChannelContext;
  readonly #api: PlatformApi;
  #inbox: ChannelInbox | undefined;

  constructor(config: WhatsappConfig, context: ChannelContext) {
    this.#config = config;
    this.#context = context;
    const { accessToken, appSecret, verifyToken } = config;
    this.#api = new PlatformApi({
      platform: "WhatsApp",
      base: config.apiBase,
      fetch: context.fetch,
      headers: () => ({ authorization: `Bearer ${accessToken}` }),
      secrets: [accessToken, appSecret, verifyToken],
    });
  }

  async check(): Promise<string> {
    try {
      const fields = "verified_name,display_phone_number";
      const path = `/${this.#config.phoneNumberId}`;
      const own = ownSchema.parse(await this.#api.call({ method: "GET", path, query: { fields } }));
      return own.display_phone_number ?? own.verified_name ?? this.#config.phoneNumberId;
    } catch (error) {
      throw toWhatsappStartError(error);
    }
  }

  /** There is no connection to hold: the platform is asked now and then whether it still knows us. */
  async start(inbox: ChannelInbox, signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await untilAborted(this.check(), signal);
        inbox.reportAlive();
        this.#inbox = inbox;
        await this.#context.clock.sleep(aliveMs, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      this.#inbox = undefined;
    }
  }

  async send(part: OutboundPart): Promise<Sent> {
    // Nothing can be edited here: a question stays as it was asked.
    if (part.draft !== undefined) return { platformId: part.draft };
    try {
      const platformId = part.text.trim() === "" ? undefined : await this.#post(part.chatId, toMessage(part));
      for (const path of part.media) await this.#sendFile(part.chatId, path);
      return platformId === undefined ? {} : { platformId };
    } catch (error) {
      throw toWhatsappSendError(error);
    }
  }

  async #answer(request: Request): Promise<Response> {
    if (request.method === "GET") return this.#prove(new URL(request.url).searchParams);
    const body = await request.text();
    if (!this.#isSigned(body, request.headers.get("x-hub-signature-256") ?? "")) return reply(401);
    const inbox = this.#inbox;
    // Not running: it comes again.
    if (inbox === undefined) return reply(503);
    const { clock, log } = this.#context;
    for (const message of readMessages(parseJson(body), this.#config.phoneNumberId)) {
      if (Math.abs(clock.now() - message.sentAt) > replayMs)
        log.warn("message-too-old", { channel: this.name });
      else await this.#receive(message, inbox);
    }
    return reply(200);
  }

  /** Meta asks once whether the address is ours. */
  #prove(query: URLSearchParams): Response {
    const isOurs = isSame(query.get("hub.verify_token") ?? "", this.#config.verifyToken);
    const challenge = query.get("hub.challenge") ?? "";
    return isOurs && /^[\w-]{1,100}$/.test(challenge) ? new Response(challenge) : reply(403);
  }

  #isSigned(body: string, signature: string): boolean {
    const expected = createHmac("sha256", this.#config.appSecret).update(body).digest("hex");
    return isSame(signature, `sha256=${expected}`);
  }

  async #receive({ update, press, file, revision }: WhatsappMessage, inbox: ChannelInbox): Promise<void> {
    if (revision !== undefined) return void (await inbox.revise(revision));
    if (press !== undefined) {
      await inbox.choose(press);
      return;
    }
    const media = file === undefined ? [] : await this.#keep(file, inbox);
    if (update.text === "" && media.length === 0) return;
    const isTaken = await inbox.receive({ ...update, media });
    const read = { messaging_product: "whatsapp", status: "read", message_id: update.platformId };
    const path = `/${this.#config.phoneNumberId}/messages`;
    if (isTaken) void this.#api.call({ method: "POST", path, body: read }).catch(() => {});
  }

  async #keep({ id, name }: { id: string; name: string }, inbox: ChannelInbox): Promise<string[]> {
    const answer = await this.#api
      .call({ method: "GET", path: `/${encodeURIComponent(id)}` })
      .catch(() => undefined);
    const { data } = z.object({ url: z.string() }).safeParse(answer);
    const files = data === undefined ? [] : [{ name, url: data.url }];
    return keepFiles(files, { api: this.#api, inbox, log: this.#context.log, withCredentials: true });
  }

  async #post(to: string, message: object): Promise<string> {
    const path = `/${this.#config.phoneNumberId}/messages`;
    const body = { messaging_product: "whatsapp", recipient_type: "individual", to, ...message };
    const answer = await this.#api.call({ method: "POST", path, body });
    return (
      z.object({ messages: z.array(z.object({ id: z.string() })).min(1) }).parse(answer).messages[0]?.id ?? ""
    );
  }

  async #sendFile(to: string, path: string): Promise<void> {
    const filename = basename(path);
    const type = kinds.find(([pattern]) => pattern.test(filename))?.[1] ?? "document";
    const form = new FormData();
    form.set("messaging_product", "whatsapp");
    form.set("file", await readMedia(path, "WhatsApp", largestMegabytes), filename);
    const upload = `/${this.#config.phoneNumberId}/media`;
    const { id } = z
      .object({ id: z.string() })
      .parse(await this.#api.call({ method: "POST", path: upload, form }));
    await this.#post(to, { type, [type]: { id, ...(type === "document" && { filename }) } });
  }
}

/** At most three buttons fit below a text; more are a list. */
function toMessage({ text, question }: OutboundPart): object {
  const { buttons = [] } = question ?? {};
  if (buttons.length === 0 || buttons.length > 10)
    return { type: "text", text: { body: text, preview_url: false } };
  const body = { text: text.slice(0, 1_024) };
  if (buttons.length > 3) {
    const action = {
      button: "…",
      sections: [{ title: "…", rows: buttons.map((button) => toRow(button, 24)) }],
    };
    return { type: "interactive", interactive: { type: "list", body, action } };
  }
  const action = { buttons: buttons.map((button) => ({ type: "reply", reply: toRow(button, 20) })) };
  return { type: "interactive", interactive: { type: "button", body, action } };
}

function toRow({ token, label }: Button, longest: number) {
  return { id: token, title: label.length > longest ? `${label.slice(0, longest - 1)}…` : label };
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHmac("sha256", "compare").update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}

function reply(status: number): Response {
  return new Response(null, { status });
}

function codeOf(error: PlatformError): number | undefined {
  return errorSchema.safeParse(error.answer).data?.error.code;
}

function quoteOf(error: PlatformError): string {
  return errorSchema.safeParse(error.answer).data?.error.message.slice(0, 200) ?? error.quote;
}

function toWhatsappStartError(error: unknown): unknown {
  if (error instanceof PlatformError && (error.status === 401 || tokenErrors.includes(codeOf(error) ?? -1)))
    return new ChannelSetupError(phrase("channels.whatsapp-token", { quote: quoteOf(error) }));
  return toStartError(error, "WhatsApp");
}

function toWhatsappSendError(error: unknown): Error {
  if (!(error instanceof PlatformError)) return toSendError(error, "WhatsApp", () => false);
  const code = codeOf(error) ?? -1;
  if (outsideWindow.includes(code))
    return new SendError(phrase("channels.whatsapp-window"), { isPermanent: true });
  const said = phrase("channels.refused", { platform: "WhatsApp", quote: quoteOf(error) });
  if (limits.includes(code)) return new SendError(said, { retryAfterMs: error.retryAfterMs ?? 5_000 });
  const isPermanent = error.status < 500 && error.status !== 429 && !tokenErrors.includes(code);
  return new SendError(said, {
    isPermanent,
    ...(error.retryAfterMs && { retryAfterMs: error.retryAfterMs }),
  });
}
