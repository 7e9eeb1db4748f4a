// Hosts of the world's model vendors, and the gateway that serves them all: rows of data.
import type { Host } from "./host.ts";
import { type HostRow, openaiQuirks, toHost, toRow } from "./host-row.ts";

const claudeThinksAdaptively = /claude-(?:(?:opus|sonnet)-(?:4[-.][6-9]|[5-9])|haiku-[5-9]|fable|mythos)/;
const claudeRejectsTemperature = /claude-(?:opus-(?:4[-.][7-9]|[5-9])|(?:sonnet|haiku)-[5-9]|fable|mythos)/;
const claudeBindsThinking =
  /claude-(?:(?:opus|sonnet|haiku)-(?:5[-.][5-9]|[6-9])|(?:fable|mythos)-(?:5[-.][1-9]|[6-9]))/;

const rows: HostRow[] = [
  toRow("anthropic", "Anthropic", "https://api.anthropic.com", {
    protocol: "anthropic-messages",
    keyPrefix: "sk-ant-",
    keywords: ["anthropic", "claude"],
    defaultModel: "claude-sonnet-5-5",
    quirks: {
      cacheMarks: true,
      adaptiveThinking: claudeThinksAdaptively,
      boundThinking: claudeBindsThinking,
      rejectsTemperature: claudeRejectsTemperature,
      // "image exceeds 5 MB maximum" counts base64. A side may have 8000 pixels, but "max allowed size for many-image
      // requests: 2000 pixels" holds from the 21st image on, and a conversation gathers them.
      imageLimits: { bytes: 3_900_000, side: 2000 },
    },
  }),
  toRow("openai", "OpenAI", "https://api.openai.com/v1", {
    keyPrefix: "sk-proj-",
    keywords: ["openai", "gpt", "chatgpt", "o1", "o3", "o4"],
    defaultModel: "gpt-5.6-terra",
    quirks: openaiQuirks,
  }),
  toRow("openrouter", "OpenRouter", "https://openrouter.ai/api/v1", {
    kind: "gateway",
    keyPrefix: "sk-or-",
    defaultModel: "anthropic/claude-sonnet-5.5",
    quirks: {
      thinkingStyle: "openrouter",
      cacheMarks: /claude/,
      headers: { "X-Title": "nanobot" },
    },
  }),
  toRow("deepseek", "DeepSeek", "https://api.deepseek.com", {
    defaultModel: "deepseek-v4-flash",
    quirks: { thinkingStyle: "thinking_type", reasoningReplay: "backfill", stringContent: true },
  }),
  toRow("gemini", "Google Gemini", "https://generativelanguage.googleapis.com/v1beta/openai", {
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyPrefix: "AIza",
    keywords: ["gemini", "gemma"],
    defaultModel: "gemini-3.6-flash",
    quirks: { unsignedCall: { google: { thought_signature: "skip_thought_signature_validator" } } },
  }),
  toRow("groq", "Groq", "https://api.groq.com/openai/v1", {
    keyPrefix: "gsk_",
    stripsPrefix: false,
    defaultModel: "openai/gpt-oss-120b",
    defaultWindow: 131_072,
    // "property 'reasoning_content' is unsupported"
    // A request with base64 images may have 4 MB, an image 33 megapixels.
    quirks: { reasoningReplay: "drop", imageLimits: { bytes: 2_000_000, side: 5760 } },
  }),
  toRow("mistral", "Mistral", "https://api.mistral.ai/v1", {
    keywords: ["mistral", "mistralai", "magistral", "ministral", "codestral", "devstral"],
    defaultModel: "mistral-medium-latest",
    quirks: { toolCallIds: "nine-alphanumeric", reasoningReplay: "drop", noStreamOptions: true },
  }),
  toRow("nvidia", "NVIDIA", "https://integrate.api.nvidia.com/v1", {
    kind: "gateway",
    keyVariables: ["NVIDIA_API_KEY", "NVIDIA_NIM_API_KEY"],
    keyPrefix: "nvapi-",
  }),
  {
    name: "azure_openai",
    label: "Azure OpenAI",
    kind: "direct",
    stripsPrefix: true,
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    keywords: ["azure"],
    quirks: openaiQuirks,
  },
];

export const worldHosts: Host[] = rows.map(toHost);
