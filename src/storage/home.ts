// Where everything of one installation lies. Only names places: whoever writes there makes the folder, with mode 0700.
import { homedir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";

export interface HomePaths {
  home: string;
  config: string;
  lastGood: string;
  /** Used when the config names none. */
  workspace: string;
  sessions: string;
  logs: string;
  media: string;
  run: string;
  cache: string;
  toolResults: string;
  backup: string;
  /** What was typed in the terminal chat. */
  terminalHistory: string;
  /** Says that this config was seen before, and what in it is the Python original's. */
  movedIn: string;
}

export interface HomeOptions {
  env: NodeJS.ProcessEnv;
  /** `--config`: its folder becomes the home. */
  configPath?: string;
}

export function resolveHome({ env, configPath }: HomeOptions): HomePaths {
  const config = configPath === undefined ? undefined : resolve(expandTilde(configPath, env));
  const home = config === undefined ? homeFrom(env) : dirname(config);
  const name = config === undefined ? "config" : basename(config).replace(/\.json$/i, "");
  const run = join(home, "run");
  return {
    home,
    config: config ?? join(home, "config.json"),
    lastGood: join(home, `${name}.last-good.json`),
    workspace: join(home, "workspace"),
    sessions: join(home, "sessions"),
    logs: join(home, "logs"),
    media: join(home, "media"),
    run,
    cache: join(home, "cache"),
    toolResults: join(home, "tool-results"),
    backup: join(home, "backup"),
    terminalHistory: join(home, "history", "cli_history"),
    movedIn: join(run, name === "config" ? "moved-in.json" : `moved-in.${name}.json`),
  };
}

/** `~` and `~/x` as the shell means them; `~someone` stays as it is. */
export function expandTilde(path: string, env: NodeJS.ProcessEnv): string {
  if (path !== "~" && !/^~[/\\]/.test(path)) return path;
  return join(userFolder(env), path.slice(1));
}

function homeFrom(env: NodeJS.ProcessEnv): string {
  const given = env.NANOBOT_HOME;
  return given ? resolve(expandTilde(given, env)) : join(userFolder(env), ".nanobot");
}

function userFolder(env: NodeJS.ProcessEnv): string {
  return env.HOME || homedir();
}
