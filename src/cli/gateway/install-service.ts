// `nanobot gateway install-service`: a unit of the user's systemd, with absolute paths, so that the gateway starts with
// the machine and again after a crash. Needs no root.
import { execFile } from "node:child_process";
import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { packagePath } from "../../lib/package-root.ts";
import { allocatorSettings } from "../../lib/process/engine-memory.ts";
import { writeFileAtomic } from "../../storage/files/change-files.ts";
import { expandTilde, type HomePaths } from "../../storage/home.ts";
import type { GatewayOptions } from "../command-line/options.ts";
import { CommandFailure } from "../terminal/failure.ts";
import type { Terminal } from "../terminal/terminal.ts";

const unitName = "nanobot.service";
const run = promisify(execFile);

export interface UnitFacts {
  home: string;
  node: string;
  program: string;
  workspace?: string;
}

/** Quoted as systemd reads it; `%` has another meaning there. */
export function formatUnit({ home, node, program, workspace }: UnitFacts): string {
  const quote = (text: string) =>
    `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("%", "%%")}"`;
  const settings = Object.entries({ NANOBOT_HOME: home, ...allocatorSettings });
  const words = [node, program, "gateway", ...(workspace === undefined ? [] : ["--workspace", workspace])];
  return `[Unit]
Description=nanobot, a personal assistant
After=network-online.target
Wants=network-online.target

[Service]
ExecStart=${words.map(quote).join(" ")}
${settings.map((setting) => `Environment=${quote(setting.join("="))}\n`).join("")}Restart=on-failure
RestartSec=5
RestartForceExitStatus=75
TimeoutStopSec=60
KillMode=mixed
NoNewPrivileges=true
UMask=0077

[Install]
WantedBy=default.target
`;
}

export async function installService(
  options: GatewayOptions,
  { home }: HomePaths,
  { words, stdout, env }: Terminal,
): Promise<number> {
  const unit = formatUnit({
    home,
    node: process.execPath,
    program: packagePath("bin", "nanobot.mjs"),
    ...(options.workspace !== undefined && { workspace: options.workspace }),
  });
  if (options.dryRun === true) {
    stdout.write(unit);
    return 0;
  }
  const path = unitPath(env);
  await writeFileAtomic(path, unit, { mode: 0o644 });
  await callSystemd(["daemon-reload"], words);
  await callSystemd(["enable", "--now", unitName], words);
  stdout.write(`${words.gateway.serviceInstalled(path)}\n`);
  return 0;
}

export async function uninstallService({ words, stdout, env }: Terminal): Promise<number> {
  await callSystemd(["disable", "--now", unitName], words);
  await rm(unitPath(env), { force: true });
  await callSystemd(["daemon-reload"], words);
  stdout.write(`${words.gateway.serviceRemoved}\n`);
  return 0;
}

function unitPath(env: NodeJS.ProcessEnv): string {
  const folder = env.XDG_CONFIG_HOME || join(expandTilde("~", env) || homedir(), ".config");
  return join(folder, "systemd", "user", unitName);
}

async function callSystemd(args: string[], { gateway }: Terminal["words"]): Promise<void> {
  try {
    await run("systemctl", ["--user", ...args]);
  } catch (error) {
    const { code, stderr } = error as { code?: unknown; stderr?: string };
    if (code === undefined) throw error;
    const reason = (stderr ?? "").trim().split("\n")[0] || String(code);
    throw new CommandFailure(gateway.noSystemd(reason));
  }
}
