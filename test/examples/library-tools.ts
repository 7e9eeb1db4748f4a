// A tool of the program's own, and the program as the one who is asked.
import { createNanobot, defineTool, type Nanobot, type NanobotOptions, z } from "../../src/index.ts";

const stock: Record<string, number> = { apples: 12, pears: 0 };

const countStock = defineTool({
  name: "count_stock",
  description: "How many of an article are in stock.",
  parameters: z.object({ article: z.string() }),
  readOnly: true,
  async execute({ article }) {
    const count = stock[article];
    return { content: count === undefined ? `There is no article "${article}".` : String(count) };
  },
});

export function createShopAssistant(options: NanobotOptions): Promise<Nanobot> {
  return createNanobot({
    ...options,
    tools: [countStock],
    // What tools want to do, in the owner's place: here only commands that list files.
    ask: async ({ detail }) => detail.startsWith("ls "),
  });
}
