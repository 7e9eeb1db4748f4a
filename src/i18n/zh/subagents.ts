// What is said about subagents, in Chinese.
import type { englishSubagents } from "../en/subagents.ts";

export const chineseSubagents: typeof englishSubagents = {
  none: "这个会话里没有正在工作的子智能体。",
  row: (id, label, seconds, progress) => `${id}  ${label}：${progress}，已用 ${seconds} 秒`,
  waiting: "正在等候",
  progress: (step, calls) => `第 ${step} 步，调用工具 ${calls} 次`,
  stopped: (label) => `已停止“${label}”。`,
  usage: "用 /agents 列出，用 /agents stop <编号> 结束其中一个。",
};
