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
  displayName: optionalText.describe("Name shown to people"),
  apiKey: optionalText.describe("Key of the host; may refer to an environment variable"),
  apiBase: optionalText.describe("Base URL, for a host of your own or another address of a known one"),
  apiType: z
    .enum(["auto", "chat_completions", "responses"])
    .default("auto")
    .describe("Which of OpenAI's interfaces to use"),
  extraHeaders: texts.describe("Headers added to every request"),
  extraBody: z.record(text, z.unknown()).optional().describe("Fields added to every request body"),
  extraQuery: texts.describe("Query parameters added to every request"),
  proxy: optionalText.describe("Proxy for this host alone; loopback addresses never use one"),
  thinkingStyle: z
    .enum(["thinking_type", "enable_thinking", "reasoning_split"])
    .optional()
    .describe("How this host is asked to think"),
  region: optionalText.describe("AWS region, for Bedrock"),
  profile: optionalText.describe("AWS profile, for Bedrock"),
  script: optionalText.describe("File with the replies of the `scripted` model"),
});

export type ProviderSettings = z.infer<typeof providerSchema>;

export const providersSchema = z.record(text, providerSchema);

export type Providers = z.infer<typeof providersSchema>;

/** `lmStudio`, `lm_studio` and `lm-studio` are one host: the Python original writes names in camelCase. */
export function simplifyProviderName(name: string): string {
  return name.replaceAll(/[-_]/g, "").toLowerCase();
}

export const modelPresetSchema = z.object({
  model: name.describe("Model name, with or without a `host/` prefix"),
  provider: name.default("auto").describe("Host, or `auto` to choose it by the model's name"),
  maxTokens: count.default(8192).describe("Most tokens of one reply"),
  contextWindowTokens: count.default(200_000).describe("Most tokens that the model can take"),
  temperature: temperature.default(0.1).describe("Randomness of the replies"),
  reasoningEffort: effort.optional().describe("How much the model thinks before it answers"),
});

export type ModelPreset = z.infer<typeof modelPresetSchema>;

export const modelPresetsSchema = z.record(text, modelPresetSchema);

const fallbackModelSchema = modelPresetSchema.extend({
  maxTokens: count.optional().describe("Most tokens of one reply; otherwise as the first model"),
  contextWindowTokens: count.optional().describe("Most tokens that the model can take"),
  temperature: temperature.optional().describe("Randomness; otherwise as the first model"),
});

export type FallbackModel = z.infer<typeof fallbackModelSchema>;

/** The model's part of `agents.defaults`. */
export const modelDefaultsSchema = modelPresetSchema.extend({
  modelPreset: optionalText.describe("Name in `modelPresets`; goes before the single settings here"),
  model: name.default("anthropic/claude-opus-4-5").describe("Model name, with or without a `host/` prefix"),
  fallbackModels: z
    .array(z.union([name, fallbackModelSchema]))
    .default([])
    .describe("Models to turn to when the first one fails: names of presets, or settings"),
  providerRetryMode: z
    .enum(["standard", "persistent"])
    .default("standard")
    .describe("Whether to give up after four tries, or to go on"),
  modelPatienceSeconds: z
    .int()
    .min(0)
    .default(300)
    .describe("Longest silence of a model host, over all tries, before it is given up; 0: no limit"),
});

export type ModelDefaults = z.infer<typeof modelDefaultsSchema>;

const tokens = z.int().min(0);
const most = "Most tokens, read and written together; 0: no limit";
const money = z.number().positive().optional().describe("Most money, in the currency of prices.json");
const limit = z.object({ tokens: tokens.optional().describe(most), money }).prefault({});
const limitFrom = (usual: number) =>
  z.object({ tokens: tokens.default(usual).describe(most), money }).prefault({});
const day = limit.describe("What a day may take");
const month = limit.describe("What a month may take");
const limitsByName = z.record(text, z.object({ day, month })).default({});

/** Background work must not spend much unnoticed, and never what is left for the user's turns. */
export const usualCauses: Record<string, { day: { tokens?: number; money?: number }; month?: object }> = {
  cron: { day: { tokens: 4_000_000 } },
  heartbeat: { day: { tokens: 1_000_000 } },
  dream: { day: { tokens: 2_000_000 } },
  consolidation: { day: { tokens: 4_000_000 } },
};

export const budgetSchema = z.object({
  turn: limitFrom(2_000_000).describe("What one turn may take"),
  day: limitFrom(20_000_000).describe("What a day may take"),
  month,
  causes: limitsByName.describe(
    "The same by cause (user, cron, heartbeat, dream, subagent, api, consolidation)",
  ),
  people: limitsByName.describe("The same by person"),
  warnAt: z.number().min(0).max(1).default(0.8).describe("Share of a limit at which a warning is given"),
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
