// What the assistant knows, and what was said to it.
import type { Nanobot } from "../../src/index.ts";

export async function remember(bot: Nanobot, fact: string): Promise<void> {
  await bot.memory.write(`${await bot.memory.read()}\n- ${fact}\n`);
}

export async function find(bot: Nanobot, words: string): Promise<string[]> {
  const found = await bot.memory.search(words, { count: 5 });
  return found.map(({ name, text }) => `${name}: ${text}`);
}

/** Every session of a customer is taken along, then removed. */
export async function forgetCustomer(bot: Nanobot, customer: string): Promise<string[]> {
  const keys = (await bot.sessions.list()).map(({ key }) => key);
  const files: string[] = [];
  for (const key of keys.filter((each) => each.startsWith(`customer:${customer}`))) {
    files.push((await bot.sessions.export(key)) ?? "");
    await bot.sessions.delete(key);
  }
  return files;
}
