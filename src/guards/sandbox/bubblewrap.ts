// The sandbox of Linux: a new root of its own in which only what is bound exists, in namespaces of its own, by the
// program bwrap. Everything in it ends with it, and it ends with us, however we end.
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmdirSync,
  writeFileSync,
} from "node:fs";
import { release, totalmem } from "node:os";
import { join } from "node:path";
import { workerPath } from "../../lib/package-root.ts";
import { isAlive } from "../../lib/process/is-alive.ts";
import { lookAt, lookBehindLinks } from "../../storage/files/file-stamp.ts";
import { codeOf } from "../files/file-error.ts";
import { isInside } from "../files/real-path.ts";
import type { Container } from "./sandbox.ts";
import type { Place } from "./sandbox-places.ts";

const systemFolders = ["/usr", "/nix/store", "/gnu/store", "/run/current-system"];
/** Folders of their own, or links into /usr. */
const oldFolders = ["/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32"];
/** Closed to everyone; for root also whatever in /etc is not readable by all. */
const secretsOfSystem = ["shadow", "gshadow", "sudoers", "sudoers.d", "ssh", "ssl/private"];

const gibibyte = 1024 ** 3;
const mostProcesses = 512;
const mostMemory = 4 * gibibyte;
/** Each of /tmp, /dev/shm and the empty home, which are memory. */
const largestFolder = gibibyte;

/** Nothing of our own environment goes along. */
const probing = { timeout: 5000, encoding: "utf8", env: { PATH: "/usr/bin:/bin" } } as const;

/** Where it does not work: what bwrap said, and whether that is an answer. One that was ended, as on a busy machine, gave none. */
export interface BubblewrapProblem {
  detail: string;
  isAnswer: boolean;
}

export function openBubblewrap(program: string): Container | BubblewrapProblem {
  const help = spawnSync(program, ["--help"], probing);
  if (help.signal !== null) return toProblem(help);
  const container = createBubblewrap(program, help.stdout ?? "");
  const place = { folder: "/", places: [], userFolder: "/root", network: "none" } as const;
  const { file, args } = container.wrap({ words: ["true"], ...place });
  const probe = spawnSync(file, args, probing);
  return probe.status === 0 ? container : toProblem(probe);
}

function toProblem({ status, signal, stderr, error }: SpawnSyncReturns<string>): BubblewrapProblem {
  const said = stderr?.trim().split("\n").at(-1);
  return {
    detail: said || error?.message || `bwrap ended with ${signal ?? status}`,
    isAnswer: signal === null,
  };
}

function createBubblewrap(program: string, help: string): Container {
  const hasSize = help.includes("--size ");
  const quota = findProcessQuota();
  const fixed = [
    ...["user", "pid", "ipc", "uts"].map((name) => `--unshare-${name}`),
    "--unshare-cgroup-try",
    ...(help.includes("--disable-userns") ? ["--disable-userns"] : []),
    // As root it would keep them all, and could take away what covers the secrets.
    ...["--cap-drop", "ALL"],
    ...["--new-session", "--die-with-parent", "--hostname", "nanobot"],
    ...bindSystem(),
    ...["--proc", "/proc", "--dev", "/dev"],
    ...["/dev/shm", "/tmp", "/var/tmp"].flatMap(toEmptyFolder),
  ];

  function toEmptyFolder(path: string): string[] {
    return [...(hasSize ? ["--size", String(largestFolder)] : []), "--tmpfs", path];
  }

  return {
    name: "bubblewrap",
    wrap({ words, folder, places, userFolder, network }) {
      const args = [
        ...fixed,
        ...bindDevices(),
        ...(network === "all" ? bindResolver() : ["--unshare-net"]),
        ...(typeof network === "object" ? bindBridge(network.socket) : []),
        ...(isAroundSystem(userFolder) ? [] : toEmptyFolder(userFolder)),
        ...places.flatMap(toBind),
        // Last, because mounts inside of them need a place. To root, half of /proc/sys would be writable otherwise.
        ...["/", "/dev", "/proc", ...places.filter(isCover).map(({ path }) => path)].flatMap((path) => [
          "--remount-ro",
          path,
        ]),
        ...["--chdir", folder, "--", ...toLimited(typeof network === "object" ? toBridged(words) : words)],
      ];
      const [file = program, ...rest] = [...quota, program, ...args];
      const env = { TMPDIR: "/tmp", ...(typeof network === "object" && proxyVariables) };
      return { file, args: rest, env, cwd: "/", hasLifeline: true };
    },
  };
}

