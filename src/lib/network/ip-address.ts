// What an IP address is for: public, or of a range that leads into a machine or a private network. Judges
// addresses as they come from a resolver or a URL; of names it knows only those of this machine.
import { BlockList, isIP } from "node:net";

export type AddressSet = (address: string) => boolean;

/** IANA's special-purpose registries; inner ranges come first. */
const special: Array<[kind: string, ...networks: string[]]> = [
  ["unspecified", "0.0.0.0/8", "::/128"],
  ["loopback", "127.0.0.0/8", "::1/128"],
  ["private", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7", "fec0::/10"],
  ["link-local", "169.254.0.0/16", "fe80::/10"],
  ["carrier NAT", "100.64.0.0/10"],
  // Azure answers every guest there, with its secrets too.
  ["cloud-internal", "168.63.129.16/32"],
  ["multicast", "224.0.0.0/4", "ff00::/8"],
  ["benchmarking", "198.18.0.0/15", "2001:2::/48"],
  ["documentation", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32", "3fff::/20"],
  // 6to4 and its relays, Teredo, translation within a site: each carries an IPv4 address that may be
  // anything. ISATAP does, too.
  ["transition", "192.88.99.0/24", "2002::/16", "2001::/32", "64:ff9b:1::/48"],
  ["reserved", "192.0.0.0/24", "240.0.0.0/4", "2001::/23"],
];

let kinds: Array<[string, AddressSet]> | undefined;

/** "public", or what else it is, in a word or two. */
export function classifyAddress(address: string): string {
  if (isIP(address) === 0) return "not an address";
  // With a zone: it means something on one link only.
  if (address.includes("%")) return "link-local";
  kinds ??= special.map(([kind, ...networks]) => [kind, createAddressSet(networks)]);
  const plain = unwrapAddress(address);
  const matchingKind = kinds.find(([, contains]) => contains(plain));
  if (matchingKind !== undefined) return matchingKind[0];
  if (isIP(plain) === 4) return "public";
  const [first = 0, , , , fifth = 0, sixth] = toGroups(plain);
  if ((fifth & 0xfcff) === 0 && sixth === 0x5efe) return "transition";
  // All of IPv6 that has been given out is 2000::/3.
  return first >> 13 === 1 ? "public" : "reserved";
}

/** Of networks (`10.0.0.0/8`) and single addresses. Throws for anything else. */
export function createAddressSet(networks: readonly string[]): AddressSet {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = familyOf(address);
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = unwrapAddress(address);
    return isIP(plain) !== 0 && list.check(plain, familyOf(plain));
  };
}

/** The IPv4 address inside of a mapped one, or inside of what a translating resolver answers (NAT64). */
export function unwrapAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes("%")) return address;
  const groups = toGroups(address);
  const start = groups.slice(0, 6).join(":");
  if (start !== "0:0:0:0:0:65535" && start !== "100:65435:0:0:0:0") return address;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join(".");
}

/** The eight numbers of an IPv6 address, whichever way it is spelled. */
function toGroups(address: string): number[] {
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [left = [], right = []] = canonical
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16))));
  return [...left, ...new Array<number>(8 - left.length - right.length).fill(0), ...right];
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

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
