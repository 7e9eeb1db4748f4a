// 网关所说的话：启动与结束、渠道、任务、配对、用量。
import { nanobot, toOtherPort, toStartCommand } from "../../lib/program-command.ts";
import type { englishGateway } from "../en/gateway.ts";

export const chineseGateway: typeof englishGateway = {
  usage: {
    command: "让助手一直运行：聊天、日程、网页",
    action: "要做什么（默认：在这里运行）",
    port: "监听的端口",
    tail: "显示日志的行数",
    follow: "持续显示新的日志",
    dryRun: "只显示将要安装的服务",
  },
  pairingCode: (code) => `我还不认识你。请让我的主人在十分钟内用这个配对码批准你：${code}`,
  apology: "抱歉：这条消息我试了三次，每次都被打断。我先把它放在一边，请换个说法再说一次。",
  apologyForSeveral: "抱歉：这些消息我试了三次，每次都被打断。我先把它们放在一边，请换个说法再说一次。",
  andMore: (count) => `（还有 ${count} 条）`,
  answerInFile: (characters) => `（以上只是开头，全文共 ${characters} 个字符，见附件。）`,
  answerInChat: (characters) =>
    `（以上只是开头，全文共 ${characters} 个字符，这里放不下。完整内容在网页的这个对话里。）`,
  address: {
    open: (host) =>
      `gateway.host 是 ${host}，别人也能使用这个助手。请在 config.json 里把 api.apiKey 设为一个密钥，或把 gateway.host 设为 127.0.0.1。`,
    notPublic: (url) =>
      `gateway.publicUrl 是 ${JSON.stringify(url)}，这不是网址。请写成浏览器里的样子，例如 https://bot.example.com`,
    taken: (port) =>
      `端口 ${port} 已被另一个程序占用。请换一个端口：${toStartCommand(`--port ${toOtherPort(port)}`)}`,
    unusable: (host, port, code) =>
      `无法在 ${host}:${port} 提供服务（${code}）。请检查 config.json 里的 gateway.host 和 gateway.port。`,
  },
  listening: (url) => `nanobot 在 ${url}`,
  model: (model, host, why) => `模型：${host} 的 ${model}（${why}）`,
  channels: (names) => `渠道：${names}`,
  noChannels: "没有启用聊天渠道；见 docs/channels.md。",
  stopHint: "按 Ctrl-C 结束；再按一次立即结束。",
  draining: "正在结束：先把进行中的事做完，最多等 45 秒；没做完的下次启动后继续。再来一次就立即结束。",
  isRunning: (pid, url) => `nanobot 已经在运行（进程 ${pid}，${url}）。要停止它：${nanobot} gateway stop`,
  isStarting: (pid) => `nanobot 正在启动（进程 ${pid}）。启动完成后，用 ${nanobot} web 获取链接`,
  started: (pid, url) => `网关已运行（进程 ${pid}，${url}）。`,
  notStarted: (log) => `网关没有启动。请看 ${log}`,
  serviceInstalled: (path) => `${path} 已安装并启动。要在退出登录后继续运行：loginctl enable-linger`,
  serviceRemoved: "服务已移除。",
  noSystemd: (reason) =>
    `systemd 没有完成（${reason}）。请用 ${nanobot} gateway start，或用 ${nanobot} gateway install-service --dry-run 查看单元文件`,
  stopped: "网关已结束。",
  notStopped: (pid) => `网关（进程 ${pid}）还在收尾。`,
  noLog: (path) => `${path} 里还没有记录`,
  process: (pid) => `进程 ${pid}`,
  since: (time) => `自 ${time} 起`,
  page: {
    title: "nanobot 正在运行",
    text: `这是你的助手的网关。在终端里用 \`${nanobot} agent\` 和它说话，或在聊天软件里。`,
    health: "运行状况",
  },
  state: {
    starting: "正在启动",
    running: "运行中",
    retrying: "正在重试",
    failed: "失败",
    stopped: "已停止",
  },
  status: {
    gateway: "网关",
    channel: "渠道",
    waiting: "等待发送",
    turns: "进行中的回合",
  },
};
