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
};