/** A daemon's home may be `/`. */
function isAroundSystem(folder: string): boolean {
  return [...systemFolders, ...oldFolders, "/etc"].some((path) => isInside(path, folder));
}

function bindSystem(): string[] {
  const links = oldFolders.flatMap((path) => {
    const status = lookAt(path);
    if (status === undefined) return [];
    return status.isSymbolicLink() ? ["--symlink", readlinkSync(path), path] : ["--ro-bind", path, path];
  });
  const folders = systemFolders.flatMap((path) => ["--ro-bind-try", path, path]);
  return [...folders, ...links, "--ro-bind-try", "/etc", "/etc", ...coverSecrets()];
}

const devices: Array<[name: string, major: number, minor: number]> = [
  ["null", 1, 3],
  ["zero", 1, 5],
  ["full", 1, 7],
  ["random", 1, 8],
  ["urandom", 1, 9],
  ["tty", 5, 0],
];
const deviceFolder = "/dev/nanobot";
const openDevice = 0o666;

/** Whom nobody is, in the sandbox and outside. */
const nobody = 65_534;

/**
 * To root belong the devices of the system, which bwrap shows as they are: a command could take them away from everyone
 * by changing their modes. So root's commands have nodes that belong to nobody, whose modes no command may change.
 */
function bindDevices(): string[] {
  if (process.getuid?.() !== 0) return [];
  mkdirSync(deviceFolder, { recursive: true, mode: 0o755 });
  return devices.flatMap(([name, major, minor]) => {
    const path = join(deviceFolder, name);
    const status = lookAt(path);
    if (status === undefined)
      spawnSync("mknod", ["-m", "666", path, "c", String(major), String(minor)], probing);
    else if ((status.mode & 0o777) !== openDevice) chmodSync(path, openDevice);
    if (status?.uid !== nobody) chownSync(path, nobody, nobody);
    return ["--dev-bind", path, `/dev/${name}`];
  });
}

function coverSecrets(): string[] {
  const named = secretsOfSystem.map((name) => join("/etc", name));
  const isRoot = process.getuid?.() === 0;
  return [...new Set([...named, ...(isRoot ? listClosed("/etc") : [])])].flatMap((path) => {
    const status = lookBehindLinks(path);
    return status === undefined ? [] : toBind({ path, access: "none", isFolder: status.isDirectory() });
  });
}

/** What the system itself does not show to everyone: the only files there that root sees and others do not. */
function listClosed(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const status = lookAt(path);
    if (status === undefined || status.isSymbolicLink()) return [];
    if ((status.mode & 0o004) === 0) return [path];
    return status.isDirectory() ? listClosed(path) : [];
  });
}

function toBind({ path, access, isFolder }: Place): string[] {
  if (access !== "none") return [access === "write" ? "--bind" : "--ro-bind", path, path];
  return isFolder ? ["--tmpfs", path] : ["--ro-bind", "/dev/null", path];
}

function isCover({ access, isFolder }: Place): boolean {
  return access === "none" && isFolder;
}

/** /etc/resolv.conf is often a link to what a service keeps in /run. */
function bindResolver(): string[] {
  try {
    const path = realpathSync("/etc/resolv.conf");
    return isInside(path, "/etc") ? [] : ["--ro-bind", path, path];
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return [];
  }
}

