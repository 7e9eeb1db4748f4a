// Figures in a host's refusal: the size of its context window, how much was sent, how long to wait.
// Knows wordings; the tests hold the literal text that each pattern was written for.
export interface ContextLimit {
  /** Tokens of prompt and answer together. */
  window?: number;
  /** Tokens of the prompt, as the host counts them. */
  prompt?: number;
  /** Tokens of the longest answer, whatever the prompt. */
  answer?: number;
}

const number = "(\\d[\\d,_]{0,12})";

function toPatterns(...sources: string[]): RegExp[] {
  return sources.map((source) => new RegExp(source.replaceAll("#", number), "i"));
}

const windows = toPatterns(
  // OpenAI, vLLM, OpenRouter, DeepSeek, LiteLLM: "maximum context length is 8192 tokens"
  "max(?:imum)? context length (?:is|of) #",
  // vLLM: "(parameter=max_tokens ...) is longer than the maximum model length of 4096", "max_model_len=4096"
  "maximum model length of #",
  "max_model_len\\W{1,3}#",
  // llama.cpp: {"n_prompt_tokens":5000,"n_ctx":4096}; "exceeds the available context size (4096 tokens"
  '"?n_ctx"?\\s*[:=]\\s*#',
  "available context size \\(#",
  // llama-cpp-python: "Requested tokens (3051) exceed context window of 2048"
  "context window of #",
  // LM Studio: "loaded with context length of only 4096 tokens"
  "context length of only #",
  // Ollama: "exceeds maximum context length (4096)", "input length 5000 exceeds the context length 4096"
  "context length \\(?#",
  // Anthropic: "prompt is too long: 210000 tokens > 200000 maximum"; "exceed context limit: 190000 + 20000 > 200000"
  "tokens > # maximum",
  "exceeds? context limit: [\\d,]+ \\+ [\\d,]+ > #",
  // Gemini: "exceeds the maximum number of tokens allowed (1048576)"
  "maximum number of tokens allowed \\(?#",
  // DashScope (Qwen): "Range of input length should be [1, 30720]"
  "range of input length should be \\[\\d+,\\s*#",
  // xAI: "This model's maximum prompt length is 131072"
  "maximum prompt length is #",
  // Moonshot: "exceeded model token limit: 131072 (requested: 135000)"
  "model token limit: #",
  // SiliconFlow: "must be less than max_seq_len 32768"; Groq-like: "context_length=8192"
  "max_seq_len\\W{1,3}#",
  "context_length\\W{1,3}#",
  // Together: "`inputs` tokens + `max_new_tokens` must be <= 8193"
  "`max_new_tokens` must be <= #",
  // Copilot: "prompt token count of 70000 exceeds the limit of 64000"
  "exceeds the limit of #",
  "maximum of # (?:input )?tokens",
  // Moonshot: "max length:8192"
  "max length: ?#",
  // OpenAI: "the configured limit of 922000 tokens"
  "limit of # tokens",
  // Groq, OpenAI: more than a minute's allowance at once, which waiting does not help.
  "tokens per min(?:ute)? \\(tpm\\): limit #",
  // vLLM: "the model's context length is only 4096 tokens"; Fireworks: "maximum context length: 4096"; in other words
  "context[ _-]?(?:length|window|size|limit)(?: is| of| was|:|=| \\()?(?: only| limited to| set to| exactly)? ?#",
  // Mistral: "too large for model with 32768 maximum context length"; "a 4096-token context window"
  "#[ -](?:tokens?[ -])?(?:max(?:imum)? )?context",
  // LM Studio: "n_keep (5000) >= n_ctx (4096)"
  "n_ctx\\W{1,4}#",
  "max_(?:input_length|input_tokens|total_tokens|position_embeddings)\\W{1,4}#",
  // SGLang: "exceeds the maximum allowed length (4096 tokens)"; TensorRT-LLM: "maximum input length (4096)"
  "max(?:imum)? (?:allowed |input |sequence |prompt |total |model )*(?:token )?length(?: is| of|:|=)? ?\\(?#",
  // TGI: "`inputs` must have less than 4096 tokens. Given: 5000"; Cohere: "cannot exceed 4081"
  "must have less than # tokens",
  "(?:cannot|can't|must not|may not) exceed #",
  "(?:max(?:imum)?|up to|limit(?:ed to)?)(?: is|:)? # tokens",
  "(?:最大|上限|限制)[^\\d]{0,12}#",
);

