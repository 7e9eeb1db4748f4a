// Hosts of the world's model vendors, and the gateway that serves them all: rows of data.
import type { Host } from "./host.ts";
import { type HostRow, toHost } from "./host-row.ts";

const claudeThinksAdaptively = /claude-(?:(?:opus|sonnet)-(?:4[-.][6-9]|[5-9])|haiku-[5-9]|fable|mythos)/;
const claudeRejectsTemperature = /claude-(?:opus-(?:4[-.][7-9]|[5-9])|(?:sonnet|haiku)-[5-9]|fable|mythos)/;
const claudeBindsThinking =
  /claude-(?:(?:opus|sonnet|haiku)-(?:5[-.][5-9]|[6-9])|(?:fable|mythos)-(?:5[-.][1-9]|[6-9]))/;

const openaiReasons = /(?:^|\/)(?:gpt-[5-9]|o[1-9])/;
const openaiToolsWithoutEffort = /(?:^|\/)gpt-(?:5\.[4-9]|[6-9])/;

const rows: HostRow[] = [
  {
    name: "anthropic",
    label: "Anthropic",
    protocol: "anthropic-messages",
    baseUrl: "https://api.anthropic.com",
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyPrefix: "sk-ant-",
    keywords: ["anthropic", "claude"],
    defaultModel: "claude-sonnet-5-5",
    stripsPrefix: true,
    quirks: {
      cacheMarks: true,
      adaptiveThinking: claudeThinksAdaptively,
      boundThinking: claudeBindsThinking,
      rejectsTemperature: claudeRejectsTemperature,
    },
  },
  {
    name: "openai",
    label: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    keyPrefix: "sk-proj-",
    keywords: ["openai", "gpt", "chatgpt", "o1", "o3", "o4"],
    defaultModel: "gpt-5.6-terra",
    stripsPrefix: true,
    quirks: {
      maxCompletionTokens: openaiReasons,
      rejectsTemperature: openaiReasons,
      noEffortWithTools: openaiToolsWithoutEffort,
    },
  },
  {
    name: "openrouter",
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    kind: "gateway",
    keyVariables: ["OPENROUTER_API_KEY"],
    keyPrefix: "sk-or-",
    keywords: ["openrouter"],
    defaultModel: "anthropic/claude-sonnet-5.5",
    quirks: {
      thinkingStyle: "openrouter",
      cacheMarks: /claude/,
      headers: { "X-Title": "nanobot" },
    },
  },
  {
    name: "deepseek",
    label: "DeepSeek",
    baseUrl: "https://api.deepseek.com",
    keyVariables: ["DEEPSEEK_API_KEY"],
    keywords: ["deepseek"],
    defaultModel: "deepseek-v4-flash",
    stripsPrefix: true,
    quirks: { thinkingStyle: "thinking_type", reasoningReplay: "backfill", stringContent: true },
  },
  {
    name: "gemini",
    label: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyPrefix: "AIza",
    keywords: ["gemini", "gemma"],
    defaultModel: "gemini-3.6-flash",
    stripsPrefix: true,
  },
  {
    name: "groq",
    label: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
    keyPrefix: "gsk_",
    keywords: ["groq"],
    defaultModel: "openai/gpt-oss-120b",
    defaultWindow: 131_072,
    // "property 'reasoning_content' is unsupported"
    quirks: { reasoningReplay: "drop" },
  },
  {
    name: "mistral",
    label: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    keywords: ["mistral", "mistralai", "magistral", "ministral", "codestral", "devstral"],
    defaultModel: "mistral-medium-latest",
    stripsPrefix: true,
    quirks: { toolCallIds: "nine-alphanumeric", reasoningReplay: "drop", noStreamOptions: true },
  },
  {
    name: "nvidia",
    label: "NVIDIA",
    baseUrl: "https://integrate.api.nvidia.com/v1",
    kind: "gateway",
    keyVariables: ["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY"],
    keyPrefix: "nvapi-",
    keywords: ["nvidia"],
  },
  {
    name: "azure_openai",
    label: "Azure OpenAI",
    kind: "direct",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    keywords: ["azure"],
    stripsPrefix: true,
    quirks: {
      maxCompletionTokens: openaiReasons,
      rejectsTemperature: openaiReasons,
      noEffortWithTools: openaiToolsWithoutEffort,
    },
  },
];

export const worldHosts: Host[] = rows.map(toHost);
