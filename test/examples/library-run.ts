// One question and its answer.
import { createNanobot } from "../../src/index.ts";

export async function ask(home: string, question: string): Promise<string> {
  await using bot = await createNanobot({ home });
  const { text, stop, tools, usage, error } = await bot.run(question, { session: "shop:counter" });
  if (error !== undefined) return `No answer (${stop}): ${error.message}`;
  const used = tools.map(({ name }) => name).join(", ") || "none";
  return `${text}\n(tools: ${used}; tokens: ${usage.input} in, ${usage.output} out)`;
}
