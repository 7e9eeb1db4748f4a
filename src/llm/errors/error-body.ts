// Reads what a host wrote when it refused: reduces the many shapes of error bodies to codes and one sentence, and finds
// the kind of error by its wording. Knows no statuses; the tests hold the literal text that each pattern was written for.
import { isRecord } from "../../lib/is-record.ts";
import { parseJson } from "../../lib/json-tree.ts";
import { toOneLine } from "../../lib/text.ts";
import type { ProviderErrorKind } from "../types.ts";

export interface ErrorBody {
  /** Words and numbers that hosts use as codes, in lower case. */
  codes: string[];
  /** The host's sentence, on one line; empty when nothing is readable. */
  sentence: string;
  /** All that it said: proxies put a long way before the reason. */
  text: string;
  /** A status given inside the body (OpenRouter, Gemini), for errors that arrive in a 200 stream. */
  status?: number;
  /** A web page: it comes from a proxy, or the address is wrong. */
  isPage?: true;
}

const longestSentence = 300;
const longestText = 8_000;
const deepest = 6;

const codeField = /^(code|type|status|error_type|error_code|reason|status_code)$/;
/**
 * Fields that hold a sentence, or more fields. MiniMax: {"base_resp":{"status_code":1008,"status_msg":"..."}}.
 * OpenRouter puts what the vendor said under `metadata.raw`, next to "Provider returned error".
 */
const wordField = /^(errors?|detail|base_resp|message|msg|status_msg|metadata|raw|response)$/;

export function readErrorBody(body: string): ErrorBody {
  const text = body.trim();
  if (/^<(!doctype|html|head|\?xml)/i.test(text)) {
    const title = titleOf(text);
    return { codes: [], sentence: title, text: title, isPage: true };
  }
  const words = [...collect(parseJson(text) ?? text, "error")];
  const codes = words.flatMap(({ code }) => code?.toLowerCase() ?? []);
  const sentences = words.flatMap(({ sentence }) => sentence ?? []);
  const status = codes.map(Number).find((code) => code >= 400 && code <= 599);
  const all = toOneLine(sentences.join(" / "), longestText);
  return { codes, sentence: toOneLine(all, longestSentence), text: all, status };
}

function* collect(value: unknown, field: string, depth = 0): Generator<{ code?: string; sentence?: string }> {
  if (codeField.test(field)) {
    if (typeof value === "string" || typeof value === "number") yield { code: String(value) };
  }
  if (!wordField.test(field) || depth > deepest) return;
  const inner = typeof value === "string" ? parseJson(value) : value;
  if (Array.isArray(inner)) for (const item of inner.slice(0, 3)) yield* collect(item, field, depth + 1);
  else if (isRecord(inner)) {
    for (const [name, item] of Object.entries(inner)) yield* collect(item, name, depth + 1);
  } else if (typeof value === "string" && value !== "") yield { sentence: value };
}

/** A web page in place of an answer (a proxy, a wrong address): its title says most of it. */
function titleOf(page: string): string {
  const [, text = ""] = /<title[^>]{0,200}>([^<]{0,1000})/i.exec(page) ?? [];
  const title = toOneLine(text, 120);
  return title === "" ? "a web page instead of an answer" : `a web page titled "${title}"`;
}

const contextLimit =
  "(context[ _-]?(length|window|size|limit)|n_ctx|max_(seq_len|model_len|input_length|input_tokens|total_tokens|position_embeddings)|(maximum|max) ((allowed|input|sequence|prompt|total|model|token) ){1,2}length|model's (token )?limit)";
const tooMuch =
  "(exceed|too (long|large|many|big)|(long|larg|great|bigg|high)er than|over(flow| the)|reached|beyond|does(n't| not) fit|can(not|'t) fit|not enough|insufficient|out of range|>=?)";

/**
 * Matched against codes and sentence together, in lower case, in this order: the more
 * specific pattern comes first.
 */
