// Why a request was refused: operations, the gateway, sign-in, tokens and jobs, in Chinese.
import type { requestPhrases as english } from "../../en/phrases/requests.ts";

export const requestPhrases: typeof english = {
  "request.unknown": ({ name }) => `没有名为“${name}”的操作。`,
  "request.bad-params": "请求的格式不对。",
  "request.bad-field": ({ quote }) => `这个值无效（“${quote}”）。`,
  "request.owner-only": "只有主人可以这样做。",
  "request.not-of-token": ({ operation }) => `这个令牌不能调用“${operation}”。请另建一个包含它的令牌。`,
  "request.not-admitted": (_, { program }) => `请先登录：运行 ${program} web 会显示链接。`,
  "request.too-large": "内容太大，无法一次发送。",
  "request.failed": "没有成功，详情见日志。",
  "request.cancelled": "已取消。",
  "request.needs-answer": "这需要先回答一个问题，而这里无法提问。",
  "request.too-late": "已经来不及撤销了。",

  "gateway.not-running": (_, { program }) => `网关没有在运行。启动它：${program} gateway`,
  "gateway.other-version": "正在运行的网关版本不同，请重启它。",
  "gateway.not-let-in": "正在运行的网关没有让这个终端进入，请重启它。",
  "gateway.closed": ({ reason }) => `网关关闭了连接（${reason}）。`,
  "gateway.silent": "网关刚刚停止，或者没有响应。请再试一次。",
  "gateway.cannot-restart": "这个网关不能自己重启。请先停止它，再重新启动。",
  "web.bad-guest-name": (_, { program }) =>
    `访客的名字只能用文字、数字、- 和 _，也不能叫“owner”，例如：${program} web --guest anna`,
  "tokens.bad-name": "令牌的名字最多 64 个字符，只能用文字、数字、-、_ 和点。",
  "tokens.exists": ({ name }, { program }) =>
    `已经有名为“${name}”的令牌。请换一个名字，或先删除它：${program} web token remove ${name}`,
  "tokens.not-found": ({ name }, { program }) =>
    `没有名为“${name}”的令牌。查看列表：${program} web token list`,
  "tokens.unknown-operation": ({ operation, nearest }) =>
    `没有操作“${operation}”。${nearest === undefined ? "全部操作见 docs/api.md。" : `你是指“${nearest}”吗？`}`,
  "tokens.not-for-programs": ({ operation }) => `不能给令牌“${operation}”：程序可以用它获得更多权限。`,

  "jobs.time-over": "这个时间已经过去，请选一个将来的时间。",
  "jobs.too-often": "间隔至少要一秒。",
  "jobs.bad-zone": ({ zone }) => `“${zone}”不是时区。请用 IANA 名称，例如 Asia/Shanghai。`,
  "jobs.never": ({ expression }) => `“${expression}”所指的时间永远不会到来，请换一个时间。`,
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
