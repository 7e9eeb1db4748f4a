// 除了模型之外，一轮对话为什么没有回答。
import type { turnPhrases as english } from "../../en/phrases/turn.ts";

export const turnPhrases: typeof english = {
  "turn.died": ({ times }) => `它被中断了 ${times} 次。`,
  "turn.internal": ({ reason }) => `nanobot 内部出错了（${reason}）。详情见日志。`,
};
