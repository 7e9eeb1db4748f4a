// The wall around commands, where the system has one: who is contained by what, and why not. Finds out once, when it is
// first asked. Does not decide what may run; it only says how a command is started.
import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import type { Origin } from "../../bus/types.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type CommandAccess, ToolError } from "../../runner/tool.ts";
import { isInside } from "../files/real-path.ts";
import { openBubblewrap } from "./bubblewrap.ts";
import { openRuntime, type RuntimeSettings } from "./container-runtime.ts";
import { GitGuard } from "./git-guard.ts";
import { openHostProxy, type ProxyOptions } from "./host-proxy.ts";
import type { FindPlaces, Place } from "./sandbox-places.ts";
import { createSeatbelt, sandboxExec } from "./seatbelt.ts";

/** auto: where there is one; required: no command without; off: never. */
export type SandboxMode = "auto" | "required" | "off";

/** How a program is started. */
export interface Launch {
  file: string;
  args: string[];
  env: Record<string, string>;
  cwd: string;
  /** It ends when its starter closes file descriptor 3, a pipe. */
  hasLifeline?: boolean;
  /** To be called when it has ended, or was not started after all. Says what the model should know about it; may be called again. */
  release?(): Promise<string[]>;
}

/** A command as a container sees it. Places go from the general to the particular. */
export interface ContainedCommand {
  words: readonly string[];
  folder: string;
  places: readonly Place[];
  /** Exists, and is empty. */
  userFolder: string;
  /** Of the proxy through which it reaches some hosts. */
  network: "none" | "all" | { socket: string };
  /** Names of those that it gets. */
  variables?: readonly string[];
}

/** One system's way to confine. `env` of what it gives back is added to the command's own. */
export interface Container {
  name: "bubblewrap" | "seatbelt" | "runtime";
  wrap(command: ContainedCommand): Launch;
}

export type SandboxState =
  | { isContained: true; name: Container["name"] }
  | { isContained: false; reason: "off" | "missing" | "unsupported" }
  /** It is installed, but the system does not let it work. */
  | { isContained: false; reason: "forbidden" | "container" | "runtime"; detail: string };

/** What a person is told about it: which one there is, or why none and what to do. */
export function toSandboxPhrase(state: SandboxState): Phrase {
  if (state.isContained) return phrase(`sandbox.${state.name}`);
  if (state.reason === "runtime") return phrase("sandbox.runtime-fails", { detail: state.detail });
  if (state.reason === "forbidden" || state.reason === "container")
    return phrase(`sandbox.${state.reason}`, { detail: state.detail });
  return phrase(`sandbox.${state.reason}`);
}

export interface SandboxedCommand {
  words: readonly [program: string, ...args: string[]];
  /** `path` leads into the folder from here, `realPath` is its name. */
  folder: { path: string; realPath: string };
  env: Record<string, string>;
  origin: Origin;
  /** Its grants. */
  access?: CommandAccess;
  /** It outlives its call, so that what it changes in a repository could not be looked at for hours. */
  isLeftRunning?: boolean;
}

export interface Sandbox {
  state(): SandboxState;
  /** Whether commands are confined. */
  isContained(): boolean;
  /** Looks at what commands left that were cut off by the end of an earlier process; the paths of what was set aside. */
  finishLeft(): Promise<string[]>;
  /** Refuses with a ToolError when a sandbox is required and there is none. */
  wrap(command: SandboxedCommand): Promise<Launch>;
}

export interface SandboxOptions {
  mode: SandboxMode;
  places: FindPlaces;
  /** Where its program is looked for: a PATH. */
  path: string;
  userFolder: string;
  platform?: NodeJS.Platform;
  /** Default: by the marks that Docker and Podman leave. */
  isInContainer?: boolean;
  /** Of the home: where commands are noted while they run. */
  runFolder?: string;
  /** That the owner names, for systems without another sandbox. */
  runtime?: RuntimeSettings | undefined;
  /** Of hosts that were granted. */
  proxy?: ProxyOptions;
}

type Found = { container: Container } | Exclude<SandboxState, { isContained: true }>;

/** How often a program is asked that gives no answer: each time takes as long as its limit. */
const mostTries = 3;

export function createSandbox(options: SandboxOptions): Sandbox {
  let found: Found | undefined;
  let tries = 0;
  const guard = new GitGuard(options.runFolder);
  const find = (): Found => {
    if (found !== undefined) return found;
    tries += 1;
    const { isAnswer, ...now } = findContainer(options);
    if (isAnswer || tries === mostTries) found = now;
    return now;
  };
  return {
    state() {
      const now = find();
      return "container" in now ? { isContained: true, name: now.container.name } : now;
    },
    isContained: () => "container" in find(),
    finishLeft: () => guard.finishLeft(),
    async wrap(command) {
      const now = find();
      const isOutside = command.access?.outside === true;
      if ("container" in now && !isOutside) return contain(now.container, command, { ...options, guard });
      if (options.mode === "required") throw new ToolError("container" in now ? noWayOut : describeLack(now));
      const [file, ...args] = command.words;
      return { file, args, env: command.env, cwd: command.folder.path };
    },
  };
}

