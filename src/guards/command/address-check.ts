// Whether a word names an address that commands must not reach: of a private network, or of this machine. Names that have
// to be resolved first are the sandbox's and the owner's business.
import { isIP } from "node:net";
import { phrase } from "../../i18n/phrase.ts";
import { classifyAddress } from "../../lib/ip-address.ts";
import { toPlainHost } from "../../lib/loopback.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Concern } from "./simple-command.ts";

export type AddressCheck = (word: string, isSure: boolean) => Concern[];

const privateNames =
  /(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$|^(ip6-|metadata$)/;

/** `isAllowed` is for networks that the owner opened. */
export function createAddressCheck(isAllowed: (address: string) => boolean): AddressCheck {
  return (word, isSure) => {
    const host = toHost(word, isSure);
    if (host === undefined) return [];
    const kind = isIP(host) === 0 ? (privateNames.test(host) ? "private" : "public") : classifyAddress(host);
    if (kind === "public" || isAllowed(host)) return [];
    return [
      {
        severity: "refused",
        reason: phrase("approval.private-address", { host: toOneLine(host, 100), kind }),
      },
    ];
  };
}

/** Of `https://u@h:1/x`, `h:80`, `u@h:path`, `::1`; undefined for what is no address at all. */
function toHost(word: string, isSure: boolean): string | undefined {
  if (isIP(word.split("%")[0] ?? "") !== 0) return word;
  const [, scheme, rest = word] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/is.exec(word) ?? [];
  // A small number is a port or a count, unless it stands where an address has to.
  if (scheme === undefined && !isSure && /^\d{0,7}$/.test(rest)) return undefined;
  if (scheme === undefined && !/^([\w-]+@)?(\[[^\]]*\]|[\w.-]+)(:|\/|$)/.test(rest)) return undefined;
  const plain = rest.replace(/^([^/?#]*?):(?!\d+([/?#]|$))/, "$1/");
  return URL.canParse(`http://${plain}`) ? toPlainHost(new URL(`http://${plain}`).hostname) : undefined;
}
