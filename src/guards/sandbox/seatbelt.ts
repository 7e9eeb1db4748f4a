// The sandbox of macOS: a profile for the program sandbox-exec, in which the last rule that fits counts. It hides and
// confines like the one of Linux, but everything happens in the one file system and the one list of processes.
import type { Container } from "./sandbox.ts";
import type { Place } from "./sandbox-places.ts";

export const sandboxExec = "/usr/bin/sandbox-exec";

const hidden = [
  "/Users",
  "/Volumes",
  "/Network",
  "/private/var",
  "/private/tmp",
  "/Library/Keychains",
  "/private/etc/ssh",
  "/private/etc/sudoers",
  "/private/etc/master.passwd",
];
/** Hidden paths that programs need to start. */
const shown = ["/private/var/db/timezone", "/private/var/db/dyld", "/private/var/select"];
const devices = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper", "/dev/stdout", "/dev/stderr"];
const services = [
  "com.apple.system.opendirectoryd.libinfo",
  "com.apple.system.opendirectoryd.membership",
  "com.apple.system.notification_center",
  "com.apple.system.logger",
  "com.apple.bsd.dirhelper",
];
/** Names and certificates are looked up by these. */
const networkServices = [
  "com.apple.dnssd.service",
  "com.apple.SystemConfiguration.configd",
  "com.apple.trustd.agent",
];

/** `temporaryFolder` is the only writable place other than the person's. */
export function createSeatbelt(temporaryFolder: string): Container {
  return {
    name: "seatbelt",
    wrap({ words, folder, places, network }) {
      const hasNetwork = network === "all";
      const own: Place = { path: temporaryFolder, access: "write", isFolder: true };
      const profile = toProfile([own, ...places], hasNetwork);
      const env = { TMPDIR: temporaryFolder };
      return { file: sandboxExec, args: ["-p", profile, ...words], env, cwd: folder };
    },
  };
}

export function toProfile(places: readonly Place[], hasNetwork: boolean): string {
  return [
    "(version 1)",
    "(deny default)",
    "(allow process-exec process-fork)",
    "(allow process-info* signal (target same-sandbox))",
    "(allow sysctl-read ipc-posix-sem ipc-posix-shm pseudo-tty)",
    `(allow mach-lookup ${[...services, ...(hasNetwork ? networkServices : [])].map(toService).join(" ")})`,
    "(allow file-read*)",
    `(deny file-read* ${hidden.map(toSubpath).join(" ")})`,
    "(allow file-read-metadata)",
    `(allow file-read* ${shown.map(toSubpath).join(" ")})`,
    `(allow file-write* file-ioctl ${devices.map(toLiteral).join(" ")} (regex #"^/dev/ttys[0-9]+$"))`,
    ...places.map(toRule),
    hasNetwork ? "(allow network* system-socket)" : "(deny network*)",
  ].join("\n");
}

function toRule({ path, access, isFolder }: Place): string {
  const where = isFolder ? toSubpath(path) : toLiteral(path);
  if (access === "none") return `(deny file-read* file-write* ${where})`;
  const read = `(allow file-read* ${where})`;
  return access === "write" ? `${read} (allow file-write* ${where})` : `${read} (deny file-write* ${where})`;
}

function toService(name: string): string {
  return `(global-name ${quote(name)})`;
}

function toSubpath(path: string): string {
  return `(subpath ${quote(path)})`;
}

function toLiteral(path: string): string {
  return `(literal ${quote(path)})`;
}

function quote(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}
