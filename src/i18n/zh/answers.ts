// 关于对话和程序的斜杠命令的回答：/model、/restart、/export。
import type { englishAnswers } from "../en/answers.ts";

export const chineseAnswers: typeof englishAnswers = {
  model: {
    current: (model, host) => `这个对话使用 ${model}，由 ${host} 提供。`,
    known: "可以选择：",
    none: "没有配置其他模型。可以用 /model 主机/模型 指定一个，或在 config.json 的 modelPresets 里添加预设。",
    how: "/model <名称> 为这个对话选择一个；/model default 恢复默认。",
    chosen: (model, host) => `从下一条消息起，这个对话使用 ${model}，由 ${host} 提供。`,
    isDefault: (model, host) => `这个对话恢复使用默认模型：${model}，由 ${host} 提供。`,
  },
  restart: {
    begins: "我正在重新启动，先把进行中的事做完。",
    back: "我回来了。",
    done: (seconds) => `我回来了，用了 ${seconds} 秒。`,
  },
  export: {
    done: (count, path) => `${count} 条消息已写入 ${path}`,
    title: (key) => `对话 ${key}`,
    you: "你",
    assistant: "助手",
    tool: (name) => `工具 ${name}`,
    calls: (names) => `（使用 ${names}）`,
  },
};
