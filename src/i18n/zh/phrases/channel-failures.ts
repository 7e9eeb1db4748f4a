// Why a channel has no connection to its platform, or the platform did not take a message, in Chinese.
import type { channelFailurePhrases as english } from "../../en/phrases/channel-failures.ts";

export const channelFailurePhrases: typeof english = {
  "channels.failed": ({ channel, reason }, { say }) => `渠道 ${channel} 无法启动：${say(reason)}`,
  "channels.lost": ({ channel, reason }, { say }) => `渠道 ${channel} 没有连上：${say(reason)}正在重试。`,
  "channels.quoted": ({ quote }) => `“${quote}”`,
  "channels.unreachable": ({ platform }) => `连不上 ${platform}。`,
  "channels.disconnected": ({ platform }) => `与 ${platform} 的连接断开了。`,
  "channels.ended": "连接已结束。",
  "channels.silent": "平台没有响应了。",
  "channels.refused": ({ platform, quote }) => `${platform} 的回复是：“${quote}”`,
  "channels.odd-answer": ({ platform, status }) => `${platform} 返回了无法识别的内容（${status}）。`,
  "channels.file-unreadable": ({ file }) => `${file ?? "有一个附件"}无法读取。`,
  "channels.file-too-large": ({ file, platform, megabytes }) =>
    `${file} 超过了 ${platform} 的上限 ${megabytes} MB。`,
  "channels.telegram-token": ({ status }) =>
    `Telegram 不认识这个令牌（${status}）。请从 BotFather 重新复制到 channels.telegram.token。`,
  "channels.telegram-shared": "另一个程序正在使用这个 Telegram 令牌。请停掉它，或另建一个机器人。",
  "channels.feishu-credentials":
    "飞书不认识这个应用或它的密钥。请从开发者后台重新复制到 channels.feishu.appId 和 appSecret；Lark 请把 domain 设为 lark。",
  "channels.feishu-no-bot": "这个应用还没有机器人能力。请在开发者后台添加，并发布一个版本。",
  "channels.feishu-insecure": "飞书给出的连接没有加密，因此没有使用。",
  "channels.imap-credentials": ({ host }) =>
    `${host} 不接受这个用户名和密码。请检查 channels.email.imapUsername 和 imapPassword；很多服务器要求使用应用专用密码。`,
  "channels.smtp-credentials": ({ host }) =>
    `${host} 不接受这个用户名和密码。请检查 channels.email.smtpUsername 和 smtpPassword。`,
  "channels.no-mail-folder": ({ folder }) => `没有文件夹“${folder}”（channels.email.imapMailbox）。`,
  "channels.no-mail-marks":
    "这个邮件服务器除了 \\Seen 不保存其他标记。请把 channels.email.markSeen 设为 true，以免同一封邮件被回复两次。",
  "channels.mail-refused": ({ host, status }) => `${host} 没有接受这封邮件（${status}）。`,
  "channels.no-mail-address": ({ address }) => `“${address}”不是邮箱地址。`,
  "channels.custom-late": ({ call, seconds }) => `${call} 在 ${seconds} 秒内没有完成。`,
  "channels.custom-silent": ({ seconds }) => `它在 ${seconds} 秒内没有调用 inbox.reportAlive。`,
  "channels.custom-unending": "它在信号中止后没有结束。请修好这个渠道，再启动网关。",
  "channels.custom-no-channel": "create 没有返回渠道：它必须返回带有 start 和 send 的对象。",
  "channels.custom-capabilities": ({ quote }) => `它的 capabilities 不正确：${quote}`,
};
