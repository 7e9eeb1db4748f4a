// Whether a host name means this very machine, without asking anyone to resolve it.
import { isIP } from "node:net";
import { classifyAddress } from "./ip-address.ts";

/** Takes the host name of a URL, with or without the brackets of an IPv6 address. */
export function isLoopbackHost(hostname: string): boolean {
  const host = toPlainHost(hostname);
  if (host === "127.0.0.1" || host === "::1") return true;
  if (isIP(host) === 0) return host === "localhost" || host.endsWith(".localhost");
  // Connecting to "any address" reaches this machine too.
  return ["loopback", "unspecified"].includes(classifyAddress(host));
}

/** Without brackets and the dot of the root, in lower case. */
export function toPlainHost(hostname: string): string {
  return hostname
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
}
