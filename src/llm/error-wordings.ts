// How hosts word their refusals: each pattern stands beside the literal text that it was written for.
// Knows neither statuses nor what follows from a kind.
import type { ErrorBody } from "./error-body.ts";
import type { ProviderErrorKind } from "./types.ts";

interface Wording {
  kind: ProviderErrorKind;
  /** Matched against codes and sentence together, in lower case. */
  patterns: RegExp[];
  /** Zhipu's numbers, which mean something only as a code. */
  numbers?: string[];
}

const contextOverflow: RegExp[] = [
  // OpenAI, DeepSeek, vLLM: "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545"
  // OpenRouter: "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens"
  // Mistral: "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length"
  // Ollama: "prompt too long; exceeded max context length by 4 tokens"
  /max(imum)? context length/,
  // OpenAI, Groq: code "context_length_exceeded"
  /context[_ ]length[_ ]exceeded/,
  // OpenAI: "Your input exceeds the context window of this model"; MiniMax: "context window exceeds limit (2013)"
  /exceeds? (the |model('s)? )?context window|context window exceeds/,
  // OpenAI: "Input tokens exceed the configured limit of 922000 tokens"
  /input tokens exceed/,
  // OpenAI and Groq, of one request above the minute's allowance, which waiting never heals:
  // "Request too large for gpt-4o on tokens per min (TPM): Limit 10000, Requested 15000."
  /request too large for/,
  // Groq, OpenAI: "Please reduce the length of the messages or completion."
  /reduce the length of (the|your) (messages|prompt|input)/,
  // Anthropic: "prompt is too long: 213462 tokens > 200000 maximum"; Qianfan: "Prompt tokens too long"
  /prompt (is |tokens )?too long/,
  // Anthropic: "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000"
  /exceeds? context limit/,
  // Anthropic, status 413: type "request_too_large", "Request exceeds the maximum size"
  /request_too_large|request exceeds the maximum size/,
  // Gemini: "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575)."
  /input token count.{0,40}exceeds/,
  // DashScope (Qwen): "Range of input length should be [1, 30720]"
  /range of input length should be/,
  // Moonshot: "Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"
  // Moonshot, older: "model max length exceeded, max length:8192"
  /exceeded model token limit|model max length exceeded/,
  // Zhipu: "Prompt exceeds max length", "Prompt 超长"
  /prompt exceeds max length|prompt 超长/,
  // vLLM: "The decoder prompt (length 12345) is longer than the maximum model length of 8192."
  /maximum model length/,
  // llama.cpp: type "exceed_context_size_error", "the request exceeds the available context size, try increasing it"
  /exceed_context_size|available context size|context size has been exceeded/,
  // LM Studio: "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with
  // context length of only 4096 tokens"; "The number of tokens to keep from the initial prompt is greater than the
  // context length"
  /context length of only|greater than the context length|context the overflows/,
  // xAI: "This model's maximum prompt length is 131072 but the request contains 537812 tokens."
  /maximum prompt length/,
  // Copilot: "prompt token count of 50000 exceeds the limit of 32768"
  /token count of \d+ exceeds the limit/,
  // SiliconFlow: "length of prompt_tokens (69127) must be less than max_seq_len (32768)"
  /must be less than max_seq_len/,
  // Together: "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193"
  /`inputs` tokens \+ `max_new_tokens` must be/,
  // Bedrock: "Input is too long for requested model."
  /input is too long/,
];

const unsupportedImage: RegExp[] = [
  // OpenAI: "Invalid content type. image_url is only supported by certain models."
  /image_url is only supported by/,
  // DeepSeek: "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`"
  /unknown variant `image_url`/,
  // OpenRouter, status 404: "No endpoints found that support image input"
  /no endpoints found that support image/,
  // llama.cpp: "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj"
  // xAI: "Image inputs are not supported by this model." Mistral: "Image input is not enabled for this model"
  /image (input|inputs|content|url|urls) (is|are) not (supported|enabled|allowed)/,
  // Groq, Moonshot, Ollama: "this model does not support image input", "model does not support images"
  /(does not|doesn't|do not|don't|not) support (image|vision|multimodal|multi-modal)/,
  // vLLM: "At most 0 image(s) may be provided in one prompt."; "llama is not a multimodal model"
  /at most 0 image|is not a multimodal model/,
  // Zhipu: "messages.content.type 参数非法，取值范围 ['text']"
  /content\.type 参数非法/,
  // Anthropic: "Could not process image"; "image exceeds 5 MB maximum: 6442450 bytes > 5242880 bytes"
  /could not process image|image exceeds \d+ ?mb|image dimensions exceed/,
  // OpenAI: code "invalid_image_format", "You uploaded an unsupported image."
  /invalid_image|unsupported image/,
];

const contentFilter: RegExp[] = [
  // Azure, OpenAI: code "content_filter", "The response was filtered due to the prompt triggering ... content management policy"
  /content_filter|content management policy|content_policy_violation/,
  // DashScope: code "data_inspection_failed"; DeepSeek: "Content Exists Risk"
  /data_?inspection_?failed|content exists risk/,
  // Moonshot: "The request was rejected because it was considered high risk"
  /considered high risk/,
  // Zhipu: "系统检测到输入或生成内容可能包含不安全或敏感内容"
  /不安全或敏感内容/,
  // OpenRouter, status 403: "openai/gpt-4o requires moderation. Your input was flagged for ..."
  /your input was flagged|safety_check_failed/,
];

const quota: RegExp[] = [
  // OpenAI: code "insufficient_quota", "You exceeded your current quota, please check your plan and billing details"
  /insufficient_quota|exceeded your current quota/,
  // DashScope's "Allocated quota exceeded" is its limit per minute, with the code "Throttling.AllocationQuota".
  /(?<!allocated )quota[_ ]exceeded|quota[_ ]exhausted|billing_hard_limit_reached|billing_not_active|payment_required/,
  // DeepSeek, status 402: "Insufficient Balance"; Zhipu: "Insufficient balance or no resource package. Please recharge."
  /insufficient[_ ]balance|insufficient account balance|insufficient[_ ](credit|fund)s?/,
  // Anthropic, status 400: "Your credit balance is too low to access the Anthropic API."
  /credit[_ ]balance[_ ](is )?too[_ ]low/,
  // OpenRouter, status 402: "This request requires more credits, or fewer max_tokens."; xAI: "used all available credits"
  /requires more credits|out of credits|all available credits|no credits/,
  // Moonshot: type "exceeded_current_quota_error"; DashScope: code "Arrearage", "AllocationQuota.FreeTierOnly"
  /exceeded_current_quota|arrearage|freetieronly/,
  // Zhipu: "您的账户已欠费，请充值后重试"
  /欠费|余额不足|额度不足/,
];

const authentication: RegExp[] = [
  // OpenAI: code "invalid_api_key", "Incorrect API key provided"; Gemini, status 400: "API key not valid."
  /invalid_api_key|incorrect api key|api key not valid|api_key_invalid|invalid api[- ]?key/,
  // Anthropic: type "authentication_error", "invalid x-api-key"; DashScope: code "InvalidApiKey"
  /authentication_error|invalidapikey|invalid x-api-key/,
  // MiniMax: "login fail: Please carry the API secret key in the 'Authorization' field"
  /login fail/,
];

const overloaded: RegExp[] = [
  // Anthropic, status 529: type "overloaded_error", "Overloaded"
  /overloaded|over capacity|capacity exceeded|server[_ ]busy|engine_overloaded/,
  // Gemini, status 503: "The model is overloaded. Please try again later."; Zhipu: "该模型当前访问量过大"
  /访问量过大|服务繁忙|系统繁忙/,
];

const rateLimit: RegExp[] = [
  /rate[_ ]?limit|too[_ ]many[_ ]requests|requests?_limit_exceeded|throttl/,
  // Gemini: status "RESOURCE_EXHAUSTED"; Zhipu: "您当前使用该 API 的频率过高"
  /resource_exhausted|频率过高|并发数过高|请求过于频繁/,
];

const notFound: RegExp[] = [
  // OpenAI: code "model_not_found"; Ollama: "model 'x' not found, try pulling it first"; Zhipu: "模型不存在"
  /model_not_found|model .{0,120}(not found|does not exist)|模型不存在/,
  // OpenRouter: "x/y is not a valid model ID"; DeepSeek, status 400: "Model Not Exist"
  /is not a valid model id|model not exist/,
];

const timeout: RegExp[] = [/timed out|timeout/];

/** In the order in which they are asked: what is more particular comes first. */
const wordings: Wording[] = [
  { kind: "context-overflow", patterns: contextOverflow, numbers: ["1261"] },
  { kind: "unsupported-image", patterns: unsupportedImage },
  { kind: "content-filter", patterns: contentFilter, numbers: ["1301"] },
  // In arrears, daily limit reached, plan used up (week, month), plan ended.
  { kind: "quota", patterns: quota, numbers: ["1113", "1304", "1308", "1310", "1309"] },
  { kind: "authentication", patterns: authentication },
  { kind: "overloaded", patterns: overloaded, numbers: ["1312"] },
  // Too many at once, too often, flow control.
  { kind: "rate-limit", patterns: rateLimit, numbers: ["1302", "1303", "1305"] },
  { kind: "not-found", patterns: notFound, numbers: ["1211"] },
  { kind: "timeout", patterns: timeout },
];

export function findKind({ codes, sentence }: ErrorBody): ProviderErrorKind | undefined {
  const text = `${codes.join(" ")} ${sentence.toLowerCase()}`;
  const found = wordings.find(
    ({ patterns, numbers }) =>
      numbers?.some((number) => codes.includes(number)) || patterns.some((pattern) => pattern.test(text)),
  );
  return found?.kind;
}
