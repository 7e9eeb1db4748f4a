// The memory room's config keys: `agents.defaults.dream` and `memory`.
import * as z from "zod";

const optionalText = z.string().optional();
const name = z.string().min(1);
const count = z.int().min(1);
const on = z.boolean().default(true);

export const dreamSchema = z.object({
  enabled: on.describe("Go through what was said and keep what matters"),
  intervalH: count.default(2).describe("Hours between two runs"),
  cron: optionalText.describe("Cron expression in place of the interval"),
  modelOverride: optionalText.describe("Name in `modelPresets` of the model that does it"),
});

export const memorySchema = z.object({
  autoRecall: on.describe("Show the model what was said earlier about a question"),
  knowledge: z
    .array(name)
    .default([])
    .describe("Folders of documents to search, beside `knowledge` in the workspace"),
});
