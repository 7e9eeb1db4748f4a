// Signing in to a model host with a subscription instead of a key: what a host's way to do it has to offer, and the small
// steps that they share. Knows no store and no surface.
import { createHash, randomBytes } from "node:crypto";
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";

/** What is stored. */
export interface Tokens {
  /** Sent with requests. */
  access: string;
  /** With which another one is had. */
  refresh: string;
  /** Milliseconds since 1970; then `access` is worth nothing. */
  expiresAt: number;
  /** Of the subscription, where the host wants it in each request. */
  account?: string;
}

/** A code that a person types on a page of the host. */
export interface DeviceCode {
  url: string;
  code: string;
  intervalMs: number;
  expiresAt: number;
  /** Undefined while nobody has typed it. */
  poll(signal: AbortSignal): Promise<Tokens | undefined>;
}

/** A page of the host that leads back to a port of this machine. */
export interface BrowserSignIn {
  url: string;
  state: string;
  /** Of the page that it leads back to. */
  port: number;
  path: string;
  exchange(code: string, signal: AbortSignal): Promise<Tokens>;
}

export interface SignInMethod {
  /** Of the table of hosts. */
  host: string;
  beginDevice(signal: AbortSignal): Promise<DeviceCode>;
  beginBrowser?(): BrowserSignIn;
  refresh(tokens: Tokens, signal: AbortSignal): Promise<Tokens>;
  /** Headers of each request in addition to the key. */
  toHeaders(tokens: Tokens): Record<string, string>;
}

export interface MethodParts {
  fetch: typeof fetch;
  now(): number;
  /** In place of the host's own address, and of the usual port that its page leads back to; for tests. */
  issuer?: string;
  port?: number;
}

/** The host refused, or is not to be had. `isFinal`: only another sign-in helps. */
export class SignInError extends Error {
  override name = "SignInError";
  readonly isFinal: boolean;

  constructor(reason: string, { isFinal = false } = {}) {
    super(reason);
    this.isFinal = isFinal;
  }
}

const largestReply = 256 * 1024;

export interface Reply {
  status: number;
  body: Record<string, unknown>;
}

/** One request; its answer is JSON, whatever the status. Follows no redirect: secrets go nowhere else. */
export async function send(
  { fetch }: MethodParts,
  url: string,
  init: { method?: "GET"; headers?: Record<string, string>; body?: string; signal: AbortSignal },
): Promise<Reply> {
  const { method = "POST", headers, ...rest } = init;
  const accept = { accept: "application/json", "user-agent": "nanobot" };
  const response = await fetch(url, {
    method,
    redirect: "manual",
    headers: { ...accept, ...headers },
    ...rest,
  });
  const text = (await response.text()).slice(0, largestReply);
  const body = parseJson(text);
  return { status: response.status, body: isRecord(body) ? body : {} };
}

export function toJsonBody(value: object) {
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export function toForm(fields: Record<string, string>) {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  return { headers, body: new URLSearchParams(fields).toString() };
}

/** RFC 7636. */
export function createChallenge(): { verifier: string; challenge: string } {
  const verifier = randomBytes(48).toString("base64url");
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") };
}

export function createState(): string {
  return randomBytes(24).toString("base64url");
}

export function readText(body: Record<string, unknown>, field: string): string {
  const value = body[field];
  if (typeof value === "string" && value !== "") return value;
  throw new SignInError(`its answer has no ${field}`);
}

/** What a token says of itself. It came over TLS from its signer, so its signature adds nothing. */
export function readClaims(token: string): Record<string, unknown> {
  const claims = parseJson(Buffer.from(token.split(".")[1] ?? "", "base64url").toString("utf8"));
  return isRecord(claims) ? claims : {};
}

export function refuse({ status, body }: Reply): SignInError {
  const { error, error_description: said, message } = body;
  const inner = isRecord(error) ? (error.message ?? error.code) : error;
  const reason = [said, message, inner].find((text) => typeof text === "string") ?? `status ${status}`;
  return new SignInError(String(reason).slice(0, 200), {
    isFinal: status >= 400 && status < 500 && status !== 429,
  });
}
