import { describe, expect, it } from "vitest";
import { sentenceOf } from "../../../test/support/sentence-of.ts";
import { itSays } from "../../../test/support/wording.ts";
import { nanobot } from "../../lib/program-command.ts";
import type { ProviderErrorKind } from "../types.ts";
import {
  allowsFallback,
  classifyResponse,
  classifyThrown,
  isRetryable,
  ProxyRefusalError,
} from "./provider-error.ts";

function classify(status: number, body: unknown, headers: Record<string, string> = {}) {
  return classifyResponse({
    host: "Example",
    status,
    headers: new Headers(headers),
    body: typeof body === "string" ? body : JSON.stringify(body),
    now: Date.parse("2026-08-01T10:00:00Z"),
  });
}

function openAIError(message: string, code: string | null = null, type = "invalid_request_error") {
  return { error: { message, type, param: null, code } };
}

describe("a status alone", () => {
  it.each<[status: number, kind: ProviderErrorKind, retryable: boolean]>([
    [302, "unknown", false],
    [400, "invalid-request", false],
    [401, "authentication", false],
    [402, "quota", false],
    [403, "permission", false],
    [404, "not-found", false],
    [408, "timeout", true],
    [409, "server", true],
    [413, "context-overflow", false],
    [422, "invalid-request", false],
    [429, "rate-limit", true],
    [500, "server", true],
    [502, "server", true],
    [503, "overloaded", true],
    [504, "timeout", true],
    [529, "overloaded", true],
  ])("%i is %s", (status, kind, retryable) => {
    const error = classify(status, "");
    expect(error).toMatchObject({ kind, status, host: "Example" });
    expect(isRetryable(error)).toBe(retryable);
  });
});

