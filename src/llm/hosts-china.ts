// Hosts of Chinese vendors. Where a vendor has separate endpoints for China and the world, each is a row and
// names its twin: keys of one side do not work on the other.
import type { Host } from "./host.ts";
import { type HostRow, toHost } from "./host-row.ts";

const kimi = {
  keywords: ["moonshot", "moonshotai", "kimi"],
  defaultModel: "kimi-k2.6",
  // Sampling is fixed by the platform for these models, and K3 knows only the newer name of the output cap.
  quirks: {
    reasoningReplay: "backfill",
    rejectsTemperature: /^kimi-/,
    maxCompletionTokens: /^kimi-k[3-9]/,
  },
} satisfies Partial<Host>;

const qwen = {
  keywords: ["qwen", "qwq", "dashscope"],
  defaultModel: "qwen-plus",
  quirks: { thinkingStyle: "enable_thinking" },
} satisfies Partial<Host>;

const glm = {
  defaultModel: "glm-5.2",
  quirks: { thinkingStyle: "thinking_type", noStreamOptions: true },
} satisfies Partial<Host>;

const minimax = {
  keywords: ["minimax", "minimaxai"],
  defaultModel: "MiniMax-M2.7",
  quirks: { thinkingStyle: "reasoning_split" },
} satisfies Partial<Host>;

const minimaxMessages = {
  ...minimax,
  protocol: "anthropic-messages",
  quirks: { cacheMarks: true },
} satisfies Partial<Host>;

const siliconflow = {
  kind: "gateway",
  keywords: ["siliconflow"],
  defaultModel: "deepseek-ai/DeepSeek-V4-Pro",
} satisfies Partial<Host>;

const ark = { quirks: { thinkingStyle: "thinking_type", maxCompletionTokens: true } } satisfies Partial<Host>;
const doubao = { ...ark, keywords: ["volcengine", "volces", "doubao"] };
const byteplus = { ...ark, keywords: ["byteplus", "bytepluses"] };