/** No wall at all. */
export const openSandbox: Sandbox = createSandbox({
  mode: "off",
  places: async () => ({ places: [], writable: [], release() {} }),
  path: "",
  userFolder: "/",
});

const noWayOut = 'No command leaves the sandbox here (tools.exec.sandbox is "required"). Do without outside.';

async function contain(
  container: Container,
  { words, folder, env, origin, access = {}, isLeftRunning }: SandboxedCommand,
  { places: findPlaces, userFolder, guard, proxy: proxyOptions = {} }: SandboxOptions & { guard: GitGuard },
): Promise<Launch> {
  const { places, writable, release } = await findPlaces(origin, {
    writable: access.writable,
    isLeftRunning,
  });
  const around = places.findLast(({ path }) => isInside(folder.realPath, path));
  if (around === undefined || around.access === "none") {
    release();
    throw new ToolError(
      `Commands run in a sandbox that does not show ${folder.realPath}. Use a folder of the workspace; the user can show others to it (tools.exec.sandboxRoBinds).`,
    );
  }
  const { network = [] } = access;
  const isByHost = network !== true && network.length > 0;
  if (isByHost && container.name !== "bubblewrap") {
    release();
    throw new ToolError('The sandbox of this system cannot grant single hosts. Ask for any: network: ["*"].');
  }
  const watch = await guard.begin(writable);
  const proxy = isByHost ? await openHostProxy(network, proxyOptions) : undefined;
  const launch = container.wrap({
    words,
    folder: folder.realPath,
    places,
    userFolder,
    network: proxy ?? (network === true ? "all" : "none"),
    variables: Object.keys(env),
  });
  const settle = async () => {
    await launch.release?.();
    release();
    await proxy?.close();
    return [...describeRefused(proxy?.refused), ...describeAside(await watch.end())];
  };
  let settled: Promise<string[]> | undefined;
  return {
    ...launch,
    env: { ...env, ...launch.env },
    release() {
      settled ??= settle();
      return settled;
    },
  };
}

function describeRefused(refused: ReadonlySet<string> = new Set()): string[] {
  if (refused.size === 0) return [];
  const hosts = JSON.stringify([...refused]);
  return [
    `(Not reached, because only the hosts in network are: ${hosts}. To ask for them, call again with network.)`,
  ];
}

function describeAside(paths: readonly string[]): string[] {
  if (paths.length === 0) return [];
  return [
    `(Set aside, because git would run or read something by it: ${paths.join(", ")}. It is next to it with the ending .set-aside. Tell the user; it is theirs to decide.)`,
  ];
}

type Answer = Found & { isAnswer: boolean };

/** The system's own, else the runtime that the owner names. */
function findContainer(options: SandboxOptions): Answer {
  const own = findOwnContainer(options);
  const { mode, runtime, platform = process.platform } = options;
  if ("container" in own || mode === "off" || runtime === undefined || platform === "win32") return own;
  const opened = openRuntime(runtime, options);
  if ("wrap" in opened) return { container: opened, isAnswer: true };
  return { isContained: false, reason: "runtime", ...opened };
}

function findOwnContainer({
  mode,
  path,
  platform = process.platform,
  isInContainer,
}: SandboxOptions): Answer {
  const lack = { isContained: false, isAnswer: true } as const;
  if (mode === "off") return { ...lack, reason: "off" };
  if (platform === "darwin") return { ...findSeatbelt(), isAnswer: true };
  if (platform !== "linux") return { ...lack, reason: "unsupported" };
  const program = path
    .split(delimiter)
    .map((folder) => join(folder, "bwrap"))
    .find((file) => existsSync(file));
  if (program === undefined) return { ...lack, reason: "missing" };
  const opened = openBubblewrap(program);
  if ("wrap" in opened) return { container: opened, isAnswer: true };
  const isMarked = ["/.dockerenv", "/run/.containerenv"].some((file) => existsSync(file));
  return { ...lack, ...opened, reason: (isInContainer ?? isMarked) ? "container" : "forbidden" };
}

function findSeatbelt(): Found {
  if (!existsSync(sandboxExec)) return { isContained: false, reason: "missing" };
  // The folder for temporary files is the user's own there, so that the name is free.
  const folder = join(tmpdir(), "nanobot-sandbox");
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return { container: createSeatbelt(realpathSync(folder)) };
}

function describeLack(lack: Exclude<SandboxState, { isContained: true }>): string {
  const why = {
    off: "it is switched off",
    missing:
      "its program is missing; on Linux it is the package bubblewrap, such as `apt install bubblewrap`",
    unsupported: "this system has none",
    forbidden: `the system forbids it${"detail" in lack ? ` (${lack.detail})` : ""}`,
    container: `this container forbids it${"detail" in lack ? ` (${lack.detail})` : ""}`,
    runtime: `the container runtime does not work${"detail" in lack ? ` (${lack.detail})` : ""}`,
  }[lack.reason];
  return `Commands may only run in a sandbox here (tools.exec.sandbox is "required"), and ${why}. Tell the user; do not try again.`;
}
