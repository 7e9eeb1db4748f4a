// What models cost, from a file that the user edits. Money has no meaning here beyond the file's own currency.
import * as z from "zod";
import type { Usage } from "../lib/usage.ts";

const amount = z.number().min(0);

/** For a million tokens each; `cached` is what a token from the host's cache costs. */
const priceSchema = z.object({ input: amount, output: amount, cached: amount.optional() });

export const pricesSchema = z.object({
  currency: z.string().min(1).max(8).default("USD"),
  models: z.record(z.string(), priceSchema).default({}),
});

export type Price = z.infer<typeof priceSchema>;
export type Prices = z.infer<typeof pricesSchema>;

/** By the whole name, by the name without its host, or by the longest name that it begins with. */
export function findPrice({ models }: Prices, model: string): Price | undefined {
  const bare = model.slice(model.lastIndexOf("/") + 1);
  const exact = models[model] ?? models[bare];
  if (exact !== undefined) return exact;
  const names = Object.keys(models).filter((name) => model.startsWith(name) || bare.startsWith(name));
  const longest = names.sort((a, b) => b.length - a.length)[0];
  return longest === undefined ? undefined : models[longest];
}

export function toCost({ input, output, cached = input }: Price, usage: Usage): number {
  const fresh = usage.input - usage.cached;
  return (fresh * input + usage.cached * cached + usage.output * output) / 1_000_000;
}
