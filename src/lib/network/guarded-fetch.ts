// The one fetch for requests that a model, a page or a message can influence: only http and https, only to public
// addresses, checked for each connection and each redirect, bounded in size and time. Knows no config and no tools.
import type { LookupAddress } from "node:dns";
import { lookup } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import { classifyAddress, createAddressSet, toPlainHost } from "./ip-address.ts";

type Fetch = typeof globalThis.fetch;

export interface GuardOptions {
  /** Networks (CIDR) that may be reached although they are not public. */
  allow?: readonly string[];
  /** All addresses of a name. Default: what the system says. */
  resolve?(host: string): Promise<LookupAddress[]>;
  /** The fetch for an address that is reached through a proxy, undefined for one that is not. */
  proxyFor?(url: URL): Fetch | undefined;
}

export interface GuardedRequest {
  signal: AbortSignal;
  /** Default GET. */
  method?: string;
  headers?: Record<string, string>;
  body?: string;
  /** Bytes that are taken of the body, after decompression. Default 10 MB. */
  maxBytes?: number;
  /** For everything together, redirects too. Default 30 seconds. */
  timeoutMs?: number;
  /** Without a byte. Default 15 seconds. */
  idleMs?: number;
  /** Chosen by the owner, not by untrusted input: its address is not checked. */
  exemptOrigin?: string;
  /** Whether a redirect is followed; absent: each of them. */
  mayFollow?(from: URL, to: URL): boolean;
}

export interface GuardedResponse {
  status: number;
  headers: Headers;
  finalUrl: string;
  bytes: Buffer;
  /** There would have been more than `maxBytes`. */
  isTruncated: boolean;
  /** Where a redirect leads that was not followed. */
  leadsTo?: string;
}

/** Rejects with a FetchError for failures of the world, and with the signal's reason when it aborts. */
export type GuardedFetch = (url: string, request: GuardedRequest) => Promise<GuardedResponse>;

/** The message is for the model: it names the next action, and no more of the address than its origin. */
export class FetchError extends Error {
  override name = "FetchError";
}

/** Refused before anything was sent there. */
export class BlockedAddressError extends FetchError {
  override name = "BlockedAddressError";
}

interface Hop {
  url: URL;
  method: string;
  headers: Array<[string, string]>;
  body?: string;
}

const mostRedirects = 5;
/** All that is sent to another origin: any other header may be a credential. */
const harmlessHeaders = ["accept", "accept-language", "content-type", "user-agent"];
/** A proxy resolves names on its own, so those that mean a private place have to be known by their looks. */
const localName = /^[^.]*$|\.(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa)$/;

/** Of a machine or a private network, by its looks alone. */
export function isInternalName(host: string): boolean {
  return localName.test(host);
}

export interface AddressGuard {
  /** Throws a BlockedAddressError for what is not public and not allowed. */
  check(address: string, host?: string): void;
  /** All addresses of a name, each of them checked. */
  resolve(host: string): Promise<LookupAddress[]>;
}

export function createAddressGuard({ allow = [], resolve }: Omit<GuardOptions, "proxyFor">): AddressGuard {
  const isAllowed = createAddressSet(allow);

  function check(address: string, host = address): void {
    const kind = classifyAddress(address);
    if (kind === "public" || isAllowed(address)) return;
    const where = host === address ? host : `${host} (${address})`;
    throw new BlockedAddressError(
      `${where} is not public (${kind}). Use a public address; if this one is meant, the owner can add its network to tools.ssrfWhitelist.`,
    );
  }

  return {
    check,
    async resolve(host) {
      const addresses = await (resolve?.(host) ?? lookup(host, { all: true }));
      for (const { address } of addresses) check(address, host);
      return addresses;
    },
  };
}

export function createGuardedFetch({ proxyFor, ...options }: GuardOptions = {}): GuardedFetch {
  const guard = createAddressGuard(options);
  let pinned: Promise<Fetch> | undefined;

  async function choosePath(url: URL, exemptOrigin: string | undefined): Promise<Fetch> {
    const proxied = proxyFor?.(url);
    if (url.origin === exemptOrigin) return proxied ?? globalThis.fetch;
    const host = toPlainHost(url.hostname);
    // A socket does not resolve an address.
    if (isIP(host) !== 0) guard.check(host);
    else if (proxied !== undefined && localName.test(host)) {
      throw new BlockedAddressError(`${host} is a name of a private network. Use a public address.`);
    }
    if (proxied !== undefined) return proxied;
    pinned ??= loadPinnedFetch(guard.resolve);
    return pinned;
  }

  async function follow(
    first: Hop,
    request: GuardedRequest,
    onProgress: () => void,
  ): Promise<GuardedResponse> {
    const { signal, exemptOrigin, maxBytes = 10 * 1024 * 1024, mayFollow } = request;
    let hop = first;
    for (let redirects = 0; redirects <= mostRedirects; redirects++) {
      const { url, ...init } = hop;
      const fetch = await choosePath(url, exemptOrigin);
      const response = await fetch(url.href, { ...init, redirect: "manual", signal }).catch((error) => {
        throw toFetchError(error, url);
      });
      onProgress();
      const next = toNextHop(hop, response);
      const { status, headers } = response;
      const answer = { status, headers, finalUrl: url.href };
      if (next === undefined) return { ...answer, ...(await readBody(response, maxBytes, onProgress)) };
      await response.body?.cancel();
      if (mayFollow?.(url, next.url) === false)
        return { ...answer, bytes: Buffer.alloc(0), isTruncated: false, leadsTo: next.url.href };
      hop = next;
    }
    throw new FetchError(`${first.url.origin} leads from address to address. Try another one.`);
  }

  return async (address, { signal, method = "GET", headers = {}, body, ...request }) => {
    const url = parseAddress(address);
    const limit = createTimeLimit(request);
    const ending = AbortSignal.any([signal, limit.signal]);
    try {
      const first = { url, method, headers: [...new Headers(headers)], body };
      return await follow(first, { ...request, signal: ending }, limit.restart);
    } catch (error) {
      ending.throwIfAborted();
      throw toFetchError(error, url);
    } finally {
      limit.end();
    }
  };
}

