// A question that leaves nothing behind, with a history that the program keeps itself.
import type { Message, Nanobot } from "../../src/index.ts";

export async function reply(bot: Nanobot, history: Message[], question: string): Promise<Message[]> {
  const { text } = await bot.run(question, { ephemeral: true, history });
  return [...history, { role: "user", content: question }, { role: "assistant", content: text }];
}
