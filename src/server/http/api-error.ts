// What went wrong, in the form that clients of OpenAI's API understand: a status, a sentence, and words for programs.
import type { TurnOutcome } from "../../agent/job.ts";
import { sayInEnglish } from "../../i18n/words.ts";

export interface ApiErrorFacts {
  status: 400 | 401 | 403 | 404 | 405 | 409 | 413 | 429 | 500 | 502 | 503 | 504;
  type?: "invalid_request_error" | "rate_limit_error" | "insufficient_quota" | "server_error";
  /** Of the request, such as `messages[0].content`. */
  param?: string;
  code?: string;
}

export class ApiError extends Error {
  override name = "ApiError";
  readonly facts: ApiErrorFacts;

  constructor(message: string, facts: ApiErrorFacts) {
    super(message);
    this.facts = facts;
  }
}

/** `{"error":{"message":"…","type":"invalid_request_error","param":null,"code":null}}` */
export function toErrorBody({ message, facts }: ApiError): { error: Record<string, string | null> } {
  const { status, type = status < 500 ? "invalid_request_error" : "server_error", param, code } = facts;
  return { error: { message, type, param: param ?? null, code: code ?? null } };
}

type FailureKind = NonNullable<TurnOutcome["error"]>["kind"];

const failures: Partial<Record<FailureKind, ApiErrorFacts>> = {
  "rate-limit": { status: 429, type: "rate_limit_error", code: "rate_limit_exceeded" },
  quota: { status: 429, type: "insufficient_quota", code: "insufficient_quota" },
  budget: { status: 429, type: "insufficient_quota", code: "budget_exceeded" },
  "context-overflow": { status: 400, code: "context_length_exceeded" },
  "content-filter": { status: 400, code: "content_filter" },
  "unsupported-image": { status: 400, code: "unsupported_image" },
  overloaded: { status: 503, code: "overloaded" },
  locked: { status: 503, code: "locked" },
  timeout: { status: 504, code: "timeout" },
  idle: { status: 504, code: "timeout" },
  internal: { status: 500, code: "internal_error" },
};

/** Of a turn that gave no answer. What failed inside of us is the log's business. */
export function toTurnError({ error, stop }: TurnOutcome): ApiError | undefined {
  if (error !== undefined) {
    const message =
      error.kind === "internal" ? "The turn failed; the log says why." : sayInEnglish(error.phrase);
    const facts = failures[error.kind] ?? { status: 502, code: error.kind.replaceAll("-", "_") };
    return new ApiError(message, facts);
  }
  return stop === "cancelled"
    ? new ApiError("The turn was stopped.", { status: 503, code: "stopped" })
    : undefined;
}
