// 预算已用完，或快用完了。
import type { BudgetScope, BudgetUse, budgetPhrases as english } from "../../en/phrases/budget.ts";

const periods = { turn: "这一轮", day: "今天", month: "本月" };

const causes: Record<string, string> = {
  user: "消息",
  cron: "定时任务",
  heartbeat: "心跳",
  dream: "整理记忆",
  consolidation: "摘要",
  subagent: "子代理",
  api: "其他程序",
};

function describeScope({ period, cause, person }: BudgetScope): string {
  const subject = cause === undefined ? person : (causes[cause] ?? cause);
  return subject === undefined ? periods[period] : `${periods[period]}“${subject}”`;
}

function describeAmount({ unit, used, limit }: BudgetUse): string {
  return unit === "money"
    ? `${used.toFixed(2)} / ${limit}`
    : `${used.toLocaleString("en")} / ${limit.toLocaleString("en")} token`;
}

export const budgetPhrases: typeof english = {
  "budget.used": (use) =>
    `${describeScope(use)}的预算已用完：${describeAmount(use)}。请在 config.json 的 budget 里调高，或者等一等。`,
  "budget.near": (use) => `${describeScope(use)}的预算快用完了：${describeAmount(use)}。`,
  "budget.unset": (scope, { program }) =>
    `${describeScope(scope)}的预算引用了没有设置的环境变量，所以不能产生任何花费。运行 ${program} doctor 可查看是哪一个。`,
  "budget.not-counted": ({ reason }, { say }) => `没有询问任何模型，因为无法记账。${say(reason)}`,
};
