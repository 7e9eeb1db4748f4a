// Requests to a platform over HTTP: JSON both ways, files in forms, limits, and what its answers mean for the manager.
// Knows no platform; a channel says which of its errors are final.
import { basename } from "node:path";
import { ChannelError, type ChannelInbox, SendError } from "../bus/channel.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { isRecord } from "../lib/is-record.ts";
import { parseJson } from "../lib/json-tree.ts";
import type { Log } from "../lib/log.ts";
import { isLoopbackHost } from "../lib/network/ip-address.ts";
import { readWithin } from "../storage/files/with-file.ts";

export interface PlatformCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Below the base, or a whole address. */
  path: string;
  query?: Record<string, string>;
  body?: unknown;
  form?: FormData;
  bytes?: Blob;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface PlatformApiOptions {
  /** As people call it. */
  platform: string;
  base: string;
  fetch: typeof globalThis.fetch;
  headers(): Record<string, string>;
  /** Never part of an error. */
  secrets: readonly string[];
}

/** The platform answered, and not with what was asked for. */
export class PlatformError extends Error {
  override name = "PlatformError";
  readonly platform: string;
  readonly status: number;
  /** As the platform says it, bounded and without secrets. */
  readonly quote: string;
  readonly answer: unknown;
  readonly retryAfterMs: number | undefined;

  constructor(platform: string, { status, quote, answer, retryAfterMs }: Refusal) {
    super(`${platform}: ${status} ${quote}`);
    this.platform = platform;
    this.status = status;
    this.quote = quote;
    this.answer = answer;
    this.retryAfterMs = retryAfterMs;
  }
}

interface Refusal {
  status: number;
  quote: string;
  answer: unknown;
  retryAfterMs?: number | undefined;
}

const timeoutMs = 60_000;
const longestQuote = 300;
const shortestPauseMs = 1_000;

export class PlatformApi {
  readonly #options: PlatformApiOptions;

  constructor(options: PlatformApiOptions) {
    this.#options = options;
  }

  get platform(): string {
    return this.#options.platform;
  }

  /** The answer as JSON; undefined where there is none. */
  async call(call: PlatformCall): Promise<unknown> {
    const response = await this.#request(call);
    const answer = parseJson(await response.text());
    if (response.ok) return answer;
    const wait = response.status === 429 ? findWait(response, answer) : undefined;
    throw this.refuse({ status: response.status, answer, quote: findMessage(answer), retryAfterMs: wait });
  }

  /** For a platform that says in its answer that it did not do what it was asked. */
  refuse({ quote, ...refusal }: Refusal): PlatformError {
    const { platform, secrets } = this.#options;
    const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, "***"), quote);
    return new PlatformError(platform, { ...refusal, quote: hidden.slice(0, longestQuote) });
  }

  /** Only over an encrypted connection, or on this machine. Our credentials go to the platform's own address alone. */
  async download(address: string, { withCredentials = false } = {}): Promise<AsyncIterable<Uint8Array>> {
    const { protocol, hostname } = new URL(address, this.#options.base);
    if (protocol !== "https:" && !isLoopbackHost(hostname)) throw new Error("the file is not offered safely");
    const response = await this.#request({ method: "GET", path: address }, withCredentials);
    if (!response.ok || response.body === null)
      throw new Error(`the file could not be had (${response.status})`);
    return response.body;
  }

  #request(call: PlatformCall, withCredentials = true): Promise<Response> {
    const { base, fetch, headers } = this.#options;
    const { method, path, query = {}, body, form, bytes, signal } = call;
    const url = /^https?:/.test(path) ? new URL(path) : new URL(`${base.replace(/\/$/, "")}${path}`);
    for (const [key, value] of Object.entries(query)) url.searchParams.set(key, value);
    const json = body === undefined ? undefined : JSON.stringify(body);
    const sent = form ?? bytes ?? json;
    const limit = AbortSignal.timeout(timeoutMs);
    return fetch(url, {
      method,
      headers: {
        ...(withCredentials && headers()),
        ...(json !== undefined && { "content-type": "application/json; charset=utf-8" }),
        ...call.headers,
      },
      ...(sent !== undefined && { body: sent }),
      signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
    });
  }
}

