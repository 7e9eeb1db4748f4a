// 撤销一轮对文件所做的改动时说的话。
import type { englishUndo } from "./english-undo.ts";

export const chineseUndo: typeof englishUndo = {
  nothing: "这段对话里没有可以恢复的文件改动。",
  restored: (files) => `已恢复到上一轮之前：${files}`,
  left: (files) => `没有动，因为之后又被改过，或太大而没有保存：${files}`,
  commands: (commands) => `这些命令所做的没有撤销：${commands}`,
};
