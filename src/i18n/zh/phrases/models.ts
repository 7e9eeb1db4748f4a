// Models: why one was chosen, cannot be used or gave no answer, and budgets, in Chinese.
import type { BudgetScope, BudgetUse, modelPhrases as english } from "../../en/phrases/models.ts";

const note = (detail: string) => (detail === "" ? "" : `（${detail}）`);

const list = (names: string[]) => (names.length === 0 ? "无" : names.join("、"));
const configured = (hosts: string[]) => `已配置的服务商：${list(hosts)}。`;

const periods = { turn: "这一轮", day: "今天", month: "本月" };

const causes: Record<string, string> = {
  user: "消息",
  cron: "定时任务",
  heartbeat: "定期检查",
  dream: "整理记忆",
  consolidation: "摘要",
  recall: "按意思查找",
  image: "图片",
  subagent: "子助手",
  api: "其他程序",
};

function describeScope({ period, cause, person }: BudgetScope): string {
  const subject = cause === undefined ? person : (causes[cause] ?? cause);
  return subject === undefined ? periods[period] : `${periods[period]}“${subject}”`;
}

function describeAmount({ unit, used, limit }: BudgetUse): string {
  return unit === "money"
    ? `${used.toFixed(2)} / ${limit}`
    : `${used.toLocaleString("en")} / ${limit.toLocaleString("en")} 个 token`;
}

