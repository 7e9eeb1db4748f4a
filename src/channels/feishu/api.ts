// Feishu's HTTP interface: calls with a token that is fetched when it is needed and again when Feishu no longer takes it.
import * as z from "zod";
import { ChannelError } from "../../bus/channel.ts";
import { phrase } from "../../i18n/phrase.ts";
import { parseJson } from "../../lib/json-tree.ts";

/** Feishu answered, and not with what was asked for. Its words never hold the secret. */
export class FeishuError extends ChannelError {
  override name = "FeishuError";
  readonly code: number;
  /** When it asks for patience. */
  readonly retryAfterMs: number | undefined;

  constructor(code: number, message: string, retryAfterMs?: number) {
    super(phrase("channels.refused", { platform: "Feishu", quote: `${message.slice(0, 200)} (${code})` }));
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

export interface ApiOptions {
  base: string;
  appId: string;
  appSecret: string;
  fetch: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  now(): number;
}

export interface Call {
  method: "GET" | "POST" | "PATCH";
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
}

/** "frequency limit": of the app, of a chat, of a message. */
const busyCodes = [99991400, 230020, 11232];
/** The token is missing, wrong or too old. */
const tokenCodes = [99991661, 99991663, 99991664, 99991665];
const timeoutMs = 30_000;
const shortestPauseMs = 1_000;

const answerSchema = z.looseObject({ code: z.number(), msg: z.string().default("") });
const tokenSchema = z.object({ tenant_access_token: z.string(), expire: z.number() });

type Answer = z.infer<typeof answerSchema>;

export class FeishuApi {
  readonly #options: ApiOptions;
  #token: { value: Promise<string>; until: number } | undefined;

  constructor(options: ApiOptions) {
    this.#options = options;
  }

  /** The answer with its `data`; throws a FeishuError for any other code than 0. */
  async call(call: Call): Promise<Answer> {
    try {
      return await this.#callOnce(call);
    } catch (error) {
      if (!(error instanceof FeishuError) || !tokenCodes.includes(error.code)) throw error;
      this.#token = undefined;
      return this.#callOnce(call);
    }
  }

  async download(path: string, query: Record<string, string>): Promise<AsyncIterable<Uint8Array>> {
    const response = await this.#request({ method: "GET", path, query }, await this.#findToken());
    const isFile = response.ok && !response.headers.get("content-type")?.includes("application/json");
    if (!isFile || response.body === null) throw new Error(`the file could not be had (${response.status})`);
    return response.body;
  }

  /** Where the long connection is; it is asked for with the secret instead of a token. */
  async findConnection(): Promise<{ url: string; pingMs: number }> {
    const { appId, appSecret } = this.#options;
    const body = { AppID: appId, AppSecret: appSecret };
    const answer = await this.#read(
      await this.#request({ method: "POST", path: "/callback/ws/endpoint", body }),
    );
    const { data } = connectionSchema.parse(answer);
    return { url: data.URL, pingMs: Math.max(1, data.ClientConfig.PingInterval) * 1000 };
  }

  async #callOnce(call: Call): Promise<Answer> {
    return this.#read(await this.#request(call, await this.#findToken()));
  }

  /** One request for all who need it at the same time. */
  #findToken(): Promise<string> {
    const { now } = this.#options;
    if (this.#token === undefined || now() >= this.#token.until) {
      const token = { value: Promise.resolve(""), until: Number.POSITIVE_INFINITY };
      token.value = this.#fetchToken().then(
        ({ tenant_access_token: value, expire }) => {
          // A little before it ends, so that no call meets its end.
          token.until = now() + Math.max(0, expire - 300) * 1000;
          return value;
        },
        (error: unknown) => {
          if (this.#token === token) this.#token = undefined;
          throw error;
        },
      );
      this.#token = token;
    }
    return this.#token.value;
  }

  async #fetchToken(): Promise<z.infer<typeof tokenSchema>> {
    const { appId, appSecret } = this.#options;
    const path = "/open-apis/auth/v3/tenant_access_token/internal";
    const body = { app_id: appId, app_secret: appSecret };
    return tokenSchema.parse(await this.#read(await this.#request({ method: "POST", path, body })));
  }

  #request({ method, path, query, body, form }: Call, token?: string): Promise<Response> {
    const url = new URL(`${this.#options.base.replace(/\/$/, "")}${path}`);
    for (const [key, value] of Object.entries(query ?? {})) url.searchParams.set(key, value);
    const json = body === undefined ? undefined : JSON.stringify(body);
    const sent = form ?? json;
    return this.#options.fetch(url, {
      method,
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { "content-type": "application/json; charset=utf-8" }),
      },
      ...(sent !== undefined && { body: sent }),
      signal: AbortSignal.timeout(timeoutMs),
    });
  }

  async #read(response: Response): Promise<Answer> {
    const { success, data: answer } = answerSchema.safeParse(parseJson(await response.text()));
    const { status } = response;
    if (!success) throw new ChannelError(phrase("channels.odd-answer", { platform: "Feishu", status }));
    if (answer.code === 0) return answer;
    const isBusy = busyCodes.includes(answer.code) || status === 429;
    const seconds = Number(response.headers.get("x-ogw-ratelimit-reset") ?? 0);
    const wait = isBusy ? Math.max(shortestPauseMs, seconds * 1000 || 0) : undefined;
    throw new FeishuError(answer.code, this.#hide(answer.msg), wait);
  }

  #hide(text: string): string {
    return text.replaceAll(this.#options.appSecret, "***");
  }
}

const connectionSchema = z.object({
  data: z.object({
    URL: z.url({ protocol: /^wss?$/ }),
    ClientConfig: z.object({ PingInterval: z.number().default(120) }).default({ PingInterval: 120 }),
  }),
});
