// Channels: why one does not run or did not take a message, and who has access, in Chinese.
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
    `定期检查要通知 ${target}，但这个渠道没有运行，所以检查只能等待。请启用这个渠道，或改为通知 "last"，也就是你最近说话的聊天。`,
  "channels.needs-mailbox": "请填写处理过的邮件要移到哪个文件夹。",
  "channels.needs-address": "用户名不是邮箱地址，请在这里填写一个。",

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
    `Telegram 不认识这个令牌（${status}）。请从 BotFather 重新复制到这个渠道的设置里。`,
  "channels.telegram-shared": "另一个程序正在使用这个 Telegram 令牌。请停掉它，或另建一个机器人。",
  "channels.feishu-credentials":
    "飞书不认识这个应用或它的密钥。请从开发者后台重新复制到这个渠道的设置里；Lark 请选择域名 lark。",
  "channels.feishu-no-bot": "这个应用还没有机器人能力。请在开发者后台添加，并发布一个版本。",
  "channels.insecure": ({ platform }) => `${platform} 给出的连接没有加密，因此没有使用。`,
  "channels.discord-token": "Discord 不认识这个令牌。请从开发者门户的 Bot 页面重新复制到渠道的设置。",
  "channels.discord-intents":
    "机器人还不能读取消息。请在 Discord 开发者门户的 Bot 页面打开 Message Content Intent，然后重启。",
  "channels.slack-bot-token": ({ quote }) =>
    `Slack 不接受这个机器人令牌（“${quote}”）。请从 OAuth & Permissions 页面重新复制到渠道的设置，它以 xoxb- 开头。`,
  "channels.slack-app-token": ({ quote }) =>
    `Slack 不接受这个应用令牌（“${quote}”）。请创建带有 connections:write 权限的令牌，打开 Socket Mode，并复制到渠道的设置，它以 xapp- 开头。`,
  "channels.no-tls": ({ host }) =>
    `无法与 ${host} 建立加密连接，或者它的证书无效。请在这个渠道的设置里检查服务器和端口。`,
  "channels.irc-password": ({ host }) => `${host} 不接受这个账号和密码。请在这个渠道的设置里检查。`,
  "channels.irc-refused": ({ host, quote }) => `${host} 不让助手进入：“${quote}”`,
  "channels.xmpp-password": ({ host }) => `${host} 不接受这个地址和密码。请在这个渠道的设置里检查。`,
  "channels.matrix-token":
    "Matrix 服务器不接受这个访问令牌。请用助手的账号重新登录，把新的令牌复制到这个渠道的设置里。",
  "channels.qq-credentials": "QQ 不认识这个 AppID 或它的密钥。请从 q.qq.com 重新复制到这个渠道的设置里。",
  "channels.qq-off": "QQ 停用了这个机器人，或者它还没有发布。请到 q.qq.com 查看。",
  "channels.dingtalk-credentials": ({ quote }) =>
    `钉钉不接受这个 Client ID 和密钥（“${quote}”）。请从开发者后台重新复制到这个渠道的设置里，并在后台选择 Stream 模式。`,
  "channels.wecom-credentials": ({ quote }) =>
    `企业微信不接受这个机器人和密钥（“${quote}”）。请从机器人的页面重新复制到这个渠道的设置里。`,
  "channels.wecom-shared": "另一个程序正在使用这个企业微信机器人。请停掉它，或另建一个机器人，然后重启。",
  "channels.whatsapp-token": ({ quote }) =>
    `WhatsApp 不接受这个访问令牌或电话号码 ID（“${quote}”）。请从 Meta 开发者页面重新复制到这个渠道的设置里。`,
  "channels.whatsapp-window": "WhatsApp 只允许助手在对方最后一条消息后的 24 小时内发送消息。",
  "channels.file-kind": ({ file, platform }) => `${platform} 不接受 ${file} 这类文件。`,
  "channels.mattermost-token":
    "Mattermost 不接受这个令牌。请为机器人账号新建一个令牌，复制到这个渠道的设置里。",
  "channels.imap-credentials": ({ host }) =>
    `${host} 不接受这个用户名和密码。请在这个渠道的设置里检查 IMAP 用户名和密码；很多服务器要求使用应用专用密码。`,
  "channels.smtp-credentials": ({ host }) =>
    `${host} 不接受这个用户名和密码。请在这个渠道的设置里检查 SMTP 用户名和密码。`,
  "channels.no-mail-folder": ({ folder }) => `这个邮箱里没有文件夹“${folder}”。请在这个渠道的设置里换一个。`,
  "channels.no-mail-marks":
    "这个邮件服务器只能把邮件标为已读。请在这个渠道的设置里允许它这样做，以免同一封邮件被回复两次。",
  "channels.mail-refused": ({ host, status }) => `${host} 没有接受这封邮件（${status}）。`,
  "channels.no-mail-address": ({ address }) => `“${address}”不是邮箱地址。`,
  "channels.custom-late": ({ call, seconds }) => `${call} 在 ${seconds} 秒内没有完成。`,
  "channels.custom-silent": ({ seconds }) => `它在 ${seconds} 秒内没有调用 inbox.reportAlive。`,
  "channels.custom-unending": "它在信号中止后没有结束。请修好这个渠道，再启动网关。",
  "channels.custom-no-channel": "create 没有返回渠道：它必须返回带有 start 和 send 的对象。",
  "channels.custom-capabilities": ({ quote }) => `它的 capabilities 不正确：${quote}`,

  "pairing.bad-person": ({ name }) => `“${name}”不能作为人的名字。请用字母、数字、- 和 _；“owner”已被占用。`,
  "pairing.no-code": ({ code }) => `没有配对码为 ${code} 的请求。配对码十分钟后失效。`,
  "outbox.unknown-chat": ({ channel, chatId }) => `${channel}:${chatId} 里没有获准的人，不会向那里发送。`,
  "pairing.not-paired": ({ sender }) => `${sender} 没有使用权限。`,
  "pairing.not-in-group": "给谁使用权限要在私聊里决定，不能在群里。",
  "pairing.closed": ({ reason }, { say }) => `${say(reason)}在此之前不能再批准新的人。`,
};
