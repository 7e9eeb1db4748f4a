// 关于任务、人或网关的请求被拒绝时所说的话。
import type { englishWishes } from "../en/wishes.ts";

export const chineseWishes: typeof englishWishes = {
  timeOver: "这个时间已经过去。请给出将来的时间。",
  interval: "间隔必须是一秒或更长。",
  noZone: (zone) => `“${zone}”不是时区。请给出 Asia/Shanghai 这样的 IANA 名称。`,
  neverComes: (expression) => `“${expression}”所说的时间永远不会到来。`,
  noExpression: (expression, reason) =>
    `“${expression}”不是 "0 9 * * 1-5" 这样的五段 cron 表达式（${reason}）。`,
  needsMessage: "请在 `message` 里写明到时候要做什么。",
  tooManyJobs: (most) => `已经有 ${most} 个任务了。请先删除一些。`,
  jobOver: (id) => `${id} 的时间已经过去。`,
  ownTaskRuns: (id) => `${id} 是程序自己的任务，会自行运行。`,
  ownTask: (id) => `${id} 是程序自己的任务，不能更改。`,
  noJob: (id) => `没有任务“${id}”。请列出任务看看编号。`,
  unknownMethod: "没有这个名称的请求。",
  notWellFormed: "请求的格式不对。",
  ownerOnly: "只有主人可以这样做。",
  failed: "没有成功；原因见日志。",
  needsTime: "请给出日期和时间。",
  notUnderstood: "无法理解。",
  tooLate: "已经来不及撤销了。",
  noSkill: (name) => `没有技能“${name}”。`,
  skillChanged: "这个技能已经不是您看到的样子了。请再看一遍。",
  sharedSkill: "它也属于别处，不能从这里删除。",
  noChannel: (name) => `没有渠道“${name}”。`,
  notTried: "这个渠道无法测试。",
  gatewaySilent: "这个主目录的网关刚刚结束，或没有回应。请再试一次。",
};
