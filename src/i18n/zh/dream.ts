// What Dream says to people, in Chinese.
import { nanobot } from "../../lib/program-command.ts";
import type { DreamWords } from "../en/dream.ts";

export const chineseDream: DreamWords = {
  nothingNew: "现在没有可整理的内容。对话在结束（/new）或搁置一段时间之后才会被整理。",
  noModel: `整理记忆需要模型，而这里还没有：可用 ${nanobot} onboard 接入。`,
  unchanged: (count) => `看过了历史中的 ${count} 条记录，没有需要记下的内容。`,
  changed: (count) => `看过了历史中的 ${count} 条记录，并作了修改：`,
  file: (path, added, removed) => `- ${path}：新增 ${added} 行，删除 ${removed} 行`,
  left: (path) => `- ${path} 保持原样：同一时刻有人修改了它`,
  undo: (id) => `版本 ${id}；可用 /dream-restore ${id} 撤销。`,
  refused: "有些改动不能接受，因此什么都没有修改：",
  failures: {
    model: (detail) => `整理没有完成，什么都没有修改。${detail}`,
    unclear: (detail) => `整理没有完成，什么都没有修改：模型的回答不符合要求的格式（“${detail}”）。`,
    unfinished: (detail) => `整理没有完成，什么都没有修改：模型没有做完（${detail}）。`,
    disk: (detail) => `整理没有完成：${detail}`,
  },
  problems: {
    outside: (path) => `${path} 不在可以修改的文件之列，请不要改动。`,
    loss: (path, found, most) =>
      `${path} 会丢失 ${found} 行，而一次最多只能去掉 ${most} 行：请精简，不要删除。`,
    size: (path, found, most) =>
      `${path} 会有 ${found} 个字符，最多只能容纳 ${most} 个：请精简、合并，并缩短旧内容。`,
    skillForm: (path, found) =>
      `${path} 不是有效的技能（${found}）：开头需要 front matter，写明与文件夹相同的名称和不超过 1,024 个字符的描述。`,
    skillFlagged: (path, found) => `${path} 含有技能中不允许出现的内容：${found}。`,
    skillLong: (path, found, most) => `${path} 有 ${found} 个词，最多 ${most} 个：请缩短。`,
    skillTwin: (path, found) => `${path} 与已有的技能 ${found} 重复：请去掉。`,
    changedMeanwhile: (path) => `${path} 在此期间被别人修改过；下一次会从那里开始。`,
  },
};
