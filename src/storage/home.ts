// Where everything of one installation is. Nothing else names these places; a repository makes its folder when it writes, with mode 0700.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

export type HomePaths = ReturnType<typeof resolveHome>;

export interface HomeOptions {
  env: NodeJS.ProcessEnv;
  /** `--config`: its folder becomes the home. */
  configPath?: string;
}

export function resolveHome({ env, configPath }: HomeOptions) {
  const config = configPath === undefined ? undefined : resolve(expandTilde(configPath, env));
  const home = config === undefined ? homeFrom(env) : dirname(config);
  const name = config === undefined ? "config" : basename(config).replace(/\.json$/i, "");
  const [logs, media, run, cache] = [
    join(home, "logs"),
    join(home, "media"),
    join(home, "run"),
    join(home, "cache"),
  ];
  return {
    home,
    config: config ?? join(home, "config.json"),
    lastGood: join(home, `${name}.last-good.json`),
    /** Says that this config was seen before, and what in it is the Python original's. */
    movedIn: join(run, name === "config" ? "moved-in.json" : `moved-in.${name}.json`),
    /** Used when the config names none. */
    workspace: join(home, "workspace"),
    sessions: join(home, "sessions"),
    stateDatabase: join(home, "state.db"),
    toolResults: join(home, "tool-results"),
    undo: join(home, "undo"),
    /** Files that a person removed. */
    trash: join(home, "trash"),
    backup: join(home, "backup"),
    /** Further assistants of this machine. */
    homes: join(home, "homes"),
    /** What was typed in the terminal chat. */
    terminalHistory: join(home, "history", "cli_history"),
    /** Written by a person. */
    prices: join(home, "prices.json"),
    pairing: join(home, "pairing.json"),
    triggers: join(home, "triggers.json"),
    goals: join(home, "goals.json"),
    approvals: join(home, "approvals.json"),
    taint: join(home, "taint.jsonl"),
    /** Code that a person added: its folder, and the list of what was allowed. */
    tools: join(home, "tools"),
    allowedTools: join(home, "tools.json"),
    channels: join(home, "channels"),
    allowedChannels: join(home, "channels.json"),
    skills: skillPlacesOf(home).folder,
    allowedSkills: skillPlacesOf(home).trust,
    logs,
    log: join(logs, "nanobot.log"),
    /** What a gateway in the background prints. */
    gatewayOutput: join(logs, "gateway.out"),
    media,
    /** Long answers that are sent as files. */
    sentMedia: join(media, "sent"),
    terminalMedia: join(media, "cli"),
    webMedia: join(media, "web"),
    run,
    apiTokens: join(run, "api-tokens.json"),
    /** Tokens of MCP servers; the second file is the Python original's. */
    mcpSignIns: join(home, "auth", "mcp-servers.json"),
    pythonSignIns: join(home, "auth", "mcp.json"),
    webSessions: join(run, "web-sessions.json"),
    windows: join(run, "windows.json"),
    /** Tokens of subscriptions. */
    signIns: join(run, "sign-ins.json"),
    restart: join(run, "restart.json"),
    /** What was taken from homes of other assistants. */
    takenItems: join(run, "taken-items.json"),
    /** A restore that is under way. */
    restore: join(run, "restore.json"),
    /** Leads a browser to a link that no other user of the machine sees. */
    webLink: join(run, "open-web.html"),
    cache,
    mcpCache: join(cache, "mcp"),
  };
}

/** Of the skills of a home: the user's own, what was decided about skills, and what was learned of them. */
export function skillPlacesOf(home: string): { folder: string; trust: string; cache: string } {
  const [folder, trust] = [join(home, "skills"), join(home, "skills.json")];
  return { folder, trust, cache: join(home, "cache", "skills.json") };
}

/** As every program begins with it: a restore that was killed in the middle is finished first. */
export async function openHome(options: HomeOptions, signal?: AbortSignal): Promise<HomePaths> {
  const paths = resolveHome(options);
  // Loaded only when it is needed: every command begins here.
  if (existsSync(paths.restore)) await (await import("./swap-home.ts")).finishSwap(paths.home, signal);
  return paths;
}

/** What a chat platform keeps while it runs. */
export function channelFolder({ run }: HomePaths, channel: string): string {
  return join(run, "channels", channel);
}

/** `~` and `~/x` as the shell means them; `~someone` stays as it is. */
export function expandTilde(path: string, env: NodeJS.ProcessEnv): string {
  if (path !== "~" && !/^~[/\\]/.test(path)) return path;
  return join(userFolder(env), path.slice(1));
}

function homeFrom(env: NodeJS.ProcessEnv): string {
  const configured = env.NANOBOT_HOME;
  return configured ? resolve(expandTilde(configured, env)) : join(userFolder(env), ".nanobot");
}

function userFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}
