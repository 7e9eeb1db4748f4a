// 模型为什么没有回答，或为什么还在等待。
import type { modelPhrases as english } from "../../en/phrases/model.ts";

const note = (detail: string) => (detail === "" ? "" : `（${detail}）`);

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
    `${host} 的预算已用完${note(detail)}。请在 config.json 的 budget 里调高，或者等一等。`,
  "model.unsupported-image": ({ host, detail }) =>
    `${host} 的这个模型看不了图片${note(detail)}。请换一个能看图片的模型。`,
  "model.unknown": ({ host, detail }) => `${host} 无法使用${note(detail)}。请检查网络和 API 地址。`,

  "model.not-running": ({ host, detail }) =>
    `本机的 ${host} 没有应答${note(detail)}。请启动它，或检查它的 API 地址。`,
  "model.broke-off": ({ host }) => `${host} 在回答完成之前断开了连接。请再试一次。`,
  "model.ended-badly": ({ host, finish }) => `${host} 中断了回答（${finish}）。请稍后再试，或换一个模型。`,
  "model.endless": ({ host, most, unit }) =>
    `${host} 发来的内容超出了一次回答的上限（${most} ${unit === "MB" ? "MB" : "次工具调用"}），已被截断。请一次少要一些，或换一个模型。`,
  "model.silent": ({ host, seconds }) =>
    `${host} 停止了发送（已沉默 ${seconds} 秒）。如果模型本来就慢，请调高 NANOBOT_STREAM_IDLE_TIMEOUT_S。`,
  "model.unfinished": ({ host, seconds }) =>
    `${host} 在 ${seconds} 秒内没有答完。如果模型本来就慢，请调高 NANOBOT_LLM_TIMEOUT_S。`,
  "model.gave-up": ({ host, seconds }) =>
    `${host} 在 ${seconds} 秒内没有回答，nanobot 不再等待。请稍后再试，或换一个模型；等待时间由 agents.defaults.modelPatienceSeconds 设定。`,
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
};
