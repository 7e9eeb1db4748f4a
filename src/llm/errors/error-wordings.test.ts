import { expect, it } from "vitest";
import type { ProviderErrorKind } from "../types.ts";
import { classifyResponse } from "./provider-error.ts";

it.each<[kind: ProviderErrorKind, host: string, sentence: string]>([
  ["context-overflow", "OpenAI", "Your input exceeds the context window of this model"],
  ["context-overflow", "OpenAI", "Input tokens exceed the configured limit of 922000 tokens"],
  ["context-overflow", "MiniMax", "context window exceeds limit (2013)"],
  ["context-overflow", "Qianfan", "Prompt tokens too long"],
  [
    "context-overflow",
    "Anthropic",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000",
  ],
  ["context-overflow", "Anthropic", "Request exceeds the maximum size"],
  ["context-overflow", "Moonshot", "model max length exceeded, max length:8192"],
  ["context-overflow", "Zhipu", "Prompt exceeds max length"],
  [
    "context-overflow",
    "LM Studio",
    "The number of tokens to keep from the initial prompt is greater than the context length",
  ],
  [
    "context-overflow",
    "xAI",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  ],
  ["context-overflow", "Copilot", "prompt token count of 50000 exceeds the limit of 32768"],
  [
    "context-overflow",
    "SiliconFlow",
    "length of prompt_tokens (69127) must be less than max_seq_len (32768)",
  ],
  [
    "context-overflow",
    "Together",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193",
  ],
  ["context-overflow", "Bedrock", "Input is too long for requested model."],
  [
    "not-found",
    "LiteLLM",
    "/chat/completions: Invalid model name passed in model=missing. Call `/v1/models` to view available models for your key",
  ],
  ["unsupported-image", "OpenAI", "You uploaded an unsupported image."],
  ["unsupported-image", "xAI", "Image inputs are not supported by this model."],
  ["unsupported-image", "Mistral", "Image input is not enabled for this model"],
  ["unsupported-image", "Groq", "this model does not support image input"],
  ["unsupported-image", "Ollama", "model does not support images"],
  ["unsupported-image", "vLLM", "At most 0 image(s) may be provided in one prompt."],
  ["unsupported-image", "vLLM", "llama is not a multimodal model"],
  ["unsupported-image", "Zhipu", "messages.content.type 参数非法，取值范围 ['text']"],
  ["unsupported-image", "Anthropic", "Could not process image"],
  ["unsupported-image", "Anthropic", "image exceeds 5 MB maximum: 6442450 bytes > 5242880 bytes"],
  [
    "content-filter",
    "Azure",
    "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
  ],
  ["content-filter", "Moonshot", "The request was rejected because it was considered high risk"],
  ["quota", "Zhipu", "Insufficient balance or no resource package. Please recharge."],
  ["quota", "xAI", "Your team has used all available credits."],
  ["authentication", "OpenAI", "Incorrect API key provided"],
  ["authentication", "MiniMax", "login fail: Please carry the API secret key in the 'Authorization' field"],
  ["overloaded", "Zhipu", "该模型当前访问量过大，请您稍后再试"],
  ["rate-limit", "Zhipu", "您当前使用该 API 的频率过高"],
  ["not-found", "Zhipu", "模型不存在，请检查模型代码"],
  ["not-found", "OpenRouter", "x/y is not a valid model ID"],
])("%s: %s says %j", (kind, host, message) => {
  const body = JSON.stringify({ error: { message } });
  expect(classifyResponse({ host, status: 400, headers: new Headers(), body }).kind).toBe(kind);
});

it.each<[kind: ProviderErrorKind, host: string, code: string]>([
  ["context-overflow", "OpenAI", "context_length_exceeded"],
  ["context-overflow", "Anthropic", "request_too_large"],
  ["unsupported-image", "OpenAI", "invalid_image_format"],
  ["content-filter", "OpenAI", "content_filter"],
  ["quota", "OpenAI", "billing_hard_limit_reached"],
  ["quota", "DashScope", "Arrearage"],
  ["quota", "DashScope", "AllocationQuota.FreeTierOnly"],
  ["authentication", "OpenAI", "invalid_api_key"],
  ["authentication", "DashScope", "InvalidApiKey"],
  ["not-found", "OpenAI", "model_not_found"],
  ["quota", "Zhipu", "1309"],
  ["overloaded", "Zhipu", "1312"],
])("%s: %s gives the code %s", (kind, host, code) => {
  const body = JSON.stringify({ error: { message: "No.", code } });
  expect(classifyResponse({ host, status: 400, headers: new Headers(), body }).kind).toBe(kind);
});
