// Dream's config keys: `agents.defaults.dream`.
import * as z from "zod";

const optionalText = z.string().optional();

export const dreamSchema = z.object({
  enabled: z.boolean().default(true).describe("Go through what was said and keep what matters"),
  intervalH: z.int().min(1).default(2).describe("Hours between two runs"),
  cron: optionalText.describe("Cron expression in place of the interval"),
  modelOverride: optionalText.describe("Name in `modelPresets` of the model that does it"),
});
