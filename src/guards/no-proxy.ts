// The variable NO_PROXY: which addresses are reached without a proxy. Every program reads it a little differently;
// this understands `*`, names with all below them, ports, IP addresses, ranges (CIDR) and `192.168.*`.
import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";
import { toPlainHost } from "../lib/loopback.ts";

export type NoProxy = (url: URL) => boolean;

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
