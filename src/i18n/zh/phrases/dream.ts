// Why Dream changed nothing, in Chinese.
import type { dreamPhrases as english } from "../../en/phrases/dream.ts";

export const dreamPhrases: typeof english = {
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
  "dream.size": ({ path, found, most }) =>
    `${path} 会有 ${found} 个字符，最多只能容纳 ${most} 个：请精简、合并，并缩短旧内容。`,
  "dream.skill-form": ({ path, found }) =>
    `${path} 不是有效的技能（${found}）：开头需要 front matter，写明与文件夹相同的名称和不超过 1,024 个字符的描述。`,
  "dream.skill-flagged": ({ path, found }) => `${path} 含有技能中不允许出现的内容：${found}。`,
  "dream.skill-long": ({ path, found, most }) => `${path} 有 ${found} 个词，最多 ${most} 个：请缩短。`,
  "dream.skill-twin": ({ path, found }) => `${path} 与已有的技能 ${found} 重复：请去掉。`,
  "dream.changed-meanwhile": ({ path }) => `${path} 在此期间被别人修改过；下一次会从那里开始。`,
};
