// The memory room's config keys: `agents.defaults.dream` and `memory`.
import * as z from "zod";

export const dreamSchema = z.object({
  enabled: z.boolean().default(true).describe("Go through what was said and keep what matters"),
  intervalH: z.int().min(1).default(2).describe("Hours between two runs"),
  cron: z.string().optional().describe("Cron expression in place of the interval"),
  modelOverride: z.string().optional().describe("Name in `modelPresets` of the model that does it"),
});

export type DreamConfig = z.infer<typeof dreamSchema>;

export const memorySchema = z.object({
  autoRecall: z.boolean().default(true).describe("Show the model what was said earlier about a question"),
  knowledge: z
    .array(z.string().min(1))
    .default([])
    .describe("Folders of documents to search, beside `knowledge` in the workspace"),
});

export type MemoryConfig = z.infer<typeof memorySchema>;
