// The tool price_history: what a product has cost, from a list of prices next to this file.
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { defineTool, ToolError, z } from "../../src/index.ts";

const list = join(import.meta.dirname, "prices.csv");
const largestList = 5 * 1024 * 1024;

export const priceHistory = defineTool({
  name: "price_history",
  description: "What a product of the shop has cost, newest first.",
  parameters: z.object({
    id: z.string().min(1).describe("Such as tea-200"),
    from: z.iso.date().optional().describe("First day"),
    to: z.iso.date().optional().describe("Last day"),
    limit: z.int().min(1).max(100).default(10).describe("Prices"),
  }),
  readOnly: true,
  // It reads its own list and nothing else: there is nothing to ask about.
  effects: () => [],
  async execute({ id, from = "", to = "9999-12-31", limit }, { signal }) {
    const prices = (await readPrices(signal)).filter((price) => price.id === id);
    if (prices.length === 0) throw new ToolError(`There are no prices of "${id}". Ask the user for its id.`);
    const asked = prices.filter(({ day }) => from <= day && day <= to);
    const lines = asked.slice(0, limit).map(({ day, price }) => `${day} ${price}`);
    return { content: `${lines.join("\n")}\n(${lines.length} of ${asked.length} prices of ${id})` };
  },
});

interface Price {
  id: string;
  /** YYYY-MM-DD, which sorts as text. */
  day: string;
  price: string;
}

/** Lines such as `tea-200,2026-05-31,4.20`, newest first. */
async function readPrices(signal: AbortSignal): Promise<Price[]> {
  if ((await stat(list)).size > largestList) throw new ToolError("prices.csv is over 5 MB. Tell the user.");
  const text = await readFile(list, { encoding: "utf8", signal });
  const prices = text.split("\n").map((line) => {
    const [id = "", day = "", price = ""] = line.split(",").map((field) => field.trim());
    return { id, day, price };
  });
  return prices.sort((a, b) => (a.day < b.day ? 1 : -1));
}
