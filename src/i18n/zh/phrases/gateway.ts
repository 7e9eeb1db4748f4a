// What is said about the gateway and signing in to its page, in Chinese.
import type { gatewayPhrases as english } from "../../en/phrases/gateway.ts";

export const gatewayPhrases: typeof english = {
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
};