const wordings: Array<[kind: ProviderErrorKind, pattern: RegExp]> = [
  ["context-overflow", /max(imum)? context length/], // OpenAI, DeepSeek, vLLM, OpenRouter, Mistral, Ollama
  ["context-overflow", /context[_ ]length[_ ]exceeded/], // OpenAI, Groq
  ["context-overflow", /exceeds? (the |model('s)? )?context window|context window exceeds/], // OpenAI; MiniMax
  ["context-overflow", /input tokens exceed/], // OpenAI
  ["context-overflow", /request too large for/], // OpenAI and Groq, of more than a minute's allowance: waiting does not help
  ["context-overflow", /reduce the length of (the|your) (messages|prompt|input)/], // OpenAI, Groq
  ["context-overflow", /prompt (is |tokens )?too long/], // Anthropic; Qianfan
  ["context-overflow", /exceeds? context limit/], // Anthropic
  ["context-overflow", /request_too_large|request exceeds the maximum size/], // Anthropic
  ["context-overflow", /input token count.{0,40}exceeds/], // Gemini
  ["context-overflow", /range of input length should be/], // DashScope
  ["context-overflow", /exceeded model token limit|model max length exceeded/], // Moonshot
  ["context-overflow", /prompt exceeds max length|prompt 超长/], // Zhipu
  ["context-overflow", /maximum model length|max_tokens must be at least 1, got -/], // vLLM
  ["context-overflow", /contextwindowexceeded/], // LiteLLM
  ["context-overflow", /exceed(s)? context window of/], // llama-cpp-python
  ["context-overflow", /exceed_context_size|available context size|context size has been exceeded/], // llama.cpp
  ["context-overflow", /context length of only|greater than the context length|context the overflows/], // LM Studio
  ["context-overflow", /maximum prompt length/], // xAI
  ["context-overflow", /token count of \d+ exceeds the limit/], // Copilot
  ["context-overflow", /must be less than max_seq_len/], // SiliconFlow
  ["context-overflow", /`inputs` tokens \+ `max_new_tokens` must be/], // Together
  ["context-overflow", /input is too long/], // Bedrock
  ["context-overflow", /supports at most [\d,]+ (completion|output) tokens/], // OpenAI, of the answer alone
  ["context-overflow", /maximum allowed number of output tokens/], // Anthropic, of the answer alone
  ["context-overflow", /max_(completion_)?tokens`? must be less than or equal to|range of max_tokens/], // Groq; DeepSeek, DashScope
  ["context-overflow", /requested exceeds the model limit/], // Bedrock
  ["context-overflow", /longer than the model's context length/], // SGLang
  ["context-overflow", /input length.{0,60}exceeds (the )?context length/], // LM Studio, Ollama
  // Where no host is known to say it so: a limit of the context, and that something does not fit it, in either order.
  ["context-overflow", new RegExp(`${tooMuch}.{0,120}${contextLimit}|${contextLimit}.{0,120}${tooMuch}`)],
  ["context-overflow", /context overflow|overflows? the context/],
  [
    "context-overflow",
    /(prompt|input|conversation|message)s? ?(\([^)]{0,60}\) )?(is |are )?too (long|large|big)/,
  ],
  ["context-overflow", /too many (input |prompt )?tokens(?!.{0,40}per )/], // Cohere, Bedrock
  ["context-overflow", /`inputs` must have less than/], // TGI
  [
    "context-overflow",
    /(上下文|输入|提示词|请求).{0,20}(过长|超长|超过|超出)|超[过出].{0,20}(上下文|最大长度|长度限制|token ?(上限|限制))/,
  ],
  ["unsupported-image", /image_url is only supported by/], // OpenAI
  ["unsupported-image", /invalid_image|unsupported image/], // OpenAI
  ["unsupported-image", /unknown variant `image_url`/], // DeepSeek
  ["unsupported-image", /no endpoints found that support image/], // OpenRouter
  ["unsupported-image", /image (input|inputs|content|url|urls) (is|are) not (supported|enabled|allowed)/], // llama.cpp, xAI, Mistral
  ["unsupported-image", /(does not|doesn't|do not|don't|not) support (image|vision|multimodal|multi-modal)/], // Groq, Moonshot, Ollama
  ["unsupported-image", /at most 0 image|is not a multimodal model/], // vLLM
  ["unsupported-image", /content\.type 参数非法/], // Zhipu
  ["unsupported-image", /could not process image|image exceeds \d+ ?mb|image dimensions exceed/], // Anthropic
  ["content-filter", /content_filter|content management policy|content_policy_violation/], // Azure, OpenAI
  ["content-filter", /data_?inspection_?failed|content exists risk/], // DashScope; DeepSeek
  ["content-filter", /considered high risk/], // Moonshot
  ["content-filter", /不安全或敏感内容/], // Zhipu
  ["content-filter", /your input was flagged|safety_check_failed/], // OpenRouter
  ["quota", /insufficient_quota|exceeded your current quota/], // OpenAI
  ["quota", /billing_hard_limit_reached|billing_not_active|payment_required/],
  // DashScope's "Allocated quota exceeded" is its limit per minute, with the code "Throttling.AllocationQuota".
  ["quota", /(?<!allocated )quota[_ ]exceeded|quota[_ ]exhausted/],
  ["quota", /insufficient[_ ]balance|insufficient account balance|insufficient[_ ](credit|fund)s?/], // DeepSeek, Zhipu
  ["quota", /credit[_ ]balance[_ ](is )?too[_ ]low/], // Anthropic
  ["quota", /requires more credits|out of credits|all available credits|no credits/], // OpenRouter; xAI
  ["quota", /exceeded_current_quota|arrearage|freetieronly/], // Moonshot; DashScope
  ["quota", /欠费|余额不足|额度不足/], // Zhipu
  ["authentication", /invalid_api_key|incorrect api key|invalid api[- ]?key/], // OpenAI
  ["authentication", /api key not valid|api_key_invalid/], // Gemini
  ["authentication", /authentication_error|invalidapikey|invalid x-api-key/], // Anthropic; DashScope
  ["authentication", /login fail/], // MiniMax
  ["overloaded", /overloaded|over capacity|capacity exceeded|server[_ ]busy|engine_overloaded/], // Anthropic, Gemini, Moonshot
  ["overloaded", /访问量过大|服务繁忙|系统繁忙/], // Zhipu
  ["rate-limit", /rate[_ ]?limit|too[_ ]many[_ ]requests|requests?_limit_exceeded|throttl/],
  ["rate-limit", /resource_exhausted|频率过高|并发数过高|请求过于频繁/], // Gemini; Zhipu
  ["not-found", /model_not_found|model .{0,120}(not found|does not exist)|模型不存在/], // OpenAI, Ollama, Zhipu
  ["not-found", /is not a valid model id|model not exist|invalid model name/], // OpenRouter; DeepSeek; LiteLLM
  ["timeout", /timed out|timeout/],
];

/** Zhipu's numbers, which mean something only as a code. */
const numbers: Array<[kind: ProviderErrorKind, codes: string[]]> = [
  ["context-overflow", ["1261"]],
  ["content-filter", ["1301"]],
  // In arrears, daily limit reached, plan used up (week, month), plan ended.
  ["quota", ["1113", "1304", "1308", "1310", "1309"]],
  ["overloaded", ["1312"]],
  // Too many at once, too often, flow control.
  ["rate-limit", ["1302", "1303", "1305"]],
  ["not-found", ["1211"]],
];

export function findKind({ codes, text: said }: ErrorBody): ProviderErrorKind | undefined {
  const text = `${codes.join(" ")} ${said.toLowerCase()}`;
  const [kind] =
    numbers.find(([, known]) => known.some((number) => codes.includes(number))) ??
    wordings.find(([, pattern]) => pattern.test(text)) ??
    [];
  return kind;
}
