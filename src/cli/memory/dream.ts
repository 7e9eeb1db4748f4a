// `nanobot memory dream`: goes through what was said since the last time, now.
import { describeDream } from "../../app/describe-dream.ts";
import type { MemoryOptions } from "../command-line.ts";
import { tell } from "../tell.ts";
import type { CommandContext } from "../terminal.ts";
import { withAssistant } from "../with-assistant.ts";

export function dreamNow(options: MemoryOptions, context: CommandContext): Promise<number> {
  const { terminal, signal } = context;
  return withAssistant(options, terminal, async (assistant) => {
    const outcome = await assistant.dream({}, signal);
    await tell({ options, context }, outcome, describeDream(outcome, terminal.words));
    const isDone = ["changed", "unchanged", "nothing-new"].includes(outcome.kind);
    return isDone ? 0 : 1;
  });
}
