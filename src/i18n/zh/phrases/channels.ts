// Why a channel does not run or cannot be set up, in Chinese.
import type { channelPhrases as english } from "../../en/phrases/channels.ts";

export const channelPhrases: typeof english = {
  "channels.unknown": ({ channel, nearest }) =>
    `没有渠道“${channel}”（channels.${channel}）。${nearest === undefined ? "请改正名称，或删掉这一段。" : `你是不是想写“${nearest}”？`}`,
  "channels.needs-package": ({ channel, command }) =>
    `渠道 ${channel} 需要一个还没有安装的包。请运行：${command}`,
  "channels.bad-settings": ({ channel, settings }, { say }) =>
    `渠道 ${channel} 无法启动：${settings.map(({ path, reason }) => `${path}：${say(reason)}`).join("")}`,
  "channels.file-not-used": ({ channel, reason }, { say }) => `渠道 ${channel} 无法启动：${say(reason)}`,
  "channels.not-saved": "有些设置缺失或不正确。",
  "channels.not-found": ({ channel }) => `没有渠道“${channel}”。`,
  "channels.install-first": ({ command }) => `缺少一个包。请在运行 nanobot 的电脑上执行：${command}`,
  "channels.no-check": "这个渠道无法测试。",
  "channels.secret-elsewhere": "已保存的密钥不会发到新的地址。如果要在那里使用，请重新输入。",
  "channels.heartbeat-target": ({ target }) =>
    `gateway.heartbeat.target 是 ${target}，但这个渠道没有运行，心跳只能等待。请启用这个渠道，或改成 "last"。`,
  "channels.needs-mailbox": "postAction 是 move，所以要写明文件夹。",
  "channels.needs-address": "用户名不是邮箱地址，请在这里填写一个。",
};
