// Why a job was not planned, changed or run, in Chinese.
import type { jobPhrases as english } from "../../en/phrases/jobs.ts";

export const jobPhrases: typeof english = {
  "jobs.time-over": "这个时间已经过去，请选一个将来的时间。",
  "jobs.too-often": "间隔至少要一秒。",
  "jobs.bad-zone": ({ zone }) => `“${zone}”不是时区。请用 IANA 名称，例如 Asia/Shanghai。`,
  "jobs.never": ({ expression }) => `“${expression}”所指的时间永远不会到来。`,
  "jobs.bad-expression": ({ expression, quote }) =>
    `“${expression}”不是五段式的 cron 表达式，例如 "0 9 * * 1-5"（“${quote}”）。`,
  "jobs.bad-time": "请写明日期和时间，例如 2026-08-01T09:00。",
  "jobs.needs-message": "请说明到时要做什么。",
  "jobs.too-many": ({ most }) => `已经有 ${most} 个任务了，请先删除一些。`,
  "jobs.over": ({ id }) => `${id} 的时间已经过去。`,
  "jobs.built-in": ({ id }) => `${id} 是内置任务，不能更改。`,
  "jobs.built-in-runs": ({ id }) => `${id} 是内置任务，会自行运行。`,
  "jobs.not-found": ({ id }) => `没有任务“${id}”。列出任务可以看到它们的编号。`,
  "jobs.needs-chat": "请说明把结果发到哪个聊天。",
  "jobs.missed": "当时 nanobot 没有运行。",
  "jobs.overlap": "上一次运行还没有结束。",
  "jobs.interrupted": "还没做完，nanobot 就停止了。",
  "jobs.turn-failed": "没有完成，原因见它的聊天。",
  "jobs.quoted": ({ quote }) => `“${quote}”`,
  "jobs.other-chat": "你只能为这个聊天安排任务。",
};
