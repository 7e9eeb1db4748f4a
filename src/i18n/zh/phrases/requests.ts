// Why an operation was not run, in Chinese.
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
};