const rows: HostRow[] = [
  {
    ...kimi,
    name: "moonshot",
    label: "Moonshot Kimi",
    baseUrl: "https://api.moonshot.ai/v1",
    twin: "moonshot_cn",
  },
  {
    ...kimi,
    name: "moonshot_cn",
    label: "Moonshot Kimi 月之暗面",
    baseUrl: "https://api.moonshot.cn/v1",
    keyVariables: ["MOONSHOT_CN_API_KEY", "MOONSHOT_API_KEY"],
    twin: "moonshot",
  },
  {
    ...qwen,
    name: "dashscope",
    label: "DashScope 阿里云百炼",
    baseUrl: "https://dashscope.aliyuncs.com/compatible-mode/v1",
    twin: "dashscope_intl",
  },
  {
    ...qwen,
    name: "dashscope_intl",
    label: "DashScope (international)",
    baseUrl: "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
    keyVariables: ["DASHSCOPE_INTL_API_KEY", "DASHSCOPE_API_KEY"],
    twin: "dashscope",
  },
  {
    ...glm,
    name: "zhipu",
    label: "Zhipu GLM 智谱",
    baseUrl: "https://open.bigmodel.cn/api/paas/v4",
    keyVariables: ["ZHIPU_API_KEY", "ZHIPUAI_API_KEY"],
    keywords: ["zhipu", "zhipuai", "glm", "chatglm"],
    twin: "zai",
  },
  {
    ...glm,
    name: "zai",
    label: "Z.ai GLM",
    baseUrl: "https://api.z.ai/api/paas/v4",
    keyVariables: ["ZAI_API_KEY", "ZHIPU_API_KEY"],
    keywords: ["zai", "z-ai", "glm"],
    twin: "zhipu",
  },
  { ...minimax, name: "minimax", label: "MiniMax", baseUrl: "https://api.minimax.io/v1", twin: "minimax_cn" },
  {
    ...minimax,
    name: "minimax_cn",
    label: "MiniMax 稀宇",
    baseUrl: "https://api.minimaxi.com/v1",
    keyVariables: ["MINIMAX_CN_API_KEY", "MINIMAX_API_KEY"],
    twin: "minimax",
  },
  {
    ...minimaxMessages,
    name: "minimax_anthropic",
    label: "MiniMax (Anthropic protocol)",
    baseUrl: "https://api.minimax.io/anthropic",
    keyVariables: ["MINIMAX_API_KEY"],
    twin: "minimax_anthropic_cn",
  },
  {
    ...minimaxMessages,
    name: "minimax_anthropic_cn",
    label: "MiniMax 稀宇 (Anthropic protocol)",
    baseUrl: "https://api.minimaxi.com/anthropic",
    keyVariables: ["MINIMAX_CN_API_KEY", "MINIMAX_API_KEY"],
    twin: "minimax_anthropic",
  },
  {
    ...siliconflow,
    name: "siliconflow",
    label: "SiliconFlow 硅基流动",
    baseUrl: "https://api.siliconflow.cn/v1",
    twin: "siliconflow_intl",
  },
  {
    ...siliconflow,
    name: "siliconflow_intl",
    label: "SiliconFlow (international)",
    baseUrl: "https://api.siliconflow.com/v1",
    keyVariables: ["SILICONFLOW_INTL_API_KEY", "SILICONFLOW_API_KEY"],
    twin: "siliconflow",
  },
  {
    name: "kimi_coding",
    label: "Kimi For Coding",
    protocol: "anthropic-messages",
    baseUrl: "https://api.kimi.com/coding/v1",
    keyVariables: ["KIMI_CODING_API_KEY", "KIMI_API_KEY"],
    keyPrefix: "sk-kimi-",
    keywords: ["kimi-coding", "kimi-for-coding"],
    defaultModel: "kimi-for-coding",
    quirks: { cacheMarks: true, headers: { "User-Agent": "claude-code/0.1.0" } },
  },
  {
    ...doubao,
    name: "volcengine",
    label: "Volcengine Ark 火山方舟",
    baseUrl: "https://ark.cn-beijing.volces.com/api/v3",
    keyVariables: ["VOLCENGINE_API_KEY", "ARK_API_KEY"],
  },
  {
    ...doubao,
    name: "volcengine_coding_plan",
    label: "Volcengine coding plan 火山方舟",
    baseUrl: "https://ark.cn-beijing.volces.com/api/coding/v3",
  },
  {
    ...byteplus,
    name: "byteplus",
    label: "BytePlus",
    baseUrl: "https://ark.ap-southeast.bytepluses.com/api/v3",
  },
  {
    ...byteplus,
    name: "byteplus_coding_plan",
    label: "BytePlus coding plan",
    baseUrl: "https://ark.ap-southeast.bytepluses.com/api/coding/v3",
  },
  {
    name: "stepfun",
    label: "StepFun 阶跃星辰",
    baseUrl: "https://api.stepfun.com/v1",
    keywords: ["stepfun", "step"],
    quirks: { reasoningAsContent: true },
  },
  {
    name: "xiaomi_mimo",
    label: "Xiaomi MiMo 小米",
    baseUrl: "https://api.xiaomimimo.com/v1",
    keyVariables: ["XIAOMI_MIMO_API_KEY", "MIMO_API_KEY"],
    keywords: ["mimo", "xiaomi"],
    quirks: { thinkingStyle: "thinking_type", reasoningReplay: "backfill" },
  },
  { name: "longcat", label: "LongCat", baseUrl: "https://api.longcat.chat/openai/v1" },
  {
    name: "ant_ling",
    label: "Ant Ling 蚂蚁百灵",
    baseUrl: "https://api.ant-ling.com/v1",
    keywords: ["ant-ling", "ling", "ring"],
  },
  {
    name: "qianfan",
    label: "Qianfan 百度千帆",
    baseUrl: "https://qianfan.baidubce.com/v2",
    keywords: ["qianfan", "ernie"],
  },
];

export const chineseHosts: Host[] = rows.map(toHost);
