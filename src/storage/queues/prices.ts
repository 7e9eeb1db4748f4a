// prices.json: what models cost, as a person wrote it down. A file that cannot be used only means that nothing has a price.
import { type Prices, pricesSchema } from "../../llm/prices.ts";
import { readJsonFile } from "../files/json-file.ts";
import type { HomePaths } from "../home.ts";

const free = { input: 0, output: 0 };
/** Models that run in this program. */
const own: Prices = { currency: "USD", models: { "offline/": free, "scripted/": free } };

export async function readPrices(
  { prices }: HomePaths,
  onProblem: (problem: unknown) => void,
): Promise<Prices> {
  const file = await readJsonFile(prices);
  if (file.state === "absent") return own;
  const parsed = file.state === "read" ? pricesSchema.safeParse(file.value) : file;
  if ("data" in parsed && parsed.data !== undefined)
    return { currency: parsed.data.currency, models: { ...own.models, ...parsed.data.models } };
  onProblem("fault" in parsed ? parsed.fault : parsed.error);
  return own;
}
