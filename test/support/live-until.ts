// The assistant in a process of its own, killed by -9 in the middle.
import { join } from "node:path";
import type { CodeScript } from "../../src/llm/scripted.ts";
import { startProgram } from "./start-program.ts";

export interface Life {
  script: CodeScript;
  repeat?: "safe" | "never";
  /** The call of `act` that never comes back. */
  hangs?: string;
  /** Killed when it has printed these lines: see one-life.ts. */
  until: string;
}

export async function liveUntil(
  home: string,
  { script, repeat = "never", hangs = "", until }: Life,
): Promise<void> {
  const path = join(import.meta.dirname, "one-life.ts");
  const program = startProgram([process.execPath, path, home, JSON.stringify(script), repeat, hangs]);
  await program.waitFor(`${until}\n`);
  program.kill("SIGKILL");
  await program.ended;
}
