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
};