const bridge = workerPath("guards/sandbox/network-bridge.ts");
/** Its ending says what it is, wherever the package says it otherwise. */
const bridgeInside = `/run/nanobot/bridge.m${bridge.endsWith(".ts") ? "ts" : "js"}`;
const socketInside = "/run/nanobot/proxy.sock";
const bridgePort = "3128";
const proxyAddress = `http://127.0.0.1:${bridgePort}`;
const proxyVariables = {
  ...Object.fromEntries(
    ["http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"].map((name) => [
      name,
      proxyAddress,
    ]),
  ),
  ...Object.fromEntries(["no_proxy", "NO_PROXY"].map((name) => [name, "localhost,127.0.0.1,::1"])),
  NODE_USE_ENV_PROXY: "1",
};

function bindBridge(socket: string): string[] {
  const node = realpathSync(process.execPath);
  const shown = isInside(node, "/usr") ? [] : ["--ro-bind", node, node];
  return [...shown, "--ro-bind", bridge, bridgeInside, "--bind", socket, socketInside];
}

function toBridged(words: readonly string[]): string[] {
  const node = realpathSync(process.execPath);
  return [node, "--no-warnings", bridgeInside, socketInside, bridgePort, ...words];
}

/**
 * Limits of each process, set from inside; hard ones, so that nothing in there can raise them. Then someone who ends
 * everything in there when we are gone: bwrap notices it as well, but not while it still makes the sandbox.
 */
function toLimited(words: readonly string[]): string[] {
  const memory = Math.floor(Math.min(mostMemory, totalmem() / 2) / 1024);
  const script = `ulimit -u ${processLimit()} 2>/dev/null || ulimit -p ${processLimit()} 2>/dev/null
ulimit -d ${memory} 2>/dev/null
{ true <&3; } 2>/dev/null || exec "$@"
( (read -r _ <&3; kill -9 -1) >/dev/null 2>&1 & )
exec "$@" 3<&-`;
  return ["/bin/sh", "-c", script, "sh", ...words];
}

/** Before Linux 5.14 everything that the person runs is counted, not only what is in the sandbox. */
function processLimit(): number {
  const [major = 0, minor = 0] = release().split(".").map(Number);
  return major > 5 || (major === 5 && minor >= 14) ? mostProcesses : 8 * mostProcesses;
}

/** Of all commands of this program together when we are root, to whom the usual limit does not apply. */
const processQuota = 1024;
/** Of the second version of control groups, and of the first. */
const hierarchies = ["/sys/fs/cgroup", "/sys/fs/cgroup/pids"];

/** The words to start a program with so that it counts; none where there is no quota, or no need of one. */
function findProcessQuota(): string[] {
  if (process.getuid?.() !== 0) return [];
  const group = hierarchies.map(makeGroup).find((path) => path !== undefined);
  if (group === undefined) return [];
  return ["/bin/sh", "-c", '{ echo $$ > "$0"; } 2>/dev/null; exec "$@"', join(group, "cgroup.procs")];
}

const groupName = /^nanobot-(\d+)$/;
const own = `nanobot-${process.pid}`;

function makeGroup(hierarchy: string): string | undefined {
  const group = join(hierarchy, own);
  try {
    removeUnused(hierarchy);
    const children = join(hierarchy, "cgroup.subtree_control");
    if (hierarchy === "/sys/fs/cgroup" && !/\bpids\b/.test(readFileSync(children, "latin1"))) {
      writeFileSync(children, "+pids");
    }
    mkdirSync(group, { recursive: true });
    writeFileSync(join(group, "pids.max"), String(processQuota));
    return group;
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

/** Groups of programs that have ended. One that still holds a process stays, and is removed later. */
function removeUnused(hierarchy: string): void {
  for (const name of readdirSync(hierarchy)) {
    const pid = Number(groupName.exec(name)?.[1]);
    if (Number.isNaN(pid) || isAlive(pid)) continue;
    try {
      rmdirSync(join(hierarchy, name));
    } catch (error) {
      if (codeOf(error) === undefined) throw error;
    }
  }
}
