// Why something was not done in a conversation, and why a recording has no words, in Chinese.
import type { chatPhrases as english } from "../../en/phrases/chat.ts";

export const chatPhrases: typeof english = {
  "chat.empty": "写点什么，或附上一个文件。",
  "chat.not-found": "没有这个对话。",
  "chat.read-only": "这个对话只能阅读：它已经结束，或者属于一位访客。",
  "chat.nothing-said": "这里还没有消息。",
  "chat.busy": "助手正在这个对话里工作。请先停止它。",
  "chat.not-a-beginning": "这不是你自己的消息。请选择你自己的一条消息。",
  "chat.needs-chat": "请说明是哪个对话。",
  "chat.nothing-to-export": "还没有可以导出的内容。",
  "chat.model-given": "模型由运行我的程序指定，在这里不能选择。",
  "trust.minutes": ({ most }) => `请给出 1 到 ${most} 之间的分钟数，例如 /trust 30`,
  "trust.no-such-number": ({ number }) => `列表里没有 ${number} 号。用 /untrust 查看列表。`,
  "subagents.unknown": ({ id }) => `这个对话里没有编号为“${id}”的子助手。用 /agents 查看列表。`,
  "upload.piece-missing": "文件缺了一段。请从头重新发送。",
  "upload.too-large": ({ megabytes }) => `文件最大 ${megabytes} MB。`,
  "upload.gone": "这条消息的一个文件已经不在了。请重新附上。",
  "upload.too-many": "文件太多了。请让主人从 media 文件夹里删除一些。",
  "upload.not-transcribed": ({ reason }, { say }) => say(reason),
  "terminal.stopped": "已停止。",
  "terminal.commands-off": "这里关闭了命令（tools.exec.enable）。",

  "turn.died": ({ times }) => `它被中断了 ${times} 次。`,
  "turn.internal": ({ reason }) => `nanobot 内部出错了（${reason}）。详情见日志。`,

  "transcription.off": "语音转文字已关闭。请把 transcription.enabled 设为 true。",
  "transcription.unknown-host": ({ host }) =>
    `transcription.provider 是“${host}”，它不是使用 OpenAI 接口的服务。请换一个，或设置 providers.${host}.apiBase。`,
  "transcription.no-key": ({ host, name }) =>
    `没有 ${host} 的密钥。请设置 providers.${name}.apiKey，或用 transcription.provider 选择其他服务。`,
  "transcription.no-model": ({ host }) => `${host} 没有默认的转写模型。请设置 transcription.model。`,
  "transcription.too-large": ({ megabytes }) => `录音超过 ${megabytes} MB（transcription.maxUploadMb）。`,
  "transcription.too-long": ({ seconds }) => `录音超过 ${seconds} 秒（transcription.maxDurationSec）。`,
  "transcription.late": ({ host, seconds }) => `${host} 在 ${seconds} 秒内没有答复。`,
  "transcription.gone": "录音已经不在了。",
  "transcription.silent": "录音里没有听到话。",
};
