// The gateway: start and end, sign-in links, access, and messages that are not sent yet, in Chinese.
import { nanobot, toOtherPort, toStartCommand } from "../../lib/program-command.ts";
import type { englishGateway } from "../en/gateway.ts";

export const chineseGateway: typeof englishGateway = {
  gateway: {
    usage: {
      command: "让助手一直运行：聊天、定时任务、网页",
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
      unknownName: "本服务器不接受这个主机名。请使用 127.0.0.1，或把 gateway.publicUrl 设为你使用的网址。",
      otherPage: "其他网站的页面不能使用本服务器。",
    },
    listening: (url) => `nanobot 在 ${url}`,
    model: (model, host, why) => `模型：${host} 的 ${model}（${why}）`,
    channels: (names) => `渠道：${names}`,
    noChannels: "没有启用聊天渠道；见 docs/channels.md。",
    stopHint: "按 Ctrl-C 结束；再按一次立即结束。",
    draining:
      "正在结束：先把进行中的事做完，最多等 45 秒；没做完的下次启动后继续。再按一次 Ctrl-C 立即结束。",
    isRunning: (pid, url) => `nanobot 已经在运行（进程 ${pid}，${url}）。要停止它：${nanobot} gateway stop`,
    isStarting: (pid) => `nanobot 正在启动（进程 ${pid}）。启动完成后，用 ${nanobot} web 获取链接`,
    started: (pid, url) => `网关已运行（进程 ${pid}，${url}）。`,
    notStarted: (log) => `网关没有启动，原因见 ${log}`,
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
  },

  web: {
    usage: {
      command: "显示一个在浏览器里打开助手的链接",
      guest: "给这个名字的访客，访客只能看到自己的对话",
      open: "直接在这台机器的浏览器里打开",
      signOut: "让所有浏览器退出登录，或只让该访客的退出",
      topic: "管理程序用的令牌，而不是显示链接",
      tokenAction: "对令牌做什么（默认：list）",
      tokenWords: "令牌的名字；add 时后面再写它可以调用的操作",
    },
    token: {
      none: "还没有令牌。",
      added: (name, token) => `令牌“${name}”，只显示这一次：${token}`,
      mayCall: (operations) => `可以调用：${operations}`,
      row: (name, operations, created) => `${name}：${operations}（创建于 ${created}）`,
      removed: (name) => `令牌“${name}”已删除，不再有效。`,
      needsName: (command) => `哪个令牌？${command} <名字>`,
      needsOperations: (command) =>
        `叫什么名字，可以调用哪些操作？例如：${command} calendar jobs.list jobs.add`,
    },
    link: (url) => `请在浏览器里打开：${url}`,
    guestLink: (person, url) => `给 ${person}，请在浏览器里打开：${url}`,
    elsewhere: (url) => `在其他设备上访问：${url}`,
    once: "链接只能用一次，十分钟内有效。",
    signedOut: (count) => `已让 ${count} 个浏览器退出登录。`,
    hint: `要在浏览器里打开，请用它获取链接：${nanobot} web`,
    notOpened: (program) =>
      `${program} 无法在这里打开浏览器。请运行不带 --open 的 ${nanobot} web，再复制链接。`,
  },

  pairing: {
    usage: {
      command: "谁可以在聊天软件里使用助手",
      action: "要做什么（默认：list）",
      code: "配对码；revoke 时为渠道和 id",
      owner: "作为主人，可以做任何事",
      person: "这个人的名字；同名的两个发送者算同一个人",
    },
    nobody: "还没有人有使用权限，也没有待批准的请求。",
    waiting: "待批准的请求：",
    admitted: "有使用权限：",
    request: (code, who, valid) => `\`${code}\`：${who}，${valid}内有效`,
    sender: (channel, id) => `${channel} ${id}`,
    named: (name, sender) => `${name}（${sender}）`,
    roles: { owner: "主人", guest: "访客" },
    pair: (who, role) => `${who}：${role}`,
    guest: (person) => `访客 \`${person}\``,
    approved: (who, role) => `已批准：${who}，身份为${role}。`,
    denied: "已拒绝。",
    revoked: (sender) => `${sender} 不再有使用权限。`,
    needsCode: (command) => `哪个配对码？${command} <配对码>`,
    needsSender: (command) => `谁？${command} <渠道> <id>`,
    help: "/pairing approve <配对码> [owner]、deny <配对码>、revoke <渠道> <id>",
  },

  outbox: {
    usage: {
      command: "还没有发出或没能发出的消息",
      action: "要做什么（默认：list）",
      id: "消息的编号，或 all（全部）",
    },
    empty: "都已发出。",
    states: { waiting: "等待中", sending: "正在发送", dead: "已放弃" },
    row: (chat, state, tries) => `${chat}，${state}，试过 ${tries} 次`,
    needsId: (command) => `哪一条？${command} <编号>，或 all`,
    retried: (count) => `将重新发送：${count}`,
    dropped: (count) => `已丢弃：${count}`,
    noSuch: (id) => `没有等待中或已放弃的消息“${id}”。查看编号：${nanobot} outbox list`,
  },
};
