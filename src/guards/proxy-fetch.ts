// A `fetch` that goes through a proxy where one is configured: for a host alone, or for all by the usual environment
// variables. Loopback addresses never go through one. Without any proxy it is the built-in `fetch` itself.
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import type { Dispatcher, Pool, ProxyAgent } from "undici";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { createAddressGuard, loadPinnedFetch } from "../lib/network/guarded-fetch.ts";
import { isLoopbackHost, toPlainHost } from "../lib/network/ip-address.ts";
import { isAllowed } from "../lib/process/operator-policy.ts";
import { ProxyRefusalError } from "../llm/errors/provider-error.ts";

type Fetch = typeof globalThis.fetch;

export interface ProxyFetchOptions {
  /** Wins over the environment, NO_PROXY included. */
  proxy?: string;
  /** What the proxy's key is called in messages. Default "proxy". */
  setting?: string;
  env: NodeJS.ProcessEnv;
}

/** A proxy address that cannot be used. Names the setting and never its value: it may hold a password. */
export class ProxyAddressError extends Error {
  override name = "ProxyAddressError";
  readonly phrase: Phrase;

  constructor(setting: string) {
    super(`${setting} is not a usable proxy address`);
    this.phrase = phrase("setup.bad-proxy", { setting });
  }
}

/** The proxy that an address is reached through, if any. */
type Route = (url: URL) => URL | undefined;

export function createFetch(options: ProxyFetchOptions): Fetch {
  if (!isAllowed(options.env, "network")) return createPublicFetch();
  const proxyFor = createProxyFor(options);
  if (proxyFor === undefined) return globalThis.fetch;
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    return (proxyFor(url) ?? globalThis.fetch)(input, init);
  };
}

/** Only to public addresses, whatever a name answers when it is asked; a redirect could lead elsewhere. */
function createPublicFetch(): Fetch {
  const guard = createAddressGuard({});
  let loaded: Promise<Fetch> | undefined;
  return async (input, init) => {
    const host = toPlainHost(new URL(input instanceof Request ? input.url : input).hostname);
    if (isIP(host) !== 0) guard.check(host);
    loaded ??= loadPinnedFetch((name) => guard.resolve(name));
    const pinned = await loaded;
    return pinned(...(await toPlainArguments(input, { ...init, redirect: "error" })));
  };
}

/** For each address the fetch that goes through its proxy, if it has one. Undefined when no address has. */
export function createProxyFor({
  proxy,
  setting = "proxy",
  env,
}: ProxyFetchOptions): ((url: URL) => Fetch | undefined) | undefined {
  const route = proxy ? routeThrough(parseProxy(proxy, setting)) : routeByEnvironment(env);
  if (route === undefined) return undefined;
  let loaded: Promise<Fetch> | undefined;
  const fetchProxied: Fetch = async (input, init) => {
    loaded ??= loadProxiedFetch(route);
    const proxiedFetch = await loaded;
    return proxiedFetch(...(await toPlainArguments(input, init)));
  };
  return (url) => (route(url) === undefined ? undefined : fetchProxied);
}

function routeThrough(proxy: URL): Route {
  return (url) => (isLoopbackHost(url.hostname) ? undefined : proxy);
}

function routeByEnvironment(env: NodeJS.ProcessEnv): Route | undefined {
  const forAll = readProxy(env, "ALL_PROXY");
  const proxies: Record<string, URL | undefined> = {
    "http:": readProxy(env, "HTTP_PROXY") ?? forAll,
    "https:": readProxy(env, "HTTPS_PROXY") ?? forAll,
  };
  if (Object.values(proxies).every((proxy) => proxy === undefined)) return undefined;
  const isExcepted = parseNoProxy(env.no_proxy || env.NO_PROXY || "");
  return (url) => (isLoopbackHost(url.hostname) || isExcepted(url) ? undefined : proxies[url.protocol]);
}

function readProxy(env: NodeJS.ProcessEnv, name: string): URL | undefined {
  const value = env[name.toLowerCase()] || env[name];
  return value ? parseProxy(value, name) : undefined;
}

function parseProxy(value: string, setting: string): URL {
  const text = value.trim();
  // As in curl: an address without a scheme is an HTTP proxy.
  const address = text.includes("://") ? text : `http://${text}`;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isUsable = url !== undefined && url.hostname !== "" && /^(https?|socks(5h?)?):$/.test(url.protocol);
  if (!isUsable || !hasReadableCredentials(url)) {
    throw new ProxyAddressError(setting);
  }
  return url;
}

function hasReadableCredentials({ username, password }: URL): boolean {
  return !/%(?![0-9a-f]{2})/i.test(username + password);
}

