// Texts of goals in a conversation.
import { catalogue } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  title: ["Goal", "目标"],
  states: {
    active: ["Working", "进行中"],
    paused: ["Paused", "已暂停"],
    done: ["Done", "已完成"],
    stuck: ["Needs you", "需要你"],
    limit: ["Limit reached", "已达上限"],
    stopped: ["Stopped", "已停止"],
  },
  steps: {
    open: ["To do", "待办"],
    doing: ["In progress", "进行中"],
    done: ["Done", "已完成"],
  },
  progress: [
    (done: number, all: number) => `${done} of ${all}`,
    (done: number, all: number) => `${done} / ${all}`,
  ],
  noSteps: ["No plan yet.", "还没有计划。"],
  used: [
    (used: string, most: string) => `${used} of ${most} tokens used`,
    (used: string, most: string) => `已用 ${used} / ${most} 个 token`,
  ],
  pause: ["Pause", "暂停"],
  resume: ["Resume", "继续"],
  stop: ["Stop", "停止"],
});
