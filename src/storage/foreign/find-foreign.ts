// Which program a folder belongs to, and where such folders usually are.
import { existsSync } from "node:fs";
import { expandTilde } from "../home.ts";
import type { ForeignHome, ForeignProgram } from "./foreign-home.ts";
import { readHermes } from "./hermes.ts";
import { readOpenClaw } from "./openclaw.ts";

const usualPlaces: ReadonlyArray<{ program: ForeignProgram; variable: string; folder: string }> = [
  { program: "openclaw", variable: "OPENCLAW_STATE_DIR", folder: "~/.openclaw" },
  { program: "hermes", variable: "HERMES_HOME", folder: "~/.hermes" },
];

/** Undefined for a folder that none of these programs made. */
export async function readForeignHome(
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<ForeignHome | undefined> {
  return (await readHermes(folder)) ?? (await readOpenClaw(folder, env));
}

/** Homes of other assistants in the folder of this user. */
export function findForeignHomes(env: NodeJS.ProcessEnv): Array<{ program: ForeignProgram; folder: string }> {
  return usualPlaces
    .map(({ program, variable, folder }) => ({
      program,
      folder: expandTilde(env[variable]?.trim() || folder, env),
    }))
    .filter(({ folder }) => existsSync(folder));
}
