// Whether a host name means this very machine, without asking anyone to resolve it.
import { BlockList, isIP } from "node:net";

const addresses = new BlockList();
addresses.addSubnet("127.0.0.0", 8, "ipv4");
addresses.addAddress("::1", "ipv6");
// Connecting to "any address" reaches this machine too.
addresses.addAddress("0.0.0.0", "ipv4");
addresses.addAddress("::", "ipv6");

/** Takes the host name of a URL, with or without the brackets of an IPv6 address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = toPlainHost(hostname);
  const version = isIP(host);
  if (version === 0) return host === "localhost" || host.endsWith(".localhost");
  return addresses.check(host, version === 4 ? "ipv4" : "ipv6");
}

/** Without brackets and the dot of the root, in lower case. */
export function toPlainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
