// Hosts of Chinese vendors. Where a vendor has separate endpoints for China and the world, each is a row and
// names its twin: keys of one side do not work on the other.
import type { Host } from "./host.ts";
import { type HostRow, toHost, toRow, toTwins } from "./host-row.ts";

const minimax: Partial<Host> = { keywords: ["minimax", "minimaxai"], defaultModel: "MiniMax-M2.7" };

const ark: Partial<Host> = { quirks: { thinkingStyle: "thinking_type", maxCompletionTokens: true } };
const doubao = { ...ark, keywords: ["volcengine", "volces", "doubao"] };
const byteplus = { ...ark, keywords: ["byteplus", "bytepluses"] };
const arkChina = "https://ark.cn-beijing.volces.com/api";
const arkWorld = "https://ark.ap-southeast.bytepluses.com/api";

const rows: HostRow[] = [
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

export const chineseHosts: Host[] = rows.map(toHost);
