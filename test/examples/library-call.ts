// What else the assistant can do, by the names of its operations.
import { type Nanobot, UserError } from "../../src/index.ts";

/** The messages of all jobs, with a new one among them. */
export async function plan(bot: Nanobot, message: string): Promise<string[]> {
  const schedule = { kind: "every", everyMs: 3_600_000 } as const;
  await bot.call("jobs.add", { message, schedule, chat: { channel: "cli", chatId: "direct" } });
  const { jobs } = await bot.call("jobs.list", {});
  return jobs.map((job) => job.message);
}

/** How many lines were forgotten. What an operation asks is answered here; what it refuses has a code. */
export async function forget(bot: Nanobot, words: string): Promise<number> {
  try {
    const { lines } = await bot.call("memory.forget", { words }, { ask: async () => "yes" });
    return lines.length;
  } catch (error) {
    if (error instanceof UserError && error.phrase.code === "memory.nothing-to-forget") return 0;
    throw error;
  }
}