const prompts = toPatterns(
  // OpenAI, vLLM: "(2863 in the messages, 8192 in the completion)", "your messages resulted in 9000 tokens"
  "# (?:tokens )?(?:in|from) (?:the|your) (?:messages|prompt|input)",
  "messages resulted in #",
  // vLLM: "your request has 2863 input tokens", "your prompt contains at least 5000 input tokens", "(length 5000)"
  "# input tokens",
  "prompt \\(length #",
  "prompt \\(total length #",
  // OpenRouter: "about 5000 tokens (4800 of text input, 200 of tool input, ...)" counts by parts: left to the estimate.
  'n_prompt_tokens"?\\s*[:=]\\s*#',
  // llama.cpp: "the request (5000 tokens) exceeds", "the request exceeds ... (5000 tokens)"
  "request \\(# tokens\\)",
  "requested tokens \\(#\\)",
  // Anthropic
  "too long: # tokens",
  "context limit: # \\+",
  // Gemini
  "input token count \\(?#",
  // Copilot
  "token count of #",
  // LM Studio: "keep the first 5000 tokens when context the overflows"
  "first # tokens when",
  // SGLang: "The input (61709 tokens) is longer than the model's context length (40960 tokens)."
  "input \\(# tokens\\)",
  // LM Studio: "Input length 6491 exceeds context length 1500"
  "input length \\(?#(?: tokens\\))? exceeds",
  // Mistral: "Prompt contains 40000 tokens"; TGI, Cohere, LM Studio
  "prompt (?:contains|has|length|of)\\W{0,3}#",
  "(?:given|received|got):? #",
  "n_keep \\(#",
  // xAI: "but the request contains 140000 tokens"
  "request contains # tokens",
);

const answers = toPatterns(
  // OpenAI: "This model supports at most 4096 completion tokens, whereas you provided 8192."
  "supports at most # (?:completion|output) tokens",
  // Anthropic: "max_tokens: 8192 > 4096, which is the maximum allowed number of output tokens"
  "max_tokens: [\\d,]+ > #, which is the maximum",
  // Groq: "`max_tokens` must be less than or equal to `8192`"
  "max_(?:completion_)?tokens`? must be less than or equal to `?#",
  // DeepSeek: "the valid range of max_tokens is [1, 8192]"; DashScope: "Range of max_tokens should be [1, 8192]"
  "range of max_tokens (?:is|should be) \\[\\d+,\\s*#",
  // Bedrock: "The maximum tokens you requested exceeds the model limit of 4096"
  "requested exceeds the model limit of #",
);

/** Smaller figures mean something else. */
const leastWindow = 256;
const longestText = 8_000;

export function readContextLimit(text: string): ContextLimit {
  const read = text.slice(0, longestText);
  const answer = find(answers, read);
  if (answer !== undefined && answer > 0) return { answer };
  const window = find(windows, read);
  const prompt = find(prompts, read);
  return {
    ...(window !== undefined && window >= leastWindow && { window }),
    ...(prompt !== undefined && { prompt }),
  };
}

function find(patterns: readonly RegExp[], text: string): number | undefined {
  for (const pattern of patterns) {
    const digits = pattern.exec(text)?.[1]?.replaceAll(/[,_]/g, "");
    if (digits !== undefined) return Number(digits);
  }
  return undefined;
}

const amount =
  /(\d{1,9}(?:\.\d{1,9})?)\s*(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|h)?(?![a-z])\s*/i;
// OpenAI: "Please try again in 1m12.5s." and "in 20ms."; Gemini: "Please retry in 34.07s." and "retryDelay": "34s"
const waitPattern = new RegExp(
  `(?:try again (?:in|after)|retry (?:in|after)|retrydelay"?:\\s*")\\s*((?:${amount.source}){1,4})`,
  "i",
);

/** Beyond it a figure means something else, such as a point in time or a fault. */
const longestMs = 7 * 24 * 3_600_000;

/** How long the host asks us to wait, in milliseconds, from its headers or its text. `now` is for a date. */
export function readRetryAfter(headers: Pick<Headers, "get">, text: string, now: number): number | undefined {
  const seconds = headers.get("retry-after");
  const wait =
    fromNumber(headers.get("retry-after-ms"), 1) ??
    fromNumber(seconds, 1000) ??
    fromDate(seconds, now) ??
    fromText(text);
  return wait !== undefined && wait <= longestMs ? wait : undefined;
}

function fromNumber(value: string | null, unit: number): number | undefined {
  return value === null || !/^\s*\d+(\.\d+)?\s*$/.test(value) ? undefined : Math.round(Number(value) * unit);
}

function fromDate(value: string | null, now: number): number | undefined {
  const date = Date.parse(value ?? "");
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

function fromText(text: string): number | undefined {
  const wait = waitPattern.exec(text.slice(0, 4000))?.[1];
  if (wait === undefined) return undefined;
  let ms = 0;
  for (const [, number, unit] of wait.matchAll(new RegExp(amount, "gi"))) ms += Number(number) * msOf(unit);
  return Math.round(ms);
}

function msOf(unit = "s"): number {
  if (/^(ms|milli)/i.test(unit)) return 1;
  if (/^m/i.test(unit)) return 60_000;
  return /^h/i.test(unit) ? 3_600_000 : 1000;
}