/** Each connection resolves for itself and goes to the checked address, whatever the name resolves to later. */
export async function loadPinnedFetch(resolveChecked: AddressGuard["resolve"]): Promise<Fetch> {
  const { Agent, fetch } = await import("undici");
  const checkedLookup = createCheckedLookup(resolveChecked);
  // Without pipelining a connection is closed after its request.
  const dispatcher = new Agent({ connect: { lookup: checkedLookup }, pipelining: 0 });
  // Types of undici and of the page's own fetch differ in their iterators.
  return ((url: string, init: object) => fetch(url, { ...init, dispatcher })) as unknown as Fetch;
}

/** For a connection: of a name, only addresses that are allowed. */
export function createCheckedLookup(resolveChecked: AddressGuard["resolve"]): LookupFunction {
  return (host, { all }, callback) => {
    resolveChecked(host).then(
      (found) => (all ? callback(null, found) : callback(null, found[0]?.address ?? "", found[0]?.family)),
      (error) => callback(error, []),
    );
  };
}

function parseAddress(address: string, base?: string): URL {
  if (!URL.canParse(address, base)) {
    throw new FetchError("This is not a web address. Write it in full, like https://example.com/page.");
  }
  const url = new URL(address, base);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new BlockedAddressError(`Only http and https are fetched, not ${url.protocol} Use a web address.`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new BlockedAddressError(
      "A user or password in an address is not sent. Leave out all before the @.",
    );
  }
  return url;
}

/** Where a response leads on to, by the rules of fetch. */
function toNextHop(
  { url, method, headers, body }: Hop,
  { status, headers: answer }: Response,
): Hop | undefined {
  const location = answer.get("location");
  if (location === null || ![301, 302, 303, 307, 308].includes(status)) return undefined;
  const next = parseAddress(location, url.href);
  const becomesGet = status === 303 ? method !== "HEAD" : status < 303 && method === "POST";
  const isSame = next.origin === url.origin;
  const kept = headers.filter(([name]) => isSame || harmlessHeaders.includes(name));
  if (!becomesGet) return { url: next, method, headers: kept, body };
  return { url: next, method: "GET", headers: kept.filter(([name]) => name !== "content-type") };
}

async function readBody(
  { body }: Response,
  maxBytes: number,
  onProgress: () => void,
): Promise<Pick<GuardedResponse, "bytes" | "isTruncated">> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    onProgress();
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return { bytes: Buffer.concat(chunks, Math.min(size, maxBytes)), isTruncated: size > maxBytes };
}

function createTimeLimit({ timeoutMs = 30_000, idleMs = 15_000 }: Partial<GuardedRequest>) {
  const controller = new AbortController();
  const stopAfter = (ms: number, what: string) =>
    setTimeout(() => {
      controller.abort(
        new FetchError(`The server ${what} ${ms / 1000} seconds. Try again later, or another address.`),
      );
    }, ms);
  const whole = stopAfter(timeoutMs, "was not done after");
  const idle = stopAfter(idleMs, "sent nothing for");
  const end = () => [whole, idle].forEach(clearTimeout);
  return { signal: controller.signal, restart: () => void idle.refresh(), end };
}

/** What fetch reports of the world is a TypeError with a cause. */
function toFetchError(error: unknown, { origin }: URL): unknown {
  if (!(error instanceof TypeError && error.cause instanceof Error)) return error;
  const { cause } = error;
  if (cause instanceof FetchError) return cause;
  if (cause.message === "bad port") {
    return new BlockedAddressError(`${origin} has the port of another service. Use that of a web server.`);
  }
  const reason = "code" in cause ? cause.code : cause.message;
  return new FetchError(`${origin} could not be fetched (${reason}). Check the address, or try another one.`);
}
