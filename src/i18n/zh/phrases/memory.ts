// Why something about memory was not done, in Chinese.
import type { memoryPhrases as english } from "../../en/phrases/memory.ts";

export const memoryPhrases: typeof english = {
  "memory.version-unknown": ({ id }) => `没有“${id}”这个版本。列表中有全部版本。`,
  "memory.version-ambiguous": ({ id, matches }) => `有多个版本以“${id}”开头，请指明：${matches.join("、")}`,
  "memory.version-first": ({ id }) => `${id} 是第一个版本，更早的内容没有记录。`,
  "memory.nothing-to-undo": ({ id }) => `没有什么可撤销的：文件已与 ${id} 之前相同。`,
  "memory.version-conflict": ({ id, path, later }) =>
    `无法单独撤销 ${id}，因为 ${later} 改动了 ${path} 中相同的行。请先撤销 ${later}，再撤销 ${id}。`,
  "memory.version-edited": ({ id, path }) =>
    `无法单独撤销 ${id}，因为此后有人手动改动了 ${path} 中相同的行。请改回这些行，或自行编辑文件。`,
  "memory.not-editable": ({ path }) =>
    `无法在这里编辑 ${path}：它是链接、太大，或者不是记忆文件。请用文本编辑器打开。`,
  "memory.changed-since": "将被遗忘的内容与刚才不同了。请重新查看，再次确认。",
  "memory.nothing-to-forget": "没有记住这样的内容。换个说法，或者少写几个词再试。",
  "memory.forget-these": ({ lines, messages }) =>
    `要忘掉这些吗？会从记忆中删除 ${lines} 行，并且不再想起 ${messages} 条消息。`,
  "memory.not-forgotten": "什么都没有忘掉。",
  "memory.search-failed": ({ quote }) => `无法搜索记忆（“${quote}”）。`,
  "memory.search-ended": "搜索还没完成就结束了，请再问一次。",
  "memory.not-yours": "只有主人才能改动这个群的记忆。",
};
