// `nanobot memory dream`: goes through what was said since the last time, now.
import { describeDream } from "../../app/describe-dream.ts";
import { resolveHome } from "../../config/home.ts";
import type { MemoryOptions } from "../command-line.ts";
import { openApp } from "../open-app.ts";
import type { CommandContext } from "../terminal.ts";
import { tell } from "./tell.ts";

export async function dreamNow(options: MemoryOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  const paths = resolveHome({ env: terminal.env, configPath: options.config });
  const app = await openApp({ options, terminal, paths, canAsk: false });
  try {
    const outcome = await app.dreams.run(app.workspace, signal);
    tell({ options, context }, outcome, describeDream(outcome, terminal.words));
    const isDone = ["changed", "unchanged", "nothing-new"].includes(outcome.kind);
    return isDone ? 0 : 1;
  } finally {
    await app.close();
  }
}
