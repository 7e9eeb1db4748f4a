// 关于 token 和费用：`nanobot usage` 与 `/usage`。
import type { englishMoney } from "../en/money.ts";

export const chineseMoney: typeof englishMoney = {
  usage: {
    command: "模型用掉了多少：token 和费用",
    by: "按什么分行（默认：day）",
    since: "从哪一天开始，例如 2026-08-01 或 7d（默认：30d）",
    csv: "以逗号分隔的格式",
  },
  nothing: "这段时间没有询问过任何模型。",
  groups: { day: "日期", cause: "缘由", model: "模型", person: "人", session: "会话" },
  columns: { calls: "次数", fresh: "新读", cached: "缓存", output: "写出", cost: "费用" },
  sum: "合计",
  unpriced: (count) => `其中 ${count} 次调用的价格未知；请加到 prices.json 里（docs/usage.md）。`,
  badDay: (text) => `“${text}”既不是 2026-08-01 这样的日期，也不是 7d 这样的天数。`,
  today: "今天",
  month: "本月",
  line: (what, tokens, calls) => `${what}：${tokens} token，${calls} 次调用`,
  lineWithCost: (line, cost) => `${line}，${cost}`,
  byCause: "本月按缘由：",
  limit: (what, percent, limit) => `${what}：${percent}%，上限 ${limit}`,
  limits: "上限：",
  tokens: (count) => `${count} token`,
};
