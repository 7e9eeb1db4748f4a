// Which requests are answered at all: by the name that they ask for and the page that they come from. A page of someone
// else must not use the browser of the owner against the owner, under no name that leads here.
import { isIP } from "node:net";
import { isLoopbackHost, toPlainHost } from "../../lib/network/ip-address.ts";

export interface VisitorRules {
  /** Where the server listens. */
  host: string;
  /** Under which a proxy shows the server to the world. */
  publicUrl?: string;
  /** Another one, where it is mounted next to others. */
  mountUrl?: string;
}

/** One header of a request; nothing where it has none. */
export type ReadHeader = (name: string) => string | null | undefined;

/** Why a request is not answered; undefined when it is. */
export type FindRefusal = (read: ReadHeader) => "unknownName" | "otherPage" | undefined;

export function createVisitorCheck({ host, publicUrl, mountUrl }: VisitorRules): FindRefusal {
  const publicAddresses = [publicUrl, mountUrl].flatMap((url) => (url === undefined ? [] : [new URL(url)]));
  const isKnown = (name: string) =>
    isLoopbackHost(name) ||
    publicAddresses.some(({ hostname }) => name === toPlainHost(hostname)) ||
    (!isWildcard(host) && name === toPlainHost(host));
  // A name can be made to lead anywhere, also here (DNS rebinding); an address cannot. Programs are not led by pages.
  const isAllowed = (name: string, isBrowser: boolean) =>
    isKnown(name) || (isWildcard(host) && name !== "" && (isIP(name) !== 0 || !isBrowser));

  return (read) => {
    const requestedUrl = toUrl(`http://${read("host") ?? ""}`);
    const origin = read("origin") ?? undefined;
    const isBrowser = origin !== undefined || (read("sec-fetch-site") ?? undefined) !== undefined;
    if (!isAllowed(toPlainHost(requestedUrl?.hostname ?? ""), isBrowser)) return "unknownName";
    // Another site's page can only lead a person here by a link.
    const isForeign = read("sec-fetch-site") === "cross-site" && read("sec-fetch-mode") !== "navigate";
    if (origin === undefined) return isForeign ? "otherPage" : undefined;
    const page = toUrl(origin);
    const isSame =
      page !== undefined &&
      (page.host === requestedUrl?.host ||
        publicAddresses.some(({ origin: known }) => page.origin === known));
    return isSame ? undefined : "otherPage";
  };
}

/** Whether only this machine can reach what listens there. */
export function isLocalAddress(host: string): boolean {
  return !isWildcard(host) && isLoopbackHost(host);
}

function isWildcard(host: string): boolean {
  return ["0.0.0.0", "::", "0:0:0:0:0:0:0:0"].includes(toPlainHost(host));
}

function toUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
