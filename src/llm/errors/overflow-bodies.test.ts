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
