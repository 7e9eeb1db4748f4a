// An answer as it is written. Leaving the loop would call the turn off.
import type { Nanobot } from "../../src/index.ts";

export async function tell(bot: Nanobot, message: string, write: (text: string) => void): Promise<void> {
  for await (const event of bot.stream(message)) {
    if (event.type === "text-delta") write(event.text);
    if (event.type === "tool-start") write(`\n[${event.name}]\n`);
    if (event.type === "result" && event.result.stop !== "completed") write(`\n(${event.result.stop})`);
  }
}
