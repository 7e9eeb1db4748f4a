// What the page with the log says.

export const english = {
  about: "What the gateway writes down as it works. Secrets are taken out.",
  level: "Level",
  levels: { debug: "All", info: "Info", warn: "Warnings", error: "Errors" },
  filter: "Filter",
  pause: "Pause",
  resume: "Go on",
  copy: "Copy what is shown",
  copied: "Copied.",
  empty: "Nothing was logged yet.",
  emptyHint: "Whatever the gateway does appears here at once.",
  nothingMatches: "No line matches.",
  nothingMatchesHint: "Choose another level, or another filter.",
  paused: (count: number) => (count === 1 ? "1 new line" : `${count} new lines`),
  lines: "Lines of the log",
};

export const chinese: typeof english = {
  about: "网关工作时写下的记录，其中的密钥已被去除。",
  level: "级别",
  levels: { debug: "全部", info: "信息", warn: "警告", error: "错误" },
  filter: "筛选",
  pause: "暂停",
  resume: "继续",
  copy: "复制所显示的内容",
  copied: "已复制。",
  empty: "还没有记录。",
  emptyHint: "网关所做的事会立即显示在这里。",
  nothingMatches: "没有匹配的行。",
  nothingMatchesHint: "请换一个级别或筛选词。",
  paused: (count) => `${count} 行新记录`,
  lines: "日志行",
};