describe("the words of hosts", () => {
  it.each<[host: string, status: number, body: unknown, kind: ProviderErrorKind]>([
    [
      "OpenAI",
      400,
      openAIError(
        "This model's maximum context length is 8192 tokens. However, your messages resulted in 8545 tokens.",
        "context_length_exceeded",
      ),
      "context-overflow",
    ],
    [
      "OpenAI",
      429,
      openAIError(
        "Request too large for gpt-4o in organization org-x on tokens per min (TPM): Limit 10000, Requested 15000.",
        "rate_limit_exceeded",
        "tokens",
      ),
      "context-overflow",
    ],
    [
      "OpenAI",
      429,
      openAIError(
        "You exceeded your current quota, please check your plan and billing details.",
        "insufficient_quota",
        "insufficient_quota",
      ),
      "quota",
    ],
    [
      "OpenAI",
      429,
      openAIError(
        "Rate limit reached for gpt-4o in organization org-x on requests per min (RPM): Limit 3, Used 3. Please try again in 20s.",
        "rate_limit_exceeded",
        "requests",
      ),
      "rate-limit",
    ],
    [
      "OpenAI",
      404,
      openAIError("The model `gpt-9` does not exist or you do not have access to it.", "model_not_found"),
      "not-found",
    ],
    [
      "OpenAI",
      400,
      openAIError("Invalid content type. image_url is only supported by certain models."),
      "unsupported-image",
    ],
    [
      "Anthropic",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message: "prompt is too long: 213462 tokens > 200000 maximum",
        },
      },
      "context-overflow",
    ],
    [
      "Anthropic",
      400,
      {
        type: "error",
        error: {
          type: "invalid_request_error",
          message:
            "Your credit balance is too low to access the Anthropic API. Please go to Plans & Billing to upgrade or purchase credits.",
        },
      },
      "quota",
    ],
    [
      "Anthropic",
      529,
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "overloaded",
    ],
    [
      "Anthropic in a stream",
      200,
      { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
      "overloaded",
    ],
    ["DeepSeek", 402, openAIError("Insufficient Balance", "invalid_request_error", "unknown_error"), "quota"],
    [
      "DeepSeek",
      400,
      openAIError(
        "Failed to deserialize the JSON body into the target type: messages[1]: unknown variant `image_url`, expected `text`",
      ),
      "unsupported-image",
    ],
    ["DeepSeek", 400, openAIError("Content Exists Risk"), "content-filter"],
    ["DeepSeek", 400, openAIError("Model Not Exist"), "not-found"],
    [
      "Gemini",
      400,
      [
        {
          error: {
            code: 400,
            message:
              "The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
      "context-overflow",
    ],
    [
      "Gemini",
      400,
      [
        {
          error: {
            code: 400,
            message: "API key not valid. Please pass a valid API key.",
            status: "INVALID_ARGUMENT",
          },
        },
      ],
      "authentication",
    ],
    [
      "Gemini",
      503,
      [
        {
          error: {
            code: 503,
            message: "The model is overloaded. Please try again later.",
            status: "UNAVAILABLE",
          },
        },
      ],
      "overloaded",
    ],
    [
      "DashScope",
      400,
      {
        error: {
          code: "invalid_parameter_error",
          message: "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 983616]",
          param: null,
          type: "invalid_request_error",
        },
        request_id: "81a373d6",
      },
      "context-overflow",
    ],
    [
      "DashScope",
      400,
      { error: { code: "data_inspection_failed", message: "Input data may contain inappropriate content." } },
      "content-filter",
    ],
    [
      "Moonshot",
      400,
      openAIError("Invalid request: Your request exceeded model token limit: 262144 (requested: 269030)"),
      "context-overflow",
    ],
    [
      "Moonshot",
      429,
      openAIError("You exceeded your current token quota", null, "exceeded_current_quota_error"),
      "quota",
    ],
    [
      "Moonshot",
      429,
      openAIError(
        "The engine is currently overloaded, please try again later",
        null,
        "engine_overloaded_error",
      ),
      "overloaded",
    ],
    ["Zhipu", 400, { error: { code: "1261", message: "Prompt 超长" } }, "context-overflow"],
    ["Zhipu", 429, { error: { code: "1113", message: "您的账户已欠费，请充值后重试" } }, "quota"],
    [
      "Zhipu",
      429,
      { error: { code: "1302", message: "您当前使用该 API 的并发数过高，请降低并发" } },
      "rate-limit",
    ],
    [
      "Zhipu",
      400,
      { error: { code: "1301", message: "系统检测到输入或生成内容可能包含不安全或敏感内容" } },
      "content-filter",
    ],
    [
      "Mistral",
      400,
      {
        object: "error",
        message:
          "Prompt contains 65673 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
        type: "invalid_request_error",
        code: "3051",
      },
      "context-overflow",
    ],
    [
      "Groq",
      413,
      openAIError(
        "Request too large for model `llama-3.1-8b-instant` in organization `org_x` on tokens per minute (TPM): Limit 6000, Requested 12345",
        "rate_limit_exceeded",
        "tokens",
      ),
      "context-overflow",
    ],
    [
      "Groq",
      400,
      openAIError("Please reduce the length of the messages or completion.", "context_length_exceeded"),
      "context-overflow",
    ],
    [
      "OpenRouter",
      400,
      {
        error: {
          message:
            "This endpoint's maximum context length is 131072 tokens. However, you requested about 140000 tokens",
          code: 400,
        },
      },
      "context-overflow",
    ],
    [
      "OpenRouter",
      402,
      { error: { message: "This request requires more credits, or fewer max_tokens.", code: 402 } },
      "quota",
    ],
    [
      "OpenRouter",
      404,
      { error: { message: "No endpoints found that support image input", code: 404 } },
      "unsupported-image",
    ],
    [
      "OpenRouter",
      403,
      {
        error: {
          message: 'openai/gpt-4o requires moderation. Your input was flagged for "violence"',
          code: 403,
        },
      },
      "content-filter",
    ],
    [
      "OpenRouter in a stream",
      200,
      {
        error: {
          message: "Provider returned error",
          code: 502,
          metadata: { provider_name: "X", raw: "upstream connect error" },
        },
      },
      "server",
    ],
    [
      "OpenRouter for a vendor",
      400,
      {
        error: {
          message: "Provider returned error",
          code: 400,
          metadata: { raw: '{"error":{"message":"prompt is too long: 1 > 0"}}' },
        },
      },
      "context-overflow",
    ],
    [
      "Ollama",
      400,
      { error: "prompt too long; exceeded max context length by 4 tokens" },
      "context-overflow",
    ],
    ["Ollama", 404, { error: 'model "nope" not found, try pulling it first' }, "not-found"],
    [
      "vLLM",
      400,
      {
        object: "error",
        message: "The decoder prompt (length 12345) is longer than the maximum model length of 8192.",
        type: "BadRequestError",
        code: 400,
      },
      "context-overflow",
    ],
    [
      "llama.cpp",
      400,
      {
        error: {
          code: 400,
          message: "the request exceeds the available context size, try increasing it",
          type: "exceed_context_size_error",
          n_prompt_tokens: 9000,
          n_ctx: 4096,
        },
      },
      "context-overflow",
    ],
    [
      "llama.cpp",
      500,
      {
        error: {
          code: 500,
          message:
            "image input is not supported - hint: if this is unexpected, you may need to provide the mmproj",
          type: "server_error",
        },
      },
      "unsupported-image",
    ],
    [
      "LM Studio",
      400,
      {
        error:
          "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.",
      },
      "context-overflow",
    ],
    [
      "MiniMax in a stream",
      200,
      { base_resp: { status_code: 1008, status_msg: "insufficient balance" } },
      "quota",
    ],
    [
      "FastAPI",
      422,
      { detail: [{ loc: ["body"], msg: "field required", type: "value_error.missing" }] },
      "invalid-request",
    ],
    ["an unknown 429", 429, { error: { message: "Slow down." } }, "rate-limit"],
    ["an unknown error in a stream", 200, { error: { message: "Something broke" } }, "server"],
  ])("%s %i", (_host, status, body, kind) => {
    expect(classify(status, body).kind).toBe(kind);
  });

  it("of Gemini tell a limit per minute from an empty account by the time to come back", () => {
    const message = "You exceeded your current quota, please check your plan and billing details.";
    const error = { code: 429, message, status: "RESOURCE_EXHAUSTED" };
    const details = [{ "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" }];
    expect(classify(429, [{ error: { ...error, details } }])).toMatchObject({
      kind: "rate-limit",
      retryAfterMs: 34_000,
    });
    expect(classify(429, [{ error }]).kind).toBe("quota");
  });

  it("of DashScope tell a limit per minute from an empty account by the code", () => {
    const message = "Allocated quota exceeded, please increase your quota limit.";
    expect(classify(429, { code: "Throttling.AllocationQuota", message }).kind).toBe("rate-limit");
  });

  it("do not mistake numbers in a sentence for codes", () => {
    expect(classify(400, openAIError("max_tokens must be at most 1301")).kind).toBe("invalid-request");
  });
});

describe("the sentence", () => {
  itSays("names the host, the status, what the host said and the next action", () => {
    const message = sentenceOf(classify(401, openAIError("Authentication Fails, no such user.")));
    expect(message).toBe(
      `Example did not accept the API key (401: Authentication Fails, no such user). Check the key in the settings of the page, or run ${nanobot} onboard.`,
    );
  });

  it("holds no secret, by value or by shape", () => {
    const error = classifyResponse({
      host: "Example",
      status: 401,
      headers: new Headers(),
      body: JSON.stringify(
        openAIError("Incorrect API key provided: my-own-secret-key or sk-proj-abcdefghijkl1234."),
      ),
      secrets: ["my-own-secret-key"],
    });
    const message = sentenceOf(error);
    expect(message).not.toContain("my-own-secret-key");
    expect(message).not.toContain("sk-proj-abcdefghijkl1234");
  });

  it("holds no part of a secret where a long sentence is cut", () => {
    const error = classifyResponse({
      host: "Example",
      status: 400,
      headers: new Headers(),
      body: JSON.stringify(openAIError(`${"x".repeat(290)} my-own-secret-key`)),
      secrets: ["my-own-secret-key"],
    });
    expect(sentenceOf(error)).not.toContain("my-own");
  });

  it("reduces a web page to its title", () => {
    const page =
      "<!DOCTYPE html>\n<html><head><title>502 Bad\n Gateway</title></head><body><h1>nginx</h1></body></html>";
    const error = classify(502, page);
    const message = sentenceOf(error);
    expect(error.kind).toBe("server");
    expect(message).toContain('502: a web page titled "502 Bad Gateway"');
    expect(message).not.toContain("<");
  });

  it("stays short however long the body is", () => {
    expect(sentenceOf(classify(500, `oops ${"x".repeat(100_000)}`))?.length).toBeLessThan(500);
  });
});

describe("the time to wait", () => {
  it.each<[title: string, headers: Record<string, string>, text: string, ms: number | undefined]>([
    ["seconds in the header", { "retry-after": "7" }, "", 7000],
    ["fractions in the header", { "retry-after": "0.5" }, "", 500],
    ["milliseconds in the header, which win", { "retry-after-ms": "250", "retry-after": "1" }, "", 250],
    ["a date in the header", { "retry-after": "Sat, 01 Aug 2026 10:00:30 GMT" }, "", 30_000],
    ["a date that has passed", { "retry-after": "Sat, 01 Aug 2026 09:00:00 GMT" }, "", 0],
    ["OpenAI's words", {}, "Please try again in 3.2s. Visit the page.", 3200],
    ["minutes and seconds", {}, "Please try again in 1m12.5s.", 72_500],
    ["milliseconds in words", {}, "Please try again in 20ms.", 20],
    ["words spelled out", {}, "retry after 15 seconds", 15_000],
    ["Gemini's words", {}, 'quota. Please retry in 34.07s. "retryDelay": "34s"', 34_070],
    ["Gemini's field", {}, '{"@type":"x.RetryInfo","retryDelay": "41s"}', 41_000],
    ["nothing said", {}, "Too many requests", undefined],
    ["a header that means nothing", { "retry-after": "soon" }, "", undefined],
    ["a wait that no host can mean", { "retry-after": "99999999999999999999" }, "", undefined],
    ["a point in time for a wait", { "retry-after": "1785578430" }, "", undefined],
  ])("is read from %s", (_title, headers, text, ms) => {
    expect(classify(429, text, headers).retryAfterMs).toBe(ms);
  });
});

describe("what was thrown", () => {
  const fetchFailed = (code: string, message = "") =>
    new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
  const facts = { host: "Example" };

  it.each<[code: string, kind: ProviderErrorKind, retryable: boolean]>([
    ["ECONNREFUSED", "connection", true],
    ["ECONNRESET", "connection", true],
    ["ENOTFOUND", "connection", true],
    ["EAI_AGAIN", "connection", true],
    ["UND_ERR_SOCKET", "connection", true],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout", true],
    ["UND_ERR_HEADERS_TIMEOUT", "timeout", true],
    ["ETIMEDOUT", "timeout", true],
    ["CERT_HAS_EXPIRED", "unknown", false],
    ["ERR_INVALID_URL", "unknown", false],
  ])("%s in the cause is %s", (code, kind, retryable) => {
    const error = classifyThrown(fetchFailed(code, "it broke"), facts);
    expect(error).toMatchObject({ kind, host: "Example" });
    expect(error.detail).toContain(`${code}: it broke`);
    expect(isRetryable(error)).toBe(retryable);
    expect(allowsFallback(error)).toBe(true);
  });

  it("on loopback a refused connection is not retried, a broken one is", () => {
    const refused = classifyThrown(fetchFailed("ECONNREFUSED"), { host: "Ollama", isLoopback: true });
    expect(isRetryable(refused)).toBe(false);
    expect(refused.phrase).toMatchObject({ code: "model.not-running", params: { host: "Ollama" } });
    const broken = classifyThrown(fetchFailed("ECONNRESET"), { host: "Ollama", isLoopback: true });
    expect(isRetryable(broken)).toBe(true);
  });

  it.each([
    [407, "setup.proxy-password"],
    [403, "setup.proxy-refused"],
  ])("a proxy that answers %i is named as such", (status, code) => {
    const error = new TypeError("fetch failed", { cause: new ProxyRefusalError(status) });
    expect(classifyThrown(error, facts)).toMatchObject({
      kind: "unknown",
      phrase: { code, params: { status } },
    });
  });

  it("finds the reason among the addresses that were tried", () => {
    const each = Object.assign(new Error("connect ECONNREFUSED ::1:1"), { code: "ECONNREFUSED" });
    const error = new TypeError("fetch failed", { cause: new AggregateError([each]) });
    expect(classifyThrown(error, { host: "Ollama", isLoopback: true })).toMatchObject({ isLoopback: true });
  });
});

describe("handing over to another model", () => {
  it.each<[kind: ProviderErrorKind, allowed: boolean]>([
    ["authentication", true],
    ["permission", true],
    ["quota", true],
    ["rate-limit", true],
    ["server", true],
    ["connection", true],
    ["timeout", true],
    ["content-filter", false],
    ["context-overflow", false],
    ["invalid-request", false],
    ["not-found", false],
  ])("%s: %s", (kind, allowed) => {
    expect(allowsFallback({ kind, host: "x" })).toBe(allowed);
  });
});
