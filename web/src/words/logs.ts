// Texts of the log page.
import { catalogue } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  about: [
    "What nanobot did, as it happens. Keys and passwords are removed.",
    "nanobot 做过的事，实时显示。密钥和密码已去除。",
  ],
  level: ["Level", "级别"],
  levels: {
    debug: ["All", "全部"],
    info: ["Info", "信息"],
    warn: ["Warnings", "警告"],
    error: ["Errors", "错误"],
  },
  filter: ["Filter", "筛选"],
  pause: ["Pause", "暂停"],
  resume: ["Continue", "继续"],
  copy: ["Copy these lines", "复制这些行"],
  empty: ["Nothing logged yet.", "还没有记录。"],
  emptyHint: ["New lines appear here right away.", "新的记录会立即显示在这里。"],
  nothingMatches: ["No line matches.", "没有匹配的行。"],
  nothingMatchesHint: ["Choose another level or filter.", "请换一个级别或筛选词。"],
  paused: [
    (count: number) => (count === 1 ? "1 new line" : `${count} new lines`),
    (count: number) => `${count} 行新记录`,
  ],
  lines: ["Log lines", "日志行"],
  details: ["Details", "详情"],
});