/** Seconds, in the answer or the header. */
function findWait(response: Response, answer: unknown): number {
  const retryAfter = isRecord(answer) ? Number(answer.retry_after ?? Number.NaN) : Number.NaN;
  const milliseconds = isRecord(answer) ? Number(answer.retry_after_ms ?? Number.NaN) : Number.NaN;
  const seconds = Number.isFinite(retryAfter)
    ? retryAfter
    : Number(response.headers.get("retry-after") ?? Number.NaN);
  const wait = Number.isFinite(milliseconds) ? milliseconds : seconds * 1000;
  return Number.isFinite(wait) ? Math.max(1, wait) : shortestPauseMs;
}

function findMessage(answer: unknown): string {
  if (!isRecord(answer)) return "";
  const { message, error, errmsg } = answer;
  const sentence = [message, error, errmsg].find((each) => typeof each === "string");
  return typeof sentence === "string" ? sentence : JSON.stringify(answer);
}

/** `isFinal`: trying again is no use. Anything that is no answer of the platform is an outage. */
export function toSendError(
  error: unknown,
  platform: string,
  isFinal: (refusal: PlatformError) => boolean,
): Error {
  if (error instanceof ChannelError) return error;
  if (!(error instanceof PlatformError))
    return new ChannelError(phrase("channels.unreachable", { platform }));
  const { retryAfterMs } = error;
  return new SendError(describe(error), {
    isPermanent: retryAfterMs === undefined && isFinal(error),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  });
}

/** Why a connection was not made, for `start` and `check`. Trouble with our own disk is passed on as it is. */
export function toStartError(error: unknown, platform: string): unknown {
  if (error instanceof ChannelError || isOurs(error)) return error;
  if (!(error instanceof PlatformError))
    return new ChannelError(phrase("channels.unreachable", { platform }));
  return new ChannelError(describe(error));
}

function describe({ platform, quote, status }: PlatformError): Phrase {
  if (quote === "") return phrase("channels.odd-answer", { platform, status });
  return phrase("channels.refused", { platform, quote });
}

/** What was said could not be stored, such as on a full disk: the platform is not to blame. */
export function isOurs(error: unknown): boolean {
  const { errcode, code } = error as { errcode?: number; code?: string };
  return errcode !== undefined || code === "ENOSPC" || code === "EROFS";
}

/** Whole, because what is only opened for a form stays open when the upload breaks off. */
export async function readMedia(path: string, platform: string, megabytes: number): Promise<Blob> {
  const file = basename(path);
  const bytes = await readWithin(path, megabytes * 1024 * 1024).catch((error) => {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    throw new SendError(phrase("channels.file-unreadable", { file }), { isPermanent: true });
  });
  if (bytes !== undefined) return new Blob([new Uint8Array(bytes)]);
  const limit = { platform, megabytes };
  throw new SendError(phrase("channels.file-too-large", { file, ...limit }), { isPermanent: true });
}

export interface PlatformFile {
  name: string;
  url: string;
}

export interface KeepOptions {
  api: PlatformApi;
  inbox: ChannelInbox;
  log: Log;
  /** The platform wants our credentials for its files. */
  withCredentials?: boolean;
}

/** A file that cannot be had is no reason to lose the words that came with it. */
export async function keepFiles(files: PlatformFile[], options: KeepOptions): Promise<string[]> {
  const { api, inbox, log, withCredentials = false } = options;
  const keep = async ({ name, url }: PlatformFile) => {
    try {
      return await inbox.keep({ name, bytes: await api.download(url, { withCredentials }) });
    } catch (error) {
      if (isOurs(error)) throw error;
      log.warn("attachment-not-kept", { channel: api.platform.toLowerCase(), name: name.slice(-80) });
      return undefined;
    }
  };
  return (await Promise.all(files.map(keep))).filter((path) => path !== undefined);
}
