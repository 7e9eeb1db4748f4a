// What a command asks for beyond its sandbox: hosts, writable paths, or to run outside. Says what a person has to know
// about it, and what is refused for everyone. Without a sandbox it says the same.
import { isIP } from "node:net";
import { join } from "node:path";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { classifyAddress, createAddressSet, toPlainHost } from "../../lib/network/ip-address.ts";
import { toOneLine } from "../../lib/text.ts";
import type { Effect } from "../../runner/tool.ts";
import type { FileRoots } from "../files/file-roots.ts";
import { isInside, toAbsolutePath, toRealRoot } from "../files/real-path.ts";
import { keyPlaces } from "../sandbox/sandbox-places.ts";

export interface LeaveOptions {
  roots: FileRoots;
  /** The owner's: all of it that commands may write is writable. */
  workspace: string;
  /** Of the user. */
  home: string;
  /** Private networks (CIDR) that commands may reach. */
  allowedNetworks?: readonly string[];
}

export interface Leave {
  reasons: Phrase[];
  refusals: Phrase[];
}

type Run = Pick<Effect & { type: "run" }, "network" | "writable" | "outside">;

const privateName =
  /^[^.]*$|(^|\.)(localhost|local|internal|intranet|lan|home|corp|private|home\.arpa|localdomain)$/;
const hostName = /^(\*\.)?([\p{L}\p{N}_-]+\.)*[\p{L}\p{N}_-]+(:\d{1,5})?$|^\[[\da-f:.]+\](:\d{1,5})?$/iu;

export function createLeaveCheck(options: LeaveOptions): (run: Run) => Leave {
  const { roots, home, allowedNetworks = [] } = options;
  const workspace = toRealRoot(options.workspace);
  const isAllowed = createAddressSet(allowedNetworks);

  function refuseHost(host: string): Phrase[] {
    const shown = toOneLine(host, 100);
    if (!hostName.test(host) || /^\*\.[^.]*$/.test(host))
      return [phrase("approval.bad-host", { host: shown })];
    const name = toPlainHost(host.replace(/:\d+$/, "").replace(/^\*\./, ""));
    const kind = isIP(name) === 0 ? (privateName.test(name) ? "private" : "public") : classifyAddress(name);
    const isOpen = kind === "public" || (isIP(name) === 0 ? allowedNetworks.length > 0 : isAllowed(name));
    return isOpen ? [] : [phrase("approval.private-address", { host: shown, kind })];
  }

  function refusePath(path: string): Phrase[] {
    const real = toRealRoot(toAbsolutePath(path, "/"));
    const shown = toOneLine(path, 120);
    if (real === "/") return [phrase("approval.system", { path: shown })];
    if (keyPlaces.some((name) => isInside(real, toRealRoot(join(home, name))))) {
      return [phrase("approval.secret", { path: shown })];
    }
    const isKept = isInside(real, workspace) || isInside(workspace, real);
    return isKept || roots.isOwn(real) || roots.holdsHome(real)
      ? [phrase("approval.own", { path: shown })]
      : [];
  }

  return ({ network, writable = [], outside = false }) => {
    const hosts = network === undefined || network === true ? [] : network;
    return {
      refusals: [...hosts.flatMap(refuseHost), ...writable.flatMap(refusePath)],
      reasons: [
        ...(outside ? [phrase("approval.wants-outside")] : []),
        ...(network === true ? [phrase("approval.wants-network")] : []),
        ...(hosts.length > 0 ? [phrase("approval.wants-hosts", { hosts: hosts.join(", ") })] : []),
        ...(writable.length > 0 ? [phrase("approval.wants-writable", { paths: writable.join(", ") })] : []),
      ],
    };
  };
}
