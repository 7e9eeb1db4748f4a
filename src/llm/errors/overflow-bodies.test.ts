// Whole replies of hosts to a request that was too long, as they are in public issue threads and documentation.
import { expect, it } from "vitest";
import { classifyResponse } from "./provider-error.ts";

const text = "This model's maximum context length is 16384 tokens. However, you requested 19591 tokens";
const counts = "(9591 in the messages, 10000 in the completion)";

it.each<[host: string, status: number, body: unknown, limit: object]>([
  [
    "vLLM",
    400,
    { object: "error", message: `${text} ${counts}. None`, type: "BadRequestError", param: null, code: 400 },
    { window: 16_384, prompt: 9591 },
  ],
  [
    "vLLM, newer",
    400,
    {
      error: {
        message:
          "'max_tokens' or 'max_completion_tokens' is too large: 8192. This model's maximum context length is 4096 tokens and your request has 2863 input tokens (8192 > 4096 - 2863). None",
        type: "BadRequestError",
        param: null,
        code: 400,
      },
    },
    { window: 4096, prompt: 2863 },
  ],
  [
    "LiteLLM",
    400,
    {
      error: {
        message: `litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - ${text}`,
        type: null,
        param: null,
        code: "400",
      },
    },
    { window: 16_384 },
  ],
  [
    "LiteLLM, with no figure",
    400,
    {
      error: { message: "litellm.ContextWindowExceededError: Mocked", type: null, param: null, code: "400" },
    },
    {},
  ],
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 5000,
        n_ctx: 4096,
      },
    },
    { window: 4096, prompt: 5000 },
  ],
  [
    "llama-cpp-python",
    400,
    {
      error: {
        message:
          "This model's maximum context length is 2048 tokens. However, you requested 3051 tokens (2051 in the messages, 1000 in the completion). Please reduce the length of the messages or completion.",
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      },
    },
    { window: 2048, prompt: 2051 },
  ],
  [
    "Ollama",
    400,
    { error: { message: "the input length exceeds the context length", type: "api_error", code: null } },
    {},
  ],
  [
    "LM Studio",
    400,
    {
      error:
        "Trying to keep the first 15857 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
    },
    { window: 4096, prompt: 15_857 },
  ],
  ["LM Studio, in a stream", 200, { error: { message: "Context size has been exceeded." } }, {}],
  [
    "SGLang",
    400,
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    { window: 40_960, prompt: 61_709 },
  ],
])("%s is understood as a request that was too long", (host, status, body, limit) => {
  const error = classifyResponse({ host, status, headers: new Headers(), body: JSON.stringify(body) });
  expect(error).toMatchObject({ kind: "context-overflow", limit });
});

// Older and newer versions of these hosts, and others: a figure is read where there is one.
it.each<[message: string, window?: number, prompt?: number]>([
  [
    "The prompt (total length 5000) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
    4096,
    5000,
  ],
  [
    "You passed 5001 input tokens and requested 1024 output tokens. However, the model's context length is only 4096 tokens, resulting in a maximum input length of 3072 tokens. Please reduce the length of the input prompt. (parameter=input_tokens, value=5001)",
    4096,
    5001,
  ],
  [
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    4096,
    5000,
  ],
  ["max_tokens must be at least 1, got -904."],
  ["Input prompt (5000 tokens) is too long and exceeds limit of 4096"],
  [
    "litellm.BadRequestError: " +
      "and so on ".repeat(40) +
      " ContextWindowExceededError: input is too long for this model",
  ],
  ["request (5000 tokens) exceeds the available context size (4096 tokens), try increasing it", 4096, 5000],
  ["the request exceeds the available context size. try increasing the context size or enable context shift"],
  ["input (5000 tokens) is larger than the max context size (4096 tokens). skipping", 4096, 5000],
  ["prompt too long; exceeded max context length by 4 tokens"],
  ["input exceeds maximum context length and cannot be truncated further"],
  [
    "Reached context length of 4096 tokens with model (arch: llama) that does not currently support mid-generation context overflow. Try reloading with a larger context length or shortening the prompt/chat.",
    4096,
  ],
  ["Cannot truncate prompt with n_keep (5000) >= n_ctx (4096)", 4096, 5000],
  [
    "Input length (5000 tokens) exceeds the maximum allowed length (4096 tokens). Use a shorter input or enable --allow-auto-truncate.",
    4096,
    5000,
  ],
  [
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 3976 tokens from the input messages and 1024 tokens for the completion. Please reduce",
    4096,
    3976,
  ],
  [
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    32768,
    40000,
  ],
  ["The prompt is too long: 5000, model maximum context length: 4096", 4096],
  ["`inputs` must have less than 4096 tokens. Given: 5000", 4096, 5000],
  ["too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000.", 4081, 5000],
  ["Prompt length (5000) exceeds maximum input length (4096).", 4096, 5000],
  ["Prompt length 5000 is greater than max_seq_len 4096", 4096, 5000],
  ["输入内容过长，超过模型最大长度 4096", 4096],
  ["your request does not fit the 4096-token context window", 4096],
  ["The sequence length of 5000 exceeds the model's limit"],
  ["conversation is too long for the model's 8192 token context", 8192],
  ["Requested tokens (3051) exceed context window of 2048", 2048, 3051],
])("%s", (message, window, prompt) => {
  const body = JSON.stringify({ error: { message } });
  const error = classifyResponse({ host: "any", status: 400, headers: new Headers(), body });
  expect(error.kind).toBe("context-overflow");
  if (window !== undefined) expect(error.limit).toMatchObject({ window });
  if (prompt !== undefined) expect(error.limit).toMatchObject({ prompt });
});

it.each<[kind: string, message: string]>([
  [
    "rate-limit",
    "Rate limit reached for gpt-5 in organization org on tokens per min (TPM): Limit 30000, Used 29000, Requested 2000. Please try again in 2s.",
  ],
  ["rate-limit", "Too many tokens per minute, please wait before trying again."],
  ["rate-limit", "Too many requests"],
  ["quota", "You exceeded your current quota, please check your plan and billing details"],
  ["invalid-request", "messages.1.content: Input should be a valid list"],
  ["invalid-request", "Invalid value for temperature: must be less than or equal to 2"],
  ["rate-limit", "Request was throttled: tokens per day limit exceeded"],
  [
    "invalid-request",
    "Missing required parameter: 'messages[0].content'. The maximum length of a name is 64.",
  ],
  [
    "invalid-request",
    "Invalid 'tools[0].function.name': string too long. Expected a string with maximum length 64, but got a string with length 80 instead.",
  ],
  ["invalid-request", "Invalid 'user': string too long. Expected a string with maximum length 64"],
])("%s, and no matter of length: %s", (kind, message) => {
  const status = kind === "invalid-request" ? 400 : 429;
  const body = JSON.stringify({ error: { message } });
  expect(classifyResponse({ host: "any", status, headers: new Headers(), body }).kind).toBe(kind);
});
