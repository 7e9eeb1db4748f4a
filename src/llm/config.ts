// The model room's config keys: hosts with their keys, model settings, limits on spending.
import * as z from "zod";

const effort = z.enum(["none", "minimal", "low", "medium", "high", "xhigh", "max", "adaptive"]);
const texts = z.record(z.string(), z.string());

export const providerSchema = z.object({
  displayName: z.string().optional().describe("Name shown to people"),
  apiKey: z.string().optional().describe("Key of the host; may refer to an environment variable"),
  apiBase: z
    .string()
    .optional()
    .describe("Base URL, for a host of your own or another address of a known one"),
  apiType: z
    .enum(["auto", "chat_completions", "responses"])
    .default("auto")
    .describe("Which of OpenAI's interfaces to use"),
  extraHeaders: texts.optional().describe("Headers added to every request"),
  extraBody: z.record(z.string(), z.unknown()).optional().describe("Fields added to every request body"),
  extraQuery: texts.optional().describe("Query parameters added to every request"),
  proxy: z.string().optional().describe("Proxy for this host alone; loopback addresses never use one"),
  thinkingStyle: z
    .enum(["thinking_type", "enable_thinking", "reasoning_split"])
    .optional()
    .describe("How this host is asked to think"),
  region: z.string().optional().describe("AWS region, for Bedrock"),
  profile: z.string().optional().describe("AWS profile, for Bedrock"),
  script: z.string().optional().describe("File with the replies of the `scripted` model"),
});

export type ProviderSettings = z.infer<typeof providerSchema>;

export const providersSchema = z.record(z.string(), providerSchema);

export type Providers = z.infer<typeof providersSchema>;

/** `lmStudio`, `lm_studio` and `lm-studio` are one host: the Python original writes names in camelCase. */
export function simplifyProviderName(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

export const modelPresetSchema = z.object({
  model: z.string().min(1).describe("Model name, with or without a `host/` prefix"),
  provider: z.string().min(1).default("auto").describe("Host, or `auto` to choose it by the model's name"),
  maxTokens: z.int().min(1).default(8192).describe("Most tokens of one reply"),
  contextWindowTokens: z.int().min(1).default(200_000).describe("Most tokens that the model can take"),
  temperature: z.number().min(0).max(2).default(0.1).describe("Randomness of the replies"),
  reasoningEffort: effort.optional().describe("How much the model thinks before it answers"),
});

export type ModelPreset = z.infer<typeof modelPresetSchema>;

export const modelPresetsSchema = z.record(z.string(), modelPresetSchema);

const fallbackModelSchema = modelPresetSchema.extend({
  maxTokens: z.int().min(1).optional().describe("Most tokens of one reply; otherwise as the first model"),
  contextWindowTokens: z.int().min(1).optional().describe("Most tokens that the model can take"),
  temperature: z.number().min(0).max(2).optional().describe("Randomness; otherwise as the first model"),
});

export type FallbackModel = z.infer<typeof fallbackModelSchema>;

/** The model's part of `agents.defaults`. */
export const modelDefaultsSchema = modelPresetSchema.extend({
  modelPreset: z.string().optional().describe("Name in `modelPresets`; goes before the single settings here"),
  model: z
    .string()
    .min(1)
    .default("anthropic/claude-opus-4-5")
    .describe("Model name, with or without a `host/` prefix"),
  fallbackModels: z
    .array(z.union([z.string().min(1), fallbackModelSchema]))
    .default([])
    .describe("Models to turn to when the first one fails: names of presets, or settings"),
  providerRetryMode: z
    .enum(["standard", "persistent"])
    .default("standard")
    .describe("Whether to give up after four tries, or to go on"),
});

export type ModelDefaults = z.infer<typeof modelDefaultsSchema>;

const limitSchema = z.object({
  tokens: z.int().min(1).optional().describe("Most tokens, read and written together"),
  money: z.number().positive().optional().describe("Most money, in the currency of prices.json"),
});

const limit = limitSchema.prefault({});
const day = limit.describe("What a day may take");
const month = limit.describe("What a month may take");
const limitsByName = z.record(z.string(), z.object({ day, month })).default({});

export const budgetSchema = z.object({
  turn: limit.describe("What one turn may take"),
  day,
  month,
  causes: limitsByName.describe("The same by cause: user, cron, heartbeat, dream, subagent, api"),
  people: limitsByName.describe("The same by person"),
  warnAt: z.number().min(0).max(1).default(0.8).describe("Share of a limit at which a warning is given"),
});

export type BudgetConfig = z.infer<typeof budgetSchema>;