async function loadProxiedFetch(route: Route): Promise<Fetch> {
  const { Agent, fetch, Pool, ProxyAgent } = await import("undici");
  const agents = new Map<string, Dispatcher>();

  function agentOf(proxy: URL): Dispatcher {
    const clientFactory = (origin: URL, options: object) => withPlainRefusals(new Pool(origin, options));
    const agent = agents.get(proxy.href) ?? new ProxyAgent({ ...toAgentOptions(proxy), clientFactory });
    agents.set(proxy.href, agent);
    return agent;
  }

  // Decided for each connection rather than each call, because a redirect may lead from one side to the other.
  const dispatcher = new Agent().compose((dispatchDirectly) => (options, handler) => {
    const proxy = options.origin === undefined ? undefined : route(new URL(options.origin));
    return proxy === undefined
      ? dispatchDirectly(options, handler)
      : agentOf(proxy).dispatch(options, handler);
  });
  return ((input: string, init: object) => fetch(input, { ...init, dispatcher })) as unknown as Fetch;
}

/** The library reports a proxy that refuses as an abort, which nobody asked for and which hides the reason. */
function withPlainRefusals(pool: Pool): Pool {
  const connect = pool.connect.bind(pool) as (options: object) => Promise<Dispatcher.ConnectData>;
  return Object.assign(pool, {
    async connect(options: object) {
      const answer = await connect(options);
      if (answer.statusCode === 200) return answer;
      answer.socket.on("error", () => {}).destroy();
      throw new ProxyRefusalError(answer.statusCode);
    },
  }) as Pool;
}

/** Credentials travel apart from the address, so that no error of a connection can show them. */
function toAgentOptions(proxy: URL): ProxyAgent.Options {
  const [username, password] = [decodeURIComponent(proxy.username), decodeURIComponent(proxy.password)];
  const uri = `${proxy.protocol.replace(/^socks.*/, "socks5:")}//${proxy.host}`;
  // Many proxies allow tunnels only to port 443: plain HTTP is asked for by its full address.
  const options = { uri, proxyTunnel: false };
  if (username === "" && password === "") return options;
  if (uri.startsWith("socks5:")) return Object.assign(options, { username, password });
  return { ...options, token: `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}` };
}

/** The loaded `fetch` knows neither the built-in Request nor FormData: both are taken apart into plain values. */
async function toPlainArguments(
  input: Parameters<Fetch>[0],
  init: Parameters<Fetch>[1],
): Promise<[string, RequestInit]> {
  const isPlain = !(input instanceof Request) && !(init?.body instanceof FormData);
  if (isPlain) return [String(input), init ?? {}];
  const request = new Request(input, init);
  const body = request.body === null ? undefined : await request.arrayBuffer();
  const { url, method, headers, redirect, signal } = request;
  return [url, { method, headers, redirect, signal, ...(body && { body }) }];
}

type NoProxy = (url: URL) => boolean;

type Matcher = (host: string) => boolean;

const defaultPorts: Record<string, string> = { "http:": "80", "https:": "443" };

/** Entries that make no sense are passed over: the variable is shared with programs that may know them. */
export function parseNoProxy(value: string): NoProxy {
  const entries = value
    .split(/[\s,;]+/)
    .map(parseEntry)
    .filter((entry) => entry !== undefined);
  return (url) => {
    const host = toPlainHost(url.hostname);
    const port = url.port || defaultPorts[url.protocol];
    return entries.some((entry) => (entry.port === undefined || entry.port === port) && entry.matches(host));
  };
}

function parseEntry(text: string): { matches: Matcher; port?: string } | undefined {
  const entry = text.trim().toLowerCase();
  if (entry === "*") return { matches: () => true };
  const { host, port } = splitPort(entry);
  const matches = toMatcher(host);
  return matches && { matches, ...(port !== undefined && { port }) };
}

/** `name:8080`, `[::1]:8080`; the colons of a bare IPv6 address are not a port's. */
function splitPort(entry: string): { host: string; port?: string } {
  const bracketed = /^\[([^\]]*)\](?::(\d+))?$/.exec(entry);
  const [, host, port] = bracketed ?? /^([^:]*):(\d+)$/.exec(entry) ?? [undefined, entry, undefined];
  return { host: host ?? "", ...(port !== undefined && { port: String(Number(port)) }) };
}

function toMatcher(entry: string): Matcher | undefined {
  const [address = "", prefix] = entry.split("/");
  const version = isIP(address);
  if (version !== 0) return toAddressMatcher(address, version, prefix);
  const name = entry.replace(/^\*?\./, "").replace(/\.$/, "");
  if (name.includes("*")) return toWildcardMatcher(name);
  const ascii = domainToASCII(name);
  if (ascii === "") return undefined;
  return (host) => host === ascii || host.endsWith(`.${ascii}`);
}

function toAddressMatcher(address: string, version: number, prefix: string | undefined): Matcher | undefined {
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : Number(prefix);
  if (prefix === "" || !Number.isInteger(length) || length < 0 || length > bits) return undefined;
  const range = new BlockList();
  range.addSubnet(address, length, version === 4 ? "ipv4" : "ipv6");
  return (host) => {
    const hostVersion = isIP(host);
    return hostVersion !== 0 && range.check(host, hostVersion === 4 ? "ipv4" : "ipv6");
  };
}

function toWildcardMatcher(name: string): Matcher {
  const source = name
    .split(/\*+/)
    .map((piece) => piece.replaceAll(/[^a-z0-9]/g, "\\$&"))
    .join("[^/]*");
  const pattern = new RegExp(`^${source}$`);
  return (host) => pattern.test(host);
}
