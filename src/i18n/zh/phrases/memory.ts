// Why something about memory was not done, or Dream changed nothing, in Chinese. The model is asked to fix the problems of Dream.
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

  "dream.part": ({ part, parts }) =>
    parts === 1 ? "正在整理最近的对话…" : `正在整理最近的对话：第 ${part} 部分，共 ${parts} 部分…`,
  "dream.failed-model": ({ reason }, { say }) => `整理没有完成，什么都没有修改。${say(reason)}`,
  "dream.failed-unclear": ({ detail }) =>
    `整理没有完成，什么都没有修改：模型的回答不符合要求的格式（“${detail}”）。`,
  "dream.failed-unfinished": ({ detail }) => `整理没有完成，什么都没有修改：模型没有做完（${detail}）。`,
  "dream.failed-disk": ({ reason }, { say }) => `整理没有完成：${say(reason)}`,
  "dream.not-done": ({ reasons }, { say }) => `并非所有内容都能记下来：${reasons.map(say).join("")}`,
  "dream.outside": ({ path }) => `${path} 不在可以修改的文件之列，请不要改动。`,
  "dream.loss": ({ path, found, most }) =>
    `${path} 会丢失 ${found} 行，而一次最多只能去掉 ${most} 行：请精简，不要删除。`,
  "dream.fact-lost": ({ path, found }) => `${path} 会丢掉“${found}”，但没有说明它已经不成立：请保留。`,
  "dream.size": ({ path, found, most }) =>
    `${path} 会有 ${found} 个字符，最多只能容纳 ${most} 个：请精简、合并，并缩短旧内容。`,
  "dream.skill-form": ({ path, found }) =>
    `${path} 不是有效的技能（${found}）：开头需要 front matter，写明与文件夹相同的名称和不超过 1,024 个字符的描述。`,
  "dream.skill-flagged": ({ path, found }) => `${path} 含有技能中不允许出现的内容：${found}。`,
  "dream.skill-long": ({ path, found, most }) => `${path} 有 ${found} 个词，最多 ${most} 个：请缩短。`,
  "dream.skill-twin": ({ path, found }) => `${path} 与已有的技能 ${found} 重复：请去掉。`,
  "dream.changed-meanwhile": ({ path }) => `${path} 在此期间被别处修改过；下一次会从那里开始。`,
};
