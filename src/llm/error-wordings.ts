// How hosts word their refusals. Knows neither statuses nor what follows from a kind; the literal text that each
// pattern was written for stands in the tests.
import type { ErrorBody } from "./error-body.ts";
import type { ProviderErrorKind } from "./types.ts";

interface Wording {
  kind: ProviderErrorKind;
  /** Matched against codes and sentence together, in lower case. */
  patterns: RegExp[];
  /** Zhipu's numbers, which mean something only as a code. */
  numbers?: string[];
}

/** In the order in which they are asked: what is more particular comes first. */
const wordings: Wording[] = [
  {
    kind: "context-overflow",
    numbers: ["1261"],
    patterns: [
      /max(imum)? context length/, // OpenAI, DeepSeek, vLLM, OpenRouter, Mistral, Ollama
      /context[_ ]length[_ ]exceeded/, // OpenAI, Groq
      /exceeds? (the |model('s)? )?context window|context window exceeds/, // OpenAI; MiniMax
      /input tokens exceed/, // OpenAI
      /request too large for/, // OpenAI and Groq, of more than a minute's allowance: waiting never heals it
      /reduce the length of (the|your) (messages|prompt|input)/, // OpenAI, Groq
      /prompt (is |tokens )?too long/, // Anthropic; Qianfan
      /exceeds? context limit/, // Anthropic
      /request_too_large|request exceeds the maximum size/, // Anthropic
      /input token count.{0,40}exceeds/, // Gemini
      /range of input length should be/, // DashScope
      /exceeded model token limit|model max length exceeded/, // Moonshot
      /prompt exceeds max length|prompt 超长/, // Zhipu
      /maximum model length/, // vLLM
      /exceed_context_size|available context size|context size has been exceeded/, // llama.cpp
      /context length of only|greater than the context length|context the overflows/, // LM Studio
      /maximum prompt length/, // xAI
      /token count of \d+ exceeds the limit/, // Copilot
      /must be less than max_seq_len/, // SiliconFlow
      /`inputs` tokens \+ `max_new_tokens` must be/, // Together
      /input is too long/, // Bedrock
    ],
  },
  {
    kind: "unsupported-image",
    patterns: [
      /image_url is only supported by/, // OpenAI
      /invalid_image|unsupported image/, // OpenAI
      /unknown variant `image_url`/, // DeepSeek
      /no endpoints found that support image/, // OpenRouter
      /image (input|inputs|content|url|urls) (is|are) not (supported|enabled|allowed)/, // llama.cpp, xAI, Mistral
      /(does not|doesn't|do not|don't|not) support (image|vision|multimodal|multi-modal)/, // Groq, Moonshot, Ollama
      /at most 0 image|is not a multimodal model/, // vLLM
      /content\.type 参数非法/, // Zhipu
      /could not process image|image exceeds \d+ ?mb|image dimensions exceed/, // Anthropic
    ],
  },
  {
    kind: "content-filter",
    numbers: ["1301"],
    patterns: [
      /content_filter|content management policy|content_policy_violation/, // Azure, OpenAI
      /data_?inspection_?failed|content exists risk/, // DashScope; DeepSeek
      /considered high risk/, // Moonshot
      /不安全或敏感内容/, // Zhipu
      /your input was flagged|safety_check_failed/, // OpenRouter
    ],
  },
  {
    kind: "quota",
    // In arrears, daily limit reached, plan used up (week, month), plan ended.
    numbers: ["1113", "1304", "1308", "1310", "1309"],
    patterns: [
      /insufficient_quota|exceeded your current quota/, // OpenAI
      // DashScope's "Allocated quota exceeded" is its limit per minute, with the code "Throttling.AllocationQuota".
      /(?<!allocated )quota[_ ]exceeded|quota[_ ]exhausted|billing_hard_limit_reached|billing_not_active|payment_required/,
      /insufficient[_ ]balance|insufficient account balance|insufficient[_ ](credit|fund)s?/, // DeepSeek, Zhipu
      /credit[_ ]balance[_ ](is )?too[_ ]low/, // Anthropic
      /requires more credits|out of credits|all available credits|no credits/, // OpenRouter; xAI
      /exceeded_current_quota|arrearage|freetieronly/, // Moonshot; DashScope
      /欠费|余额不足|额度不足/, // Zhipu
    ],
  },
  {
    kind: "authentication",
    patterns: [
      /invalid_api_key|incorrect api key|api key not valid|api_key_invalid|invalid api[- ]?key/, // OpenAI; Gemini
      /authentication_error|invalidapikey|invalid x-api-key/, // Anthropic; DashScope
      /login fail/, // MiniMax
    ],
  },
  {
    kind: "overloaded",
    numbers: ["1312"],
    patterns: [
      /overloaded|over capacity|capacity exceeded|server[_ ]busy|engine_overloaded/, // Anthropic, Gemini, Moonshot
      /访问量过大|服务繁忙|系统繁忙/, // Zhipu
    ],
  },
  {
    kind: "rate-limit",
    // Too many at once, too often, flow control.
    numbers: ["1302", "1303", "1305"],
    patterns: [
      /rate[_ ]?limit|too[_ ]many[_ ]requests|requests?_limit_exceeded|throttl/,
      /resource_exhausted|频率过高|并发数过高|请求过于频繁/, // Gemini; Zhipu
    ],
  },
  {
    kind: "not-found",
    numbers: ["1211"],
    patterns: [
      /model_not_found|model .{0,120}(not found|does not exist)|模型不存在/, // OpenAI, Ollama, Zhipu
      /is not a valid model id|model not exist/, // OpenRouter; DeepSeek
    ],
  },
  { kind: "timeout", patterns: [/timed out|timeout/] },
];

export function findKind({ codes, sentence }: ErrorBody): ProviderErrorKind | undefined {
  const text = `${codes.join(" ")} ${sentence.toLowerCase()}`;
  const found = wordings.find(
    ({ patterns, numbers }) =>
      numbers?.some((number) => codes.includes(number)) || patterns.some((pattern) => pattern.test(text)),
  );
  return found?.kind;
}
