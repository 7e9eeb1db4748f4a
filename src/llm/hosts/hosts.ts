// The table of model hosts, in order of preference, and look-up by name in any spelling.
// To add a compatible host, add a row here; see docs/adding-a-provider.md.
import { simplifyProviderName } from "../config.ts";
import { type Host, type HostRow, openaiQuirks, toHost, toRow, toTwins } from "./host.ts";

const claudeThinksAdaptively = /claude-(?:(?:opus|sonnet)-(?:4[-.][6-9]|[5-9])|haiku-[5-9]|fable|mythos)/;
const claudeRejectsTemperature = /claude-(?:opus-(?:4[-.][7-9]|[5-9])|(?:sonnet|haiku)-[5-9]|fable|mythos)/;
const claudeBindsThinking =
  /claude-(?:(?:opus|sonnet|haiku)-(?:5[-.][5-9]|[6-9])|(?:fable|mythos)-(?:5[-.][1-9]|[6-9]))/;

/** Vendors outside China, and the gateway that serves them all. */
const worldVendors: HostRow[] = [
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
      imagesByChat: true,
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

const minimax: Partial<Host> = { keywords: ["minimax", "minimaxai"], defaultModel: "MiniMax-M2.7" };

const ark: Partial<Host> = { quirks: { thinkingStyle: "thinking_type", maxCompletionTokens: true } };
const doubao = { ...ark, keywords: ["volcengine", "volces", "doubao"] };
const byteplus = { ...ark, keywords: ["byteplus", "bytepluses"] };
const arkChina = "https://ark.cn-beijing.volces.com/api";
const arkWorld = "https://ark.ap-southeast.bytepluses.com/api";

/** Chinese vendors. One with separate endpoints for China and the world has a row for each, because their keys differ. */
const chineseVendors: HostRow[] = [
  ...toTwins(
    toRow("moonshot", "Moonshot Kimi", "https://api.moonshot.ai/v1"),
    toRow("moonshot_cn", "Moonshot Kimi 月之暗面", "https://api.moonshot.cn/v1"),
    {
      keywords: ["moonshot", "moonshotai", "kimi"],
      defaultModel: "kimi-k2.6",
      // Sampling is fixed by the platform for these models, and K3 knows only the newer name of the output cap.
      quirks: {
        reasoningReplay: "backfill",
        rejectsTemperature: /^kimi-/,
        maxCompletionTokens: /^kimi-k[3-9]/,
      },
    },
  ),
  ...toTwins(
    toRow("dashscope", "DashScope 阿里云百炼", "https://dashscope.aliyuncs.com/compatible-mode/v1"),
    toRow(
      "dashscope_intl",
      "DashScope (international)",
      "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    ),
    {
      keywords: ["qwen", "qwq", "dashscope"],
      defaultModel: "qwen-plus",
      quirks: { thinkingStyle: "enable_thinking" },
    },
  ),
  ...toTwins(
    toRow("zhipu", "Zhipu GLM 智谱", "https://open.bigmodel.cn/api/paas/v4", {
      keyVariables: ["ZHIPU_API_KEY", "ZHIPUAI_API_KEY"],
      keywords: ["zhipu", "zhipuai", "glm", "chatglm"],
    }),
    toRow("zai", "Z.ai GLM", "https://api.z.ai/api/paas/v4", { keywords: ["zai", "z-ai", "glm"] }),
    { defaultModel: "glm-5.2", quirks: { thinkingStyle: "thinking_type", noStreamOptions: true } },
  ),
  ...toTwins(
    toRow("minimax", "MiniMax", "https://api.minimax.io/v1"),
    toRow("minimax_cn", "MiniMax 稀宇", "https://api.minimaxi.com/v1"),
    { ...minimax, quirks: { thinkingStyle: "reasoning_split" } },
  ),
  ...toTwins(
    toRow("minimax_anthropic", "MiniMax (Anthropic protocol)", "https://api.minimax.io/anthropic", {
      keyVariables: ["MINIMAX_API_KEY"],
    }),
    toRow("minimax_anthropic_cn", "MiniMax 稀宇 (Anthropic protocol)", "https://api.minimaxi.com/anthropic", {
      keyVariables: ["MINIMAX_CN_API_KEY", "MINIMAX_API_KEY"],
    }),
    { ...minimax, protocol: "anthropic-messages", quirks: { cacheMarks: true } },
  ),
  ...toTwins(
    toRow("siliconflow", "SiliconFlow 硅基流动", "https://api.siliconflow.cn/v1"),
    toRow("siliconflow_intl", "SiliconFlow (international)", "https://api.siliconflow.com/v1"),
    { kind: "gateway", keywords: ["siliconflow"], defaultModel: "deepseek-ai/DeepSeek-V4-Pro" },
  ),
  toRow("kimi_coding", "Kimi For Coding", "https://api.kimi.com/coding/v1", {
    protocol: "anthropic-messages",
    keyVariables: ["KIMI_CODING_API_KEY", "KIMI_API_KEY"],
    keyPrefix: "sk-kimi-",
    keywords: ["kimi-coding", "kimi-for-coding"],
    defaultModel: "kimi-for-coding",
    quirks: { cacheMarks: true, headers: { "User-Agent": "claude-code/0.1.0" } },
  }),
  toRow("volcengine", "Volcengine Ark 火山方舟", `${arkChina}/v3`, {
    ...doubao,
    keyVariables: ["VOLCENGINE_API_KEY", "ARK_API_KEY"],
  }),
  toRow("volcengine_coding_plan", "Volcengine coding plan 火山方舟", `${arkChina}/coding/v3`, doubao),
  toRow("byteplus", "BytePlus", `${arkWorld}/v3`, byteplus),
  toRow("byteplus_coding_plan", "BytePlus coding plan", `${arkWorld}/coding/v3`, byteplus),
  toRow("stepfun", "StepFun 阶跃星辰", "https://api.stepfun.com/v1", {
    keywords: ["stepfun", "step"],
    quirks: { reasoningAsContent: true },
  }),
  toRow("xiaomi_mimo", "Xiaomi MiMo 小米", "https://api.xiaomimimo.com/v1", {
    keyVariables: ["XIAOMI_MIMO_API_KEY", "MIMO_API_KEY"],
    keywords: ["mimo", "xiaomi"],
    quirks: { thinkingStyle: "thinking_type", reasoningReplay: "backfill" },
  }),
  toRow("longcat", "LongCat", "https://api.longcat.chat/openai/v1"),
  toRow("ant_ling", "Ant Ling 蚂蚁百灵", "https://api.ant-ling.com/v1", {
    keywords: ["ant-ling", "ling", "ring"],
  }),
  toRow("qianfan", "Qianfan 百度千帆", "https://qianfan.baidubce.com/v2", { keywords: ["qianfan", "ernie"] }),
];

/** These gateways pass a bare model name and its parameters on to the vendor. */
const byName = { stripsPrefix: true, quirks: openaiQuirks };

/**
 * Routed to many vendors by `vendor/model`, or by a bare model name where prefixes are stripped. None has a default
 * model: tokens such as HF_TOKEN are set in many environments for other reasons.
 */
const gateways: HostRow[] = [
  toRow("orcarouter", "OrcaRouter", "https://api.orcarouter.ai/v1", { keyPrefix: "sk-orca-" }),
  toRow("edenai", "Eden AI", "https://api.edenai.run/v3"),
  toRow("opencode", "OpenCode Zen", "https://opencode.ai/zen/v1", byName),
  toRow("opencode_zen", "OpenCode Zen", "https://opencode.ai/zen/v1", {
    ...byName,
    keyVariables: ["OPENCODE_ZEN_API_KEY", "OPENCODE_API_KEY"],
  }),
  toRow("opencode_go", "OpenCode Go", "https://opencode.ai/zen/go/v1", {
    ...byName,
    keyVariables: ["OPENCODE_GO_API_KEY", "OPENCODE_API_KEY"],
  }),
  toRow("huggingface", "Hugging Face", "https://router.huggingface.co/v1", {
    keyVariables: ["HF_TOKEN", "HUGGINGFACE_API_KEY"],
    keyPrefix: "hf_",
  }),
  toRow("skywork", "Skywork", "https://api.apifree.ai/agent/v1"),
  toRow("aihubmix", "AiHubMix", "https://aihubmix.com/v1", byName),
  toRow("novita", "Novita", "https://api.novita.ai/openai"),
  toRow("modelscope", "ModelScope 魔搭", "https://api-inference.modelscope.cn/v1", {
    keyVariables: ["MODELSCOPE_API_KEY", "MODELSCOPE_SDK_TOKEN"],
  }),
];

/**
 * Subscriptions. Anthropic's and Google's are not here: they forbid to use them in other programs. Both rows are written
 * from documents and never tried against the real service.
 */
const subscriptions: HostRow[] = [
  toRow("openai_codex", "ChatGPT subscription", "https://chatgpt.com/backend-api/codex", {
    protocol: "openai-responses",
    defaultModel: "gpt-5.6-terra",
    quirks: { maxCompletionTokens: true, rejectsTemperature: true, noOutputLimit: true },
  }),
  toRow("github_copilot", "GitHub Copilot", "https://api.githubcopilot.com", {
    defaultModel: "gpt-5-mini",
    quirks: openaiQuirks,
  }),
];

/** A proxy such as LiteLLM passes other vendors' models on, with ids that it reads again. */
const customQuirks = { ...openaiQuirks, anyToolCallIds: true } as const;

/** Servers that the user runs, and the two models that need no server. */
const servers: HostRow[] = [
  toRow("ollama", "Ollama", "http://localhost:11434/v1", {
    keyVariables: ["OLLAMA_API_KEY"],
    keywords: ["ollama", "nemotron"],
    quirks: { emptyContent: "empty-string" },
  }),
  toRow("lm_studio", "LM Studio", "http://localhost:1234/v1", {
    keywords: ["lmstudio", "lm-studio"],
    quirks: { emptyContent: "empty-string" },
  }),
  toRow("llama_cpp", "llama.cpp", "http://localhost:8080/v1", { keywords: ["llama_cpp"] }),
  { name: "vllm", label: "vLLM", keyVariables: ["VLLM_API_KEY"], quirks: { anyToolCallIds: true } },
  toRow("atomic_chat", "Atomic Chat", "http://localhost:1337/v1"),
  toRow("ovms", "OpenVINO Model Server", "http://localhost:8000/v3", { keywords: ["ovms", "openvino"] }),
  { name: "custom", label: "Custom (OpenAI-compatible)", kind: "direct", quirks: customQuirks },
  {
    name: "offline",
    label: "the built-in demo",
    protocol: "offline",
    kind: "direct",
    defaultModel: "offline",
  },
  { name: "scripted", label: "Scripted", protocol: "scripted", kind: "direct" },
];

/** Earlier rows win: for a key found in the environment, for a keyword, among several gateways. */
export const knownHosts: readonly Host[] = [
  ...[...worldVendors, ...chineseVendors].map(toHost),
  ...gateways.map((row) => toHost({ kind: "gateway", ...row })),
  ...subscriptions.map((row) => toHost({ kind: "direct", signIn: true, isUntried: true, ...row })),
  ...servers.map((row) => toHost({ kind: "local", ...row })),
];

const bySimpleName = new Map(knownHosts.map((host) => [simplifyProviderName(host.name), host]));

/** Accepts `minimax_anthropic`, `minimaxAnthropic` and `minimax-anthropic`. */
export function findHost(name: string): Host | undefined {
  return bySimpleName.get(simplifyProviderName(name));
}

/** The host that a pasted key belongs to, by the key's prefix. */
export function findHostByKey(apiKey: string): Host | undefined {
  return knownHosts.find(({ keyPrefix }) => keyPrefix !== undefined && apiKey.startsWith(keyPrefix));
}

/** A custom name with an `apiBase`: any server that speaks OpenAI chat completions. */
export function createCustomHost(name: string): Host {
  return toHost({ name, label: name, kind: "direct", quirks: customQuirks });
}