export const modelPhrases: typeof english = {
  "model.authentication": ({ host, detail }, { program }) =>
    `${host} 不接受这个 API 密钥${note(detail)}。请在页面的设置里检查密钥，或运行 ${program} onboard。`,
  "model.permission": ({ host, detail }) =>
    `${host} 不允许用你的 API 密钥这样做${note(detail)}。请检查密钥的权限，或换一个模型。`,
  "model.quota": ({ host, detail }) =>
    `你在 ${host} 的余额或额度已用完${note(detail)}。请到那里充值，或换一个模型。`,
  "model.rate-limit": ({ host, detail }) => `${host} 正在限制请求频率${note(detail)}。请稍等片刻再试。`,
  "model.overloaded": ({ host, detail }) => `${host} 目前负载过高${note(detail)}。请稍后再试，或换一个模型。`,
  "model.server": ({ host, detail }) =>
    `${host} 没能回答${note(detail)}。请稍后再试；如果一直这样，请查看它的状态页。`,
  "model.connection": ({ host, detail }) =>
    `${host} 无法连接，或连接中断${note(detail)}。请检查网络、代理和 API 地址。`,
  "model.timeout": ({ host, detail }) =>
    `${host} 太久没有回答${note(detail)}。请再试一次，或换一个更快的模型。`,
  "model.idle": ({ host, detail }) => `${host} 回答到一半就停了${note(detail)}。请再试一次。`,
  "model.context-overflow": ({ host, detail }) =>
    `${host} 表示对话对这个模型来说太长${note(detail)}。请用 /new 开始新对话。`,
  "model.content-filter": ({ host, detail }) =>
    `${host} 的内容过滤器拦下了这段内容${note(detail)}。请换个说法，或换一个模型。`,
  "model.not-found": ({ host, detail }) =>
    `${host} 不认识这个模型或地址${note(detail)}。请检查模型 ID 和 API 地址。`,
  "model.invalid-request": ({ host, detail }) => `${host} 拒绝了这个请求${note(detail)}。请检查模型的设置。`,
  "model.budget": ({ host, detail }) =>
    `${host} 的预算已用完${note(detail)}。请在设置里调高预算，或者等一等。`,
  "model.unsupported-image": ({ host, detail }) =>
    `${host} 的这个模型看不了图片${note(detail)}。请换一个能看图片的模型。`,
  "model.unknown": ({ host, detail }) => `${host} 无法使用${note(detail)}。请检查网络和 API 地址。`,

  "model.not-running": ({ host, detail }) =>
    `本机的 ${host} 没有回应${note(detail)}。请启动它，或检查它的 API 地址。`,
  "model.small-window": ({ window, tools, all }) =>
    `这个模型一次只能处理 ${window.toLocaleString("en-US")} 个 token。为了放得下，它只拿到 ${all} 个工具中的 ${tools} 个、缩短的指令和记忆，以及最近的消息。想要更完整，请选择窗口至少为 4,096 的模型。`,
  "model.broke-off": ({ host }) => `${host} 在回答完成之前断开了连接。请再试一次。`,
  "model.ended-badly": ({ host, finish }) => `${host} 中断了回答（${finish}）。请稍后再试，或换一个模型。`,
  "model.endless": ({ host, most, unit }) =>
    `${host} 发来的内容超出了一次回答的上限（${most} ${unit === "MB" ? "MB" : "次工具调用"}），已被截断。请一次少要一些，或换一个模型。`,
  "model.silent": ({ host, seconds }) =>
    `${host} 停止了发送（已沉默 ${seconds} 秒）。如果模型本来就慢，请调高 NANOBOT_STREAM_IDLE_TIMEOUT_S。`,
  "model.unfinished": ({ host, seconds }) =>
    `${host} 在 ${seconds} 秒内没有答完。如果模型本来就慢，请调高 NANOBOT_LLM_TIMEOUT_S。`,
  "model.gave-up": ({ host, seconds }) =>
    `${host} 在 ${seconds} 秒内没有回答，nanobot 不再等待。请稍后再试、换一个模型，或在设置里调高模型超时。`,
  "model.still-waiting": ({ host }) => `仍在等待 ${host}。发送 /stop 可放弃。`,
  "model.paused": ({ name, seconds }) => `${name} 连续多次失败，接下来 ${seconds} 秒内不再询问它。`,
  "model.asks-to-wait": ({ failure, minutes }, { say }) =>
    `${say(failure)}它要求等待 ${minutes <= 120 ? `${minutes} 分钟` : `${Math.ceil(minutes / 60)} 小时`}。`,
  "model.all-failed": ({ failures }, { say }) =>
    failures.map(({ name, failure }) => `${name}：${say(failure)}`).join(""),
  "model.gone": ({ name, reason }, { say }) =>
    `这个对话的模型“${name}”无法使用：${say(reason)}用 /model default 恢复默认。`,
  "model.script-over": ({ steps }) => `脚本已用完：它只有 ${steps} 步。请再加一步，或设置 "loop": true。`,
  "model.bad-script": ({ path, problems }) =>
    `脚本 ${path} 无法使用：${problems.join("；")}。请修正它，或修改设置 providers.scripted.script。`,

  "choice.chosen": ({ preset, variable }) => {
    if (preset !== undefined) return `由预设“${preset}”指定`;
    return variable === undefined ? "由配置指定" : `由配置指定，密钥来自 ${variable}`;
  },
  "choice.default-model": "默认模型，使用配置里的服务商",
  "choice.host-in-config": "配置里服务商的常用模型",
  "choice.key-in-environment": ({ variable }) => `找到了密钥 ${variable}`,
  "choice.no-config": (_, { program }) => `还没有配置和密钥；请运行 ${program} onboard`,
  "choice.no-usable-host": (_, { program }) => `配置里没有可用的密钥或地址；请运行 ${program} onboard`,
  "choice.no-model-named": ({ host }) => `没有为 ${host} 指定模型`,
  "choice.given": "由嵌入 nanobot 的程序提供",
  "choice.offline": ({ reason }, { say }) => `演示，尚未接入 AI：${say(reason)}`,

  "model.sign-in": ({ host, name }, { program }) =>
    `你还没有登录 ${host}，或者登录已过期。请在“设置 → 模型”里登录，或运行 ${program} provider login ${name}。`,
  "models.login-failed": ({ host, reason }) => `无法开始登录 ${host}：${reason}。请稍后再试。`,
  "models.no-login": ({ host }) => `${host} 使用 API 密钥，不需要登录。请在设置里选择它并粘贴密钥。`,
  "models.login-forbidden": ({ host }) => `${host} 不允许其他程序使用它的订阅。请改用 API 密钥。`,
  "models.unknown-host": ({ host }) => `没有名为“${host}”的模型服务商。自己的服务器需要填写 API 地址。`,
  "models.odd-key": "API 密钥里不会有这样的字符。请从服务商的页面重新复制。",
  "models.key-elsewhere": "隐藏的密钥不会发往别的地址，请重新输入。",
  "models.trial-too-long": ({ seconds }) => `${seconds} 秒内没有回答。`,

  "setup.unknown-preset": ({ preset, known }) =>
    `没有名为“${preset}”的模型预设。已有的预设：${list(known)}。`,
  "setup.unknown-provider": (params) =>
    `没有名为“${params.provider}”的模型服务商。${params.nearest === undefined ? "" : `你是不是想用“${params.nearest}”？`}自己的服务器需要填写 API 地址。${configured(params.configured)}`,
  "setup.missing-key": (params) =>
    `“${params.model}”需要 ${params.host} 的密钥：请设置 ${params.variable}，或 config.json 里的 ${params.path}。${configured(params.configured)}`,
  "setup.missing-base": (params) =>
    `“${params.model}”需要 ${params.host} 的地址：请设置 config.json 里的 ${params.path}。${configured(params.configured)}`,
  "setup.missing-script": ({ path }) => `脚本模型需要脚本文件：请设置 config.json 里的 ${path}。`,
  "setup.missing-model": ({ host, path }) => `没有为 ${host} 指定模型：请设置 config.json 里的 ${path}。`,
  "setup.no-host": (params) =>
    `已配置的服务商里没有一个接受模型“${params.model}”。请在设置里选择服务商，或写成 服务商/模型。${configured(params.configured)}`,
  "setup.proxy-password": ({ status }) =>
    `代理要求用户名和密码（${status}）。请把地址写成 http://user:password@host:port。`,
  "setup.proxy-refused": ({ status }) => `代理拒绝了连接（${status}）。请检查代理地址和它允许的访问。`,
  "setup.bad-proxy": ({ setting }) =>
    `${setting} 不是可用的代理地址。请写成 http://host:8080 这样（https:// 和 socks5:// 也可以）。`,

  "budget.used": (use) =>
    `${describeScope(use)}的预算已用完：${describeAmount(use)}。请在设置里调高预算，或者等一等。`,
  "budget.near": (use) => `${describeScope(use)}的预算快用完了：${describeAmount(use)}。`,
  "budget.unset": (scope, { program }) =>
    `${describeScope(scope)}的预算引用了没有设置的环境变量，所以不能产生任何花费。运行 ${program} doctor 可查看是哪一个。`,
  "budget.not-counted": ({ reason }, { say }) => `没有询问任何模型，因为无法记账。${say(reason)}`,
};
