// Requests of a sign-in. Where they go is chosen by the server, so that they may reach public addresses only, apart from the
// server's own host, which the owner wrote; they carry nothing of its headers, and a body never follows a redirect elsewhere.
import type { GuardedFetch } from "../../lib/network/guarded-fetch.ts";

export type AuthFetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

const largestAnswer = 1024 * 1024;
const timeoutMs = 30_000;

export function createAuthFetch(guarded: GuardedFetch, server: URL, signal: AbortSignal): AuthFetch {
  return async (input, init = {}) => {
    const url = new URL(input);
    const { status, headers, bytes } = await guarded(url.href, {
      signal: init.signal ? AbortSignal.any([signal, init.signal]) : signal,
      method: init.method ?? "GET",
      headers: Object.fromEntries(new Headers(init.headers)),
      ...(init.body != null && { body: String(init.body) }),
      maxBytes: largestAnswer,
      timeoutMs,
      ...(url.hostname === server.hostname && { exemptOrigin: url.origin }),
      mayFollow: (from, to) => from.origin === to.origin && (init.method ?? "GET") === "GET",
    });
    const hasBody = status !== 204 && status !== 304 && status >= 200;
    return new Response(hasBody ? new Uint8Array(bytes) : null, { status, headers: plainHeaders(headers) });
  };
}

/** Without what describes the bytes on the wire: they are unpacked already. */
function plainHeaders(headers: Headers): Headers {
  const plain = new Headers(headers);
  for (const name of ["content-encoding", "content-length", "transfer-encoding"]) plain.delete(name);
  return plain;
}
