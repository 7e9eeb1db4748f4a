// Failures of model hosts and connections as data: what a refusal means, the sentence for it, and which failures may be
// retried or handed to another model.
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { PhrasedError, phraseOfError } from "../../i18n/user-error.ts";
import { systemClock } from "../../lib/clock.ts";
import { isLoopbackHost } from "../../lib/network/ip-address.ts";
import { createRedactor } from "../../lib/redact.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Connection } from "../hosts/host.ts";
import type {
  AssistantMessage,
  ModelEvent,
  ModelRequest,
  ProviderError,
  ProviderErrorKind,
} from "../types.ts";
import { AnswerTooLong } from "../wire/chunk.ts";
import { type ErrorBody, findKind, readErrorBody } from "./error-body.ts";
import { readContextLimit, readRetryAfter } from "./limits.ts";

/** What an error reports about a connection. */
interface ConnectionFacts {
  /** The host's name for people. */
  host: string;
  isLoopback?: boolean;
  /** Values that must not come back in a sentence. */
  secrets?: string[];
}

interface ResponseFacts extends ConnectionFacts {
  /** 200 for an error object inside a stream that had begun well. */
  status: number;
  headers: Pick<Headers, "get">;
  body: string;
  /** For a Retry-After that is a date. */
  now?: number;
}

/** Carries a classified error up to the provider's boundary; never leaves the provider. */
export class ProviderFailure extends Error {
  override name = "ProviderFailure";
  readonly error: ProviderError;

  constructor(error: ProviderError) {
    super([error.kind, error.detail].filter(Boolean).join(": "));
    this.error = error;
  }
}

export function toConnectionFacts(connection: Connection): ConnectionFacts {
  const { host, baseUrl, apiKey = "", extraHeaders = {}, extraQuery = {} } = connection;
  const secrets = [apiKey, ...Object.values(extraHeaders), ...Object.values(extraQuery)];
  return {
    host: host.label,
    isLoopback: URL.canParse(baseUrl) && isLoopbackHost(new URL(baseUrl).hostname),
    secrets,
  };
}

export function classifyResponse(facts: ResponseFacts): ProviderError {
  const { headers, now = systemClock.now() } = facts;
  const body = readErrorBody(withoutSecrets(facts.body, facts));
  const status = facts.status >= 300 ? facts.status : body.status;
  const retryAfterMs = readRetryAfter(headers, facts.body, now);
  const kind = isRateOfGemini(body, retryAfterMs) ? "rate-limit" : kindOf(status, body);
  const detail = [status, body.sentence].filter(Boolean).join(": ");
  const limit = kind === "context-overflow" ? { limit: readContextLimit(facts.body) } : {};
  return { ...toProviderError(kind, facts, detail), status, retryAfterMs, ...limit };
}

/** Anything but an abort that was thrown on the way: a connection that failed, or a failure already classified. */
export function classifyThrown(error: unknown, facts: ConnectionFacts): ProviderError {
  if (error instanceof ProviderFailure) return error.error;
  const { host, isLoopback } = facts;
  if (error instanceof AnswerTooLong) {
    const { most, unit } = error;
    return { kind: "unknown", host, phrase: phrase("model.endless", { host, most, unit }) };
  }
  const root = rootOf(error);
  const refusal = root instanceof ProxyRefusalError ? phraseOfError(root) : undefined;
  if (refusal !== undefined) return { kind: "unknown", host, phrase: refusal };
  const { code, text } = factsOf(root);
  const detail = withoutSecrets([code, text].filter(Boolean).join(": "), facts);
  if (code === "ECONNREFUSED" && isLoopback)
    return { kind: "connection", host, isLoopback, phrase: phrase("model.not-running", { host, detail }) };
  return toProviderError(kindOfThrown(code, text), facts, detail);
}

function toProviderError(kind: ProviderErrorKind, { host }: ConnectionFacts, detail: string): ProviderError {
  return { kind, host, ...(detail !== "" && { detail }) };
}

/** What happened and what to do next, for people. */
export function toPhrase({ kind, host, detail = "", phrase: special }: ProviderError): Phrase {
  return special ?? phrase(`model.${kind}`, { host, detail: detail.replace(/[\s.]+$/, "") });
}

/** The end of a reply that failed after `text`. */
export function toFailedEnd({ model }: ModelRequest, error: ProviderError, text = ""): ModelEvent {
  const message: AssistantMessage = { role: "assistant", content: text === "" ? null : text };
  return { type: "reply-end", reply: { message, stop: "error", model, error } };
}

