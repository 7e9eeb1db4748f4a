// Asks a model host over Node's own HTTP client: what protocols use of `fetch`, at two thirds of its processor time and
// without its copies of the body, because nothing passes through web streams. Follows no redirect and knows no proxy.

import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http";
import { isIP } from "node:net";
import { pipeline, type Readable, type Transform } from "node:stream";
import { createProxyFor, type ProxyFetchOptions } from "../../guards/proxy-fetch.ts";
import { onAbort } from "../../lib/abort.ts";
import { createAddressGuard, createCheckedLookup } from "../../lib/network/guarded-fetch.ts";
import { toPlainHost } from "../../lib/network/ip-address.ts";
import { isAllowed } from "../../lib/process/operator-policy.ts";
import type { ByteReader, WireFetch } from "../../llm/hosts/host.ts";

/** Through a proxy where one is configured for the address. */
export function createWireFetch(options: ProxyFetchOptions): WireFetch {
  const proxyFor = createProxyFor(options);
  if (!isAllowed(options.env, "network")) return createPublicFetch();
  if (proxyFor === undefined) return directFetch;
  return (url, init) => {
    const proxied = proxyFor(new URL(url));
    return proxied === undefined ? directFetch(url, init) : proxied(url, { ...init, ...manner });
  };
}

const manner = { method: "POST", redirect: "manual" } as const;
/** Hosts behind some gateways refuse a request that names no program; this is what `fetch` says. */
const usualHeaders = { "user-agent": "node" };

/** Only to public addresses, whatever a name answers when it is asked. */
function createPublicFetch(): WireFetch {
  const guard = createAddressGuard({});
  const lookup = createCheckedLookup((host) => guard.resolve(host));
  return async (address, init) => {
    const host = toPlainHost(new URL(address).hostname);
    if (isIP(host) !== 0) guard.check(host);
    return ask(address, init, { lookup });
  };
}

export const directFetch: WireFetch = (address, init) => ask(address, init);

async function ask(
  address: string,
  { headers, body, signal }: Parameters<WireFetch>[1],
  connection: Pick<RequestOptions, "lookup"> = {},
): ReturnType<WireFetch> {
  signal.throwIfAborted();
  const url = new URL(address);
  const { request } = url.protocol === "https:" ? await import("node:https") : await import("node:http");
  const bytes = Buffer.from(body);
  const sized = { ...usualHeaders, ...headers, "content-length": bytes.length };
  const response = await send(
    request(url, { ...connection, method: manner.method, headers: sized } satisfies RequestOptions),
    bytes,
    signal,
  );
  const { statusCode: status = 0 } = response;
  const readable = await decode(response);
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: { get: (name) => toOneValue(response.headers[name.toLowerCase()]) },
    body: { getReader: () => createReader(readable) },
  };
}

function send(request: ClientRequest, body: Buffer, signal: AbortSignal): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    // Kept after the answer has begun: what breaks then reaches the reader.
    request.on("error", reject);
    request.on(
      "close",
      onAbort(signal, () => request.destroy(toError(signal.reason))),
    );
    request.once("response", resolve).end(body);
  });
}

const mostEncodings = 3;

/** Some proxies compress unasked. The reader limits how much comes out. */
async function decode(response: IncomingMessage): Promise<Readable> {
  const named = (response.headers["content-encoding"] ?? "").toLowerCase().split(",");
  const encodings = named.map((name) => name.trim()).filter((name) => name !== "" && name !== "identity");
  if (encodings.length === 0 || encodings.length > mostEncodings) return response;
  const zlib = await import("node:zlib");
  // What has arrived is passed on at once; a cut is not an error here.
  const { Z_SYNC_FLUSH: flush } = zlib.constants;
  const decoders: Record<string, () => Transform> = {
    gzip: () => zlib.createGunzip({ flush, finishFlush: flush }),
    "x-gzip": () => zlib.createGunzip({ flush, finishFlush: flush }),
    deflate: () => zlib.createInflate({ flush, finishFlush: flush }),
    br: () => zlib.createBrotliDecompress({ flush: zlib.constants.BROTLI_OPERATION_FLUSH }),
    zstd: () => zlib.createZstdDecompress(),
  };
  const chain = encodings.toReversed().map((name) => decoders[name]);
  if (!chain.every((create) => create !== undefined)) return response;
  // Errors reach the reader of the last stream.
  return chain.reduce<Readable>((from, create) => pipeline(from, create(), () => {}), response);
}

function createReader(response: Readable): ByteReader {
  let wake: (() => void) | undefined;
  let failure: Error | undefined;
  const onChange = () => wake?.();
  response.on("readable", onChange).on("end", onChange).on("close", onChange);
  response.on("error", (error) => {
    failure = error;
    onChange();
  });
  return {
    async read() {
      for (;;) {
        const value = response.read() as Buffer | null;
        if (value !== null) return { done: false, value };
        if (failure !== undefined) throw failure;
        if (response.readableEnded || response.destroyed) return { done: true, value: undefined };
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async cancel() {
      if (!response.readableEnded) response.destroy();
    },
  };
}

function toOneValue(value: string | string[] | undefined): string | null {
  return Array.isArray(value) ? value.join(", ") : (value ?? null);
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
