// Why a model was chosen, or why none can be used, in Chinese.
import type { modelChoicePhrases as english } from "../../en/phrases/model-choice.ts";

export const modelChoicePhrases: typeof english = {
  "choice.chosen": ({ preset, variable }) => {
    if (preset !== undefined) return `由预设“${preset}”指定`;
    return variable === undefined ? "由配置指定" : `由配置指定，密钥来自 ${variable}`;
  },
  "choice.default-model": "默认模型，使用配置里的服务商",
  "choice.host-in-config": "配置里服务商的常用模型",
  "choice.key-in-environment": ({ variable }) => `找到了密钥 ${variable}`,
  "choice.no-config": (_, { program }) => `还没有配置和密钥；请运行 ${program} onboard`,
  "choice.no-usable-host": (_, { program }) => `配置里没有可用的密钥或地址；请运行 ${program} onboard`,
  "choice.no-model-named": ({ host }) => `没有为 ${host} 指定模型；请设置 agents.defaults.model`,
  "choice.given": "由嵌入 nanobot 的程序提供",
  "choice.offline": ({ reason }, { say }) => `由离线模型回答：${say(reason)}`,

  "models.unknown-host": ({ host }) => `没有名为“${host}”的模型服务商。自己的服务器需要填写 API 地址。`,
  "models.odd-key": "API 密钥里不会有这样的字符。请从服务商的页面重新复制。",
  "models.key-elsewhere": "隐藏的密钥不会发往别的地址，请重新输入。",
  "models.trial-too-long": ({ seconds }) => `${seconds} 秒内没有回答。`,
};