/** Waiting may help. Does not consider whether text was already shown. */
export function isRetryable({ kind, isLoopback }: ProviderError): boolean {
  if (kind === "connection") return isLoopback !== true;
  return ["rate-limit", "overloaded", "server", "timeout", "idle"].includes(kind);
}

/** The fault is in the request, or the budget is ours: another model would not help. */
const requestFaults = [
  "budget",
  "content-filter",
  "context-overflow",
  "invalid-request",
  "not-found",
  "unsupported-image",
];

export function allowsFallback({ kind }: ProviderError): boolean {
  return !requestFaults.includes(kind);
}

const kindsByStatus: Record<number, ProviderErrorKind> = {
  401: "authentication",
  402: "quota",
  403: "permission",
  404: "not-found",
  405: "not-found",
  408: "timeout",
  409: "server",
  413: "context-overflow",
  425: "server",
  // Groq: "flex tier capacity exceeded"
  498: "overloaded",
  429: "rate-limit",
  503: "overloaded",
  504: "timeout",
  529: "overloaded",
};

function kindOf(status: number | undefined, body: ErrorBody): ProviderErrorKind {
  // These say it all; only a 403 is also used for moderation, and by some for balance or length.
  if (status === 401 || status === 402) return kindsByStatus[status] ?? "unknown";
  const worded = findKind(body);
  if (worded !== undefined && !contradicts(worded, status)) return worded;
  // A web page with status 200 is what a wrong apiBase gives.
  if (status === undefined) return body.isPage ? "not-found" : "server";
  return kindsByStatus[status] ?? (status >= 500 ? "server" : status >= 400 ? "invalid-request" : "unknown");
}

/** Gemini words its limits per minute like an empty account, but says when to come back. */
function isRateOfGemini({ codes }: ErrorBody, retryAfterMs: number | undefined): boolean {
  return retryAfterMs !== undefined && codes.includes("resource_exhausted");
}

/** A wording can be part of a sentence about something else; then the status is right. */
function contradicts(worded: ProviderErrorKind, status: number | undefined): boolean {
  if (status === undefined) return false;
  if (status < 400) return true;
  if (worded === "not-found" || worded === "authentication") return status >= 500 || status === 429;
  if (worded === "timeout") return status < 500;
  if (worded === "rate-limit") return status === 404 || status === 503;
  return false;
}

/** Without certificates: waiting does not repair one. */
const connectionCodes =
  /^(ECONN|ENOTFOUND|EAI_|EPIPE|ENET|EHOST|EADDR|EPROTO|ERR_SSL|ERR_STREAM|HPE_|UND_ERR_)/;

function kindOfThrown(code: string, text: string): ProviderErrorKind {
  if (/TIMEOUT|ETIMEDOUT/.test(code) || /\btime(d )?out\b/i.test(text)) return "timeout";
  const isConnection = /fetch failed|terminated|socket|other side closed/i.test(text);
  return isConnection || connectionCodes.test(code) ? "connection" : "unknown";
}

/** `fetch failed` hides the reason in its cause; a refused name with several addresses hides them one deeper. */
function rootOf(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const inner = error instanceof AggregateError ? error.errors[0] : error.cause;
  return inner instanceof Error && depth < 5 ? rootOf(inner, depth + 1) : error;
}

function factsOf(error: unknown): { code: string; text: string } {
  if (!(error instanceof Error)) return { code: "", text: toOneLine(String(error), 200) };
  const { code } = error as NodeJS.ErrnoException;
  return { code: typeof code === "string" ? code : "", text: toOneLine(error.message, 200) };
}

function withoutSecrets(text: string, { secrets = [] }: ConnectionFacts): string {
  const redactor = createRedactor();
  for (const secret of secrets) redactor.add(secret);
  return redactor.redact(text);
}

/** A proxy did not open a tunnel. */
export class ProxyRefusalError extends PhrasedError {
  override readonly name = "ProxyRefusalError";
  override readonly phrase: Phrase;
  readonly code = "EPROXY";
  readonly status: number;

  constructor(status: number) {
    super(`tunnel refused (${status})`);
    this.status = status;
    this.phrase = phrase(status === 407 ? "setup.proxy-password" : "setup.proxy-refused", { status });
  }
}
