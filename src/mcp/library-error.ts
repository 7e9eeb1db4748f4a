// What the protocol library and Node's fetch throw, as a ServerError: told by their classes and codes.
import { isRecord } from "../lib/is-record.ts";
import { ServerError, toStatusError } from "./problem.ts";

export type Library = typeof import("@modelcontextprotocol/client");

/** A request that failed with one of these never left. */
const neverConnected = ["ECONNREFUSED", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH"];

/** `network` is the last failure of a request: of an event stream that fails, the library keeps only the text. */
export function toServerError(error: unknown, library: Library, network?: ServerError): ServerError {
  const { SdkError, SdkErrorCode, SdkHttpError, SseError, ProtocolError } = library;
  if (error instanceof ServerError) return error;
  if (error instanceof SdkHttpError) return toStatusError(error.status);
  if (error instanceof SseError && error.code !== undefined) return toStatusError(error.code);
  if (error instanceof SseError && network !== undefined) return network;
  if (error instanceof ProtocolError)
    return new ServerError({ kind: "failed", reason: error.message }, { answer: error.message });
  if (error instanceof SdkError) {
    if (error.code === SdkErrorCode.RequestTimeout) return new ServerError({ kind: "no-answer" });
    if (error.code === SdkErrorCode.ConnectionClosed) return new ServerError({ kind: "ended" });
    if (error.code === SdkErrorCode.NotConnected)
      return new ServerError({ kind: "ended" }, { isUnsent: true });
    if (error.cause instanceof ServerError) return error.cause;
  }
  return new ServerError({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
}

/** Why a request failed on its way, where the system says so. */
export function toNetworkError(error: unknown): ServerError | undefined {
  // Node's fetch keeps the reason in the cause.
  const cause = error instanceof Error ? error.cause : undefined;
  if (!isRecord(cause) || typeof cause.code !== "string") return undefined;
  const { code: errno } = cause;
  return new ServerError({ kind: "unreachable", errno }, { isUnsent: neverConnected.includes(errno) });
}
