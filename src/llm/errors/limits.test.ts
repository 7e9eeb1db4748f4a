import { expect, it } from "vitest";
import { type ContextLimit, readContextLimit } from "./limits.ts";

it.each<[host: string, sentence: string, limit: ContextLimit]>([
  [
    "OpenAI, vLLM",
    "This model's maximum context length is 8192 tokens. However, you requested 11055 tokens (2863 in the messages, 8192 in the completion). Please reduce the length of the messages or completion.",
    { window: 8192, prompt: 2863 },
  ],
  [
    "vLLM",
    "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 2863 input tokens (8192 > 4096 - 2863). None",
    { window: 4096, prompt: 2863 },
  ],
  [
    "vLLM",
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    { window: 4096, prompt: 5000 },
  ],
  [
    "LiteLLM",
    "litellm.ContextWindowExceededError: litellm.BadRequestError: OpenAIException - This model's maximum context length is 128,000 tokens. However, your messages resulted in 150,010 tokens.",
    { window: 128_000, prompt: 150_010 },
  ],
  [
    "llama.cpp",
    '{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error","n_prompt_tokens":5000,"n_ctx":4096}}',
    { window: 4096, prompt: 5000 },
  ],
  [
    "llama.cpp",
    "request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it",
    { window: 4096, prompt: 5000 },
  ],
  [
    "llama-cpp-python",
    "Requested tokens (3051) exceed context window of 2048",
    { window: 2048, prompt: 3051 },
  ],
  [
    "LM Studio",
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
    { window: 4096, prompt: 5000 },
  ],
  ["Ollama", "the input length exceeds maximum context length (4096)", { window: 4096 }],
  ["Anthropic", "prompt is too long: 210000 tokens > 200000 maximum", { window: 200_000, prompt: 210_000 }],
  [
    "Anthropic",
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length",
    { window: 200_000, prompt: 190_000 },
  ],
  [
    "Gemini",
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    { window: 1_048_576, prompt: 1_200_000 },
  ],
  ["DashScope", "Range of input length should be [1, 30720]", { window: 30_720 }],
  [
    "xAI",
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    { window: 131_072, prompt: 537_812 },
  ],
  [
    "Moonshot",
    "Invalid request: Your request exceeded model token limit: 131072 (requested: 135000)",
    { window: 131_072 },
  ],
  [
    "SiliconFlow",
    "length of prompt_tokens (69127) must be less than max_seq_len (32768)",
    { window: 32_768 },
  ],
  ["Together", "`inputs` tokens + `max_new_tokens` must be <= 8193", { window: 8193 }],
  ["Copilot", "prompt token count of 50000 exceeds the limit of 32768", { window: 32_768, prompt: 50_000 }],
  [
    "Groq",
    "Request too large for model `llama-3.1-8b` in organization `o` on tokens per minute (TPM): Limit 6000, Requested 10500",
    { window: 6000 },
  ],
  [
    "SGLang",
    "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
    { window: 40_960, prompt: 61_709 },
  ],
  [
    "SGLang",
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 3000 tokens from the input messages and 2000 tokens for the completion.",
    { window: 4096, prompt: 3000 },
  ],
  ["LM Studio", "Input length 6491 exceeds context length 1500", { window: 1500, prompt: 6491 }],
  [
    "OpenAI, of the answer",
    "max_tokens is too large: 8192. This model supports at most 4096 completion tokens, whereas you provided 8192.",
    { answer: 4096 },
  ],
  [
    "Anthropic, of the answer",
    "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens for claude-3-haiku-20240307",
    { answer: 4096 },
  ],
  ["Groq, of the answer", "`max_tokens` must be less than or equal to `8192`", { answer: 8192 }],
  [
    "DeepSeek, of the answer",
    "Invalid max_tokens value, the valid range of max_tokens is [1, 8192]",
    { answer: 8192 },
  ],
  ["DashScope, of the answer", "Range of max_tokens should be [1, 2048]", { answer: 2048 }],
  ["MiniMax", "context window exceeds limit (2013)", {}],
  ["Bedrock", "Input is too long for requested model.", {}],
])("what %s says of its limit is read: %s", (_host, sentence, limit) => {
  expect(readContextLimit(sentence)).toEqual(limit);
});
