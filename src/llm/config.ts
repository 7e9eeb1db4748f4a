// The config keys of models: hosts with their keys, model settings, limits on spending.
import * as z from "zod";

const text = z.string();
const optionalText = text.optional();
const name = z.string().min(1);
const count = z.int().min(1);
const temperature = z.number().min(0).max(2);
const texts = z.record(text, text).optional();
const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max", "adaptive"]);

export const providerSchema = z.object({
  displayName: optionalText.describe("Display name"),
  apiKey: optionalText.describe("API key; can refer to an environment variable"),
  apiBase: optionalText.describe("API address, usually ends in /v1. Needed only for a custom server"),
  apiType: z
    .enum(["auto", "chat_completions", "responses"])
    .default("auto")
    .describe("Which OpenAI API to use"),
  extraHeaders: texts.describe("Headers added to every request"),
  extraBody: z.record(text, z.unknown()).optional().describe("Fields added to every request body"),
  extraQuery: texts.describe("Query parameters added to every request"),
  proxy: optionalText.describe("Proxy for this provider only; never used for loopback addresses"),
  thinkingStyle: z
    .enum(["thinking_type", "enable_thinking", "reasoning_split"])
    .optional()
    .describe("How reasoning is requested from this provider"),
  region: optionalText.describe("AWS region, for Bedrock"),
  profile: optionalText.describe("AWS profile, for Bedrock"),
  script: optionalText.describe("File with the replies of the scripted model"),
});

export type ProviderSettings = z.infer<typeof providerSchema>;

export const providersSchema = z.record(text, providerSchema);

export type Providers = z.infer<typeof providersSchema>;

/** `lmStudio`, `lm_studio` and `lm-studio` are one host: the Python original writes names in camelCase. */
export function simplifyProviderName(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

/** Where nothing is configured; more would only cost more. */
export const usualWindow = 200_000;

const modelPresetSchema = z.object({
  model: name.describe("Model ID, for example gpt-5; optionally with its provider, as in openai/gpt-5"),
  provider: name.default("auto").describe("Provider; `auto` chooses it by the model ID"),
  maxTokens: count.default(8192).describe("Maximum tokens of one reply"),
  contextWindowTokens: count.default(usualWindow).describe("Context window of the model, in tokens"),
  temperature: temperature.default(0.1).describe("Randomness of the replies; 0 is the most predictable"),
  reasoningEffort: effort.optional().describe("How much the model reasons before it answers"),
});

export type ModelPreset = z.infer<typeof modelPresetSchema>;

export const modelPresetsSchema = z.record(text, modelPresetSchema);

const fallbackModelSchema = modelPresetSchema.extend({
  maxTokens: count.optional().describe("Maximum tokens of one reply. Default: as for the first model"),
  contextWindowTokens: count.optional().describe("Context window of the model, in tokens"),
  temperature: temperature.optional().describe("Randomness of the replies. Default: as for the first model"),
});

export type FallbackModel = z.infer<typeof fallbackModelSchema>;

/** The model's part of `agents.defaults`. */
export const modelDefaultsSchema = modelPresetSchema.extend({
  modelPreset: optionalText.describe("Name of a preset; overrides the model settings here"),
  model: name
    .default("anthropic/claude-opus-4-5")
    .describe("Model ID, for example gpt-5; optionally with its provider, as in openai/gpt-5"),
  fallbackModels: z
    .array(z.union([name, fallbackModelSchema]))
    .default([])
    .describe("Models to use when the first one fails: names of presets, or their settings"),
  providerRetryMode: z
    .enum(["standard", "persistent"])
    .default("standard")
    .describe("Give up after four attempts, or keep trying"),
  modelPatienceSeconds: z
    .int()
    .min(0)
    .default(300)
    .describe(
      "Seconds without any reply, over all attempts, after which a provider is given up; 0 means no limit",
    ),
});

export type ModelDefaults = z.infer<typeof modelDefaultsSchema>;

const tokens = z.int().min(0);
const most = "Maximum tokens, input and output together; 0 means no limit";
const money = z.number().positive().optional().describe("Maximum cost, in the currency of prices.json");
const limit = z.object({ tokens: tokens.optional().describe(most), money }).prefault({});
const limitFrom = (usual: number) =>
  z.object({ tokens: tokens.default(usual).describe(most), money }).prefault({});
const day = limit.describe("Limit per day");
const month = limit.describe("Limit per month");
const limitsByName = z.record(text, z.object({ day, month })).default({});

/** Background work must not spend much unnoticed, and never what is left for the user's turns. */
export const usualCauses: Record<string, { day: { tokens?: number; money?: number }; month?: object }> = {
  cron: { day: { tokens: 4_000_000 } },
  heartbeat: { day: { tokens: 1_000_000 } },
  dream: { day: { tokens: 2_000_000 } },
  consolidation: { day: { tokens: 4_000_000 } },
  title: { day: { tokens: 400_000 } },
  recall: { day: { tokens: 500_000 } },
  // Some 70 images.
  image: { day: { tokens: 90_000 } },
};

export const budgetSchema = z.object({
  turn: limitFrom(2_000_000).describe("Limit per turn"),
  day: limitFrom(20_000_000).describe("Limit per day"),
  month,
  causes: limitsByName.describe(
    "Limits per cause (user, cron, trigger, heartbeat, dream, subagent, api, consolidation, title, recall, image)",
  ),
  people: limitsByName.describe("Limits per person"),
  warnAt: z.number().min(0).max(1).default(0.8).describe("Share of a limit at which you are warned"),
});

/** In place of a limit that is not known, because its variable is not set: nothing may be spent. No file can hold it. */
export const nothing = -1;

/** How much of a limit is used; 0 without one. */
export function shareUsed(used: number, most: number | undefined): number {
  if (!most) return 0;
  return most === nothing ? 1 : used / most;
}

export type BudgetConfig = z.infer<typeof budgetSchema>;
export type BudgetLimit = BudgetConfig["month"];
