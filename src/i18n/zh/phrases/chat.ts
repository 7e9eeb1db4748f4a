// Why something was not done in a conversation, in Chinese.
import type { chatPhrases as english } from "../../en/phrases/chat.ts";

export const chatPhrases: typeof english = {
  "chat.empty": "写点什么，或附上一个文件。",
  "chat.not-found": "没有这个对话。",
  "chat.read-only": "这个对话只能阅读：它已经结束，或者属于一位访客。",
  "chat.nothing-said": "这里还没有消息。",
  "chat.busy": "助手正在这个对话里工作。请先停止它。",
  "chat.not-a-beginning": "没有哪一轮是从这条消息开始的。请选择你自己的一条消息。",
  "chat.needs-chat": "请说明是哪个对话。",
  "chat.nothing-to-export": "还没有可以导出的内容。",
  "chat.model-given": "模型由运行我的程序指定，在这里不能选择。",
  "trust.minutes": ({ most }) => `请给出 1 到 ${most} 之间的分钟数，例如 /trust 30`,
  "trust.no-such-number": ({ number }) => `列表里没有 ${number} 号。用 /untrust 查看列表。`,
  "subagents.unknown": ({ id }) => `这个对话里没有编号为“${id}”的子智能体。用 /agents 查看列表。`,
  "upload.piece-missing": "文件缺了一段。请从头重新发送。",
  "upload.too-large": ({ megabytes }) => `文件最大 ${megabytes} MB。`,
  "upload.gone": "这条消息的一个文件已经不在了。请重新附上。",
  "upload.too-many": "文件太多了。请让主人从 media 文件夹里删除一些。",
  "upload.not-transcribed": ({ reason }, { say }) => say(reason),
  "terminal.stopped": "已停止。",
  "terminal.commands-off": "这里关闭了命令（tools.exec.enable）。",
};
