// 关于任务、人或网关的请求被拒绝时所说的话。
import type { englishWishes } from "./english-wishes.ts";

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
  noPerson: (name) => `“${name}”不能作为人名：请用字母、数字、- 和 _，且不能是“owner”。`,
  noCode: (code) => `没有人用配对码 ${code} 在等。`,
  pairingClosed: (reason) => `${reason}。在改正之前不批准任何新人。`,
  gatewaySilent: "这个主目录的网关刚刚结束，或没有回应。请再试一次。",
};
