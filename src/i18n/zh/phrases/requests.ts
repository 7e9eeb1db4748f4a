// Why a request was refused (operations, the gateway, sign-in, tokens, jobs), and what a conversation says, in Chinese.
import type { requestPhrases as english } from "../../en/phrases/requests.ts";

const imageProblems = {
  "no-image": "不是 PNG、JPEG、WebP 或 GIF 文件",
  "too-large": "超过 20 MB",
  address: "地址无法读取，或不是公开地址",
};

export const requestPhrases: typeof english = {
  "request.unknown": ({ name }) => `没有名为“${name}”的操作。`,
  "request.bad-params": "请求的格式不对。",
  "request.bad-field": ({ quote }) => `这个值无效（“${quote}”）。`,
  "request.owner-only": "只有主人可以这样做。",
  "request.not-of-token": ({ operation }) => `这个令牌不能调用“${operation}”。请另建一个包含它的令牌。`,
  "request.too-large": "内容太大，无法一次发送。",
  "request.failed": "没有成功，详情见日志。",
  "request.needs-answer": "这需要先回答一个问题，而这里无法提问。",
  "request.too-late": "已经来不及撤销了。",

  "gateway.not-running": (_, { program }) => `网关没有在运行。启动它：${program} gateway`,
  "gateway.other-version": "正在运行的网关版本不同，请重启它。",
  "gateway.not-let-in": "正在运行的网关拒绝了这个终端，请重启它。",
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
    `没有操作“${operation}”。${nearest === undefined ? "全部操作见 docs/api.md。" : `你是不是想用“${nearest}”？`}`,
  "tokens.not-for-programs": ({ operation }) => `不能给令牌“${operation}”：程序可以用它获得更多权限。`,

  "triggers.bad-name": "触发器名称最多 64 个字符，可用字母、数字、- 和 _。",
  "triggers.short-secret": "密钥至少需要 16 个字符。",
  "triggers.exists": ({ name }) => `已经有名为“${name}”的触发器。请换一个名称，或先删除它。`,
  "triggers.not-found": ({ name }, { program }) => `没有触发器“${name}”。请看：${program} triggers`,
  "triggers.too-many": ({ most }) => `已有 ${most} 个触发器。请先删除一些。`,

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

  "goals.one-at-a-time": "这个对话里已经有一个目标。用 /goal stop 停止它，或者新开一个对话。",
  "goals.too-many": ({ most }) => `已经有 ${most} 个目标。请先停止几个。`,
  "goals.over": ({ name }) => `“${name}”已经不在进行中。`,
  "goals.not-found": ({ id }) => `没有目标“${id}”。/goal 列出所有目标。`,
  "goals.needs-chat": "请在对话里用 /goal 开始一个目标。",
  "goals.needs-text": "请说明要完成什么。",

  "chat.empty": "写点什么，或附上一个文件。",
  "chat.not-found": "没有这个对话。",
  "chat.read-only": "这个对话只能阅读：它已经结束，或者属于一位访客。",
  "chat.nothing-said": "这里还没有消息。",
  "chat.no-title": "模型没有给出标题。可以自己写一个，或再试一次。",
  "chat.busy": "助手正在这个对话里工作。请先停止它。",
  "chat.not-a-beginning": "这不是你自己的消息。请选择你自己的一条消息。",
  "chat.needs-chat": "请说明是哪个对话。",
  "chat.nothing-to-export": "还没有可以导出的内容。",
  "chat.model-given": "模型由运行我的程序指定，在这里不能选择。",
  "trust.minutes": ({ most }) => `请给出 1 到 ${most} 之间的分钟数，例如 /trust 30`,
  "trust.no-such-number": ({ number }) => `列表里没有 ${number} 号。用 /untrust 查看列表。`,
  "subagents.unknown": ({ id }) => `这个对话里没有子助手“${id}”。用 /agents 查看列表。`,
  "upload.piece-missing": "文件缺了一段。请从头重新发送。",
  "upload.too-large": ({ megabytes }) => `文件最大 ${megabytes} MB。`,
  "upload.gone": "这条消息的一个文件已经不在了。请重新附上。",
  "upload.too-many": "文件太多了。请让主人从 media 文件夹里删除一些。",
  "upload.not-transcribed": ({ reason }, { say }) => say(reason),
  "terminal.stopped": "已停止。",
  "terminal.commands-off": "设置里关闭了命令。",

  "turn.died": ({ times }) => `它被中断了 ${times} 次。`,
  "turn.internal": ({ reason }) => `nanobot 内部出错了（${reason}）。详情见日志。`,

  "images.no-host": "没有已配置的服务可以画图。请设置 tools.imageGeneration.provider 和 model。",
  "images.unknown-host": ({ host }) =>
    `tools.imageGeneration.provider 是“${host}”，它不是使用 OpenAI 接口的服务。请换一个，或设置 providers.${host}.apiBase。`,
  "images.no-key": ({ host, name }) =>
    `没有 ${host} 的密钥。请设置 providers.${name}.apiKey，或用 tools.imageGeneration.provider 选择其他服务。`,
  "images.no-model": ({ host }) => `${host} 没有默认的画图模型。请设置 tools.imageGeneration.model。`,
  "images.too-many": ({ most }) => `一次回答最多画 ${most} 张图（tools.imageGeneration.maxImagesPerTurn）。`,
  "images.broken": ({ host, problem }) => `${host} 发来的图片无法使用：${imageProblems[problem]}。`,
  "transcription.off": "语音转文字已关闭。请把 transcription.enabled 设为 true。",
  "transcription.unknown-host": ({ host }) =>
    `transcription.provider 是“${host}”，它不是使用 OpenAI 接口的服务。请换一个，或设置 providers.${host}.apiBase。`,
  "transcription.no-key": ({ host, name }) =>
    `没有 ${host} 的密钥。请设置 providers.${name}.apiKey，或用 transcription.provider 选择其他服务。`,
  "transcription.no-model": ({ host }) => `${host} 没有默认的转写模型。请设置 transcription.model。`,
  "transcription.too-large": ({ megabytes }) => `录音超过 ${megabytes} MB（transcription.maxUploadMb）。`,
  "transcription.too-long": ({ seconds }) => `录音超过 ${seconds} 秒（transcription.maxDurationSec）。`,
  "transcription.late": ({ host, seconds }) => `${host} 在 ${seconds} 秒内没有回应。`,
  "transcription.gone": "录音已经不在了。",
  "transcription.silent": "录音里没有听到说话声。",
};
