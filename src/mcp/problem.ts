// Why a server cannot be used, as data: said to a person in their language, and to the model in English. Holds nothing
// that the server's configuration keeps secret.

import { englishMcp } from "../i18n/en/mcp.ts";
import { toPlainLine } from "../lib/text.ts";

export type ProblemKind = keyof typeof englishMcp.problems;

export interface ServerProblem {
  kind: ProblemKind;
  /** A program, a folder, a status, what the server wrote last: one line. */
  detail: string;
}

/** A failure of the world on the way to a server. Whoever calls a tool turns it into words for the model. */
export class ServerError extends Error {
  override name = "ServerError";
  readonly problem: ServerProblem;
  /** The server understood the request and refused it in the words of the protocol. */
  readonly wasAnswered: boolean;

  constructor(kind: ProblemKind, detail = "", wasAnswered = false) {
    const problem = { kind, detail: toPlainLine(detail, 300) };
    super(englishMcp.problems[kind](problem.detail));
    this.problem = problem;
    this.wasAnswered = wasAnswered;
  }
}

/** What the protocol library and Node's fetch throw, as far as it is looked at. */
interface ForeignError {
  name?: unknown;
  message?: unknown;
  code?: unknown;
  data?: { status?: unknown };
  cause?: { code?: unknown; message?: unknown };
}

/** Told by codes; whatever has none is shown as the line that it is. */
export function toServerError(error: unknown): ServerError {
  if (error instanceof ServerError) return error;
  const { code, message, cause } = error as ForeignError;
  // Node's fetch hides the reason for a failed connection in the cause.
  const said = cause?.message ?? message;
  const text = typeof said === "string" ? said : String(error);
  const status = statusOf(error);
  if (status !== undefined) return toHttpError(status);
  const network = cause?.code ?? /\b(ECONN\w+|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH)\b/.exec(text)?.[1];
  if (typeof network === "string") return new ServerError("unreachable", network);
  if (code === "REQUEST_TIMEOUT") return new ServerError("noAnswer");
  if (code === "CONNECTION_CLOSED" || text === "Not connected") return new ServerError("ended");
  return new ServerError("failed", text, typeof code === "number");
}

/** The HTTP status that a request failed with. */
export function statusOf(error: unknown): number | undefined {
  const { name, code, data } = error as ForeignError;
  const status = data?.status ?? (name === "SseError" ? code : undefined);
  return typeof status === "number" ? status : undefined;
}

function toHttpError(status: number): ServerError {
  if (status === 401 || status === 403) return new ServerError("refused", String(status));
  if (status >= 300 && status < 400) return new ServerError("redirected", String(status));
  return new ServerError("status", String(status), status === 400);
}
