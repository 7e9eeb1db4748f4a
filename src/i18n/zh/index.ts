// The catalogue in Chinese. The compiler keeps its shape equal to the English one.
import { nanobot } from "../../lib/program-command.ts";
import type { english } from "../en/index.ts";
import { chineseCare } from "./care.ts";
import { chineseDream } from "./dream.ts";
import { chineseApproval, chineseTrust } from "./guards.ts";
import { chineseHouse } from "./house.ts";
import { chineseMcp } from "./mcp.ts";
import { chineseMemory } from "./memory.ts";
import { chinesePhrases } from "./phrases/index.ts";
import { chineseSandbox } from "./sandbox.ts";
import { chineseSkills } from "./skills.ts";
import { chineseSubagents } from "./subagents.ts";
import { chineseTerminal } from "./terminal.ts";
import { chineseTools } from "./tools.ts";
import { chineseWeb } from "./web.ts";

export const chinese: typeof english = {
  usage: {
    summary: "nanobot 是运行在你自己电脑上的个人 AI 助手。",
    titles: {
      usage: "用法：",
      arguments: "参数：",
      options: "选项：",
      globalOptions: "通用选项：",
      commands: "命令：",
    },
    start: "不带命令时，直接在终端里开始聊天。",
    config: "要使用的配置文件；它所在的文件夹即为主目录",
    workspace: "改用这个工作区文件夹",
    verbose: "在标准错误输出上显示日志",
    help: "显示帮助",
    version: "显示版本号",
    json: "只输出一个 JSON 值",
    agent: "与助手聊天；用 -m 或管道则只问一次",
    agentMessage: "只问这一次并打印回答；管道里若有内容会附在后面",
    agentMedia: "随消息一起发送的图片和其他文件",
    agentSession: "要继续的会话（默认 cli:direct）",
    onboard: "接入模型并写好第一份配置",
    onboardProvider: "模型服务商，例如 anthropic、openai、deepseek 或 ollama",
    onboardModel: "模型名称",
    onboardApiBase: "服务商 API 的地址",
    onboardApiKeyEnv: "存放密钥的环境变量；只记下变量名，不记录密钥本身",
    onboardApiKeyStdin: "从标准输入读取密钥",
    onboardNoTest: "不试用模型",
    onboardSkipBootstrap: "不以互相认识的对话开始",
    onboardYes: "不提任何问题",
    status: "查看当前配置，以及还缺什么",
    context: "查看下一条消息会发送什么、花费多少",
    contextWhat: "diff：自上次请求以来的变化，以及缓存前缀在哪里中断",
    contextSession: "要查看的会话（默认 cli:direct）",
    contextMessage: "假设要发送的消息",
    contextRaw: "以 JSON 原样输出将要发送的内容",
    memory: "搜索、解释、撤销和遗忘记住的内容",
    memoryAction: "要做什么",
    memoryYes: "不询问，直接遗忘",
    memoryWords: "要找的词，或版本编号",
    skills: "列出、添加和审查技能",
    skillsAction: "要做什么（默认：list）",
    skillsTarget: "技能的名称；add 需要文件夹、zip 文件或 Git 地址；check 需要文件夹",
    skillsName: "有多个技能时，选择要添加的那个",
    skillsYes: "不提任何问题",
    skillsAllowFlagged: "即使发现可疑内容也添加",
    unknownCommand: (name, nearest) =>
      `没有“${name}”这个命令。${nearest === undefined ? "" : `你是不是想用“${nearest}”？`}`,
    unknownOption: (name, nearest) =>
      `没有 ${name} 这个选项。${nearest === undefined ? "" : `你是不是想用 ${nearest}？`}`,
    missingValue: (option) => `${option} 后面需要一个值。`,
    missingArgument: (form) => `命令不完整：${form}`,
    wrongValue: (option, value) => `${option} 不能是“${value}”。`,
    tooManyArguments: (given) => `多了一个参数“${given}”。请把消息放在 -m 后面的引号里。`,
    seeHelp: (command) => `查看帮助：${command} --help`,
  },

  failure: {
    unexpected: (reason) => `nanobot 内部出错了：${reason}。设置 NANOBOT_DEBUG=1 可查看出错位置。`,
    notAFolder: (path) => `${path} 不是文件夹。请用 --workspace 指定另一个。`,
    configMissing: (path) => `${path} 不存在；使用默认设置`,
    storeWaits:
      "我暂时什么都存不下来，所以你的消息要等一等。它不会丢：一能存下来我就回答。发送 /stop 可以放弃。",
    turnFailed: (reason) => `没能完成：${reason}`,
    interrupted: "已中断。",
    noMessage: '没有消息。请用 -m "……"，或通过管道传入文字。',
    noMedia: (path, code) => `无法读取 ${path}（${code}）；没有发出提问。`,
    silentPipe: (seconds) =>
      `${seconds} 秒内标准输入没有任何内容，因此没有消息可发。请用 -m "……"，或通过管道传入文字。`,
    unfinishedPipe: (seconds) =>
      `标准输入的内容没有结束：已经 ${seconds} 秒没有动静。请先存成文件，再用：${nanobot} agent < 文件`,
    longPipe: (megabytes) =>
      `标准输入的内容超过 ${megabytes} MB。请存成工作区里的文件，再在消息里写上文件名。`,
    notText: "标准输入的内容不是 UTF-8 文本。请存成文件，再在消息里写上文件名。",
  },

  approval: chineseApproval,

  trust: chineseTrust,

  reply: {
    helpHeading: "除了普通消息，我还懂这些命令：",
    helpFooter: "其他内容都会交给模型。",
    commands: {
      help: "显示这份列表",
      new: "开始新会话；旧会话会保留",
      status: "模型、Token、上下文、运行时间",
      context: "下一条消息会发送什么、花费多少",
      search: "查找以前说过的话：/search <词>",
      forget: "忘掉含有这些词的内容，会先问你：/forget <词>",
      dream: "整理最近说过的话，留下重要的内容",
      "dream-log": "最近一次或某一次整理改动了什么：/dream-log [编号]",
      "dream-restore": "撤销一次记忆的改动：/dream-restore [编号]",
      why: "我记得的内容出自哪里：/why <一行或几个词>",
      compact: "概括到目前为止的对话以腾出空间：/compact [重点]",
      undo: "恢复上一轮改动的文件",
      trust: "一段时间内不再询问：/trust [分钟]；被禁止的仍然禁止",
      untrust: "重新询问，并列出总是允许的内容：/untrust [编号]",
      agents: "查看后台工作：/agents；结束其中一个：/agents stop <编号>",
      stop: "停止本会话正在进行的任务",
      cron: "安排了什么：/cron [remove、pause、resume 或 run <编号>]",
      usage: "模型用掉了多少",
      model: "为本会话换一个模型：/model [名称或 default]",
      export: "把本会话导出为 Markdown 文件",
      pairing: "谁可以和我说话：/pairing [approve、deny 或 revoke]",
      restart: "重新启动网关",
    },
    newSession: "新会话开始了。",
    compacted: (count, tokens) =>
      `已归档 ${count} 条消息，腾出约 ${tokens} 个 token。没有丢失任何内容：可用 /search 查找。`,
    nothingToCompact: "没有可归档的内容。",
    stopped: (count) => `已停止 ${count} 个任务。`,
    nothingToStop: "没有正在进行的任务。",
    stoppedMark: "（已停止）",
    unknownCommand: (name, nearest) =>
      `没有“${name}”这个命令。${nearest === undefined ? "用 /help 查看所有命令。" : `你是不是想用“${nearest}”？`}`,
    takesNoArguments: (name) => `“${name}”不带参数。你是不是只想用“${name}”？`,
    status: {
      version: (version) => `nanobot ${version}`,
      model: (model, host, why) => `模型：${model}，来自 ${host}（${why}）`,
      tokens: (input, output, cachedPercent) =>
        `上一轮 Token：输入 ${input}，输出 ${output}（输入的 ${cachedPercent}% 来自缓存）`,
      estimatedTokens: (input) => `上一次请求的 Token：约 ${input}（估计值：对方没有提供计数）`,
      noTokens: "上一轮 Token：还没有",
      context: (used, total, percent) => `上下文：${used} / ${total}（${percent}%）`,
      messages: (count) => `会话：${count} 条消息`,
      uptime: (duration) => `已运行 ${duration}`,
      turns: (count) => `正在处理：${count} 轮`,
    },
  },

  context: {
    request: (session, model) => `${session} 的下一次请求，发往 ${model}：`,
    size: (tokens, budget, window) => `约 ${tokens} 个 Token，上限 ${budget}（窗口 ${window}）。`,
    corrected: (ratio) => `Token 数为估算，已按服务商上次的计数乘以 ${ratio}。`,
    epochSince: (hash, since) => `纪元 ${hash}，自 ${since} 起固定不变。`,
    newEpoch: (reason) => `下一条消息开始新的纪元：${reason}。`,
    newHash: (hash) => `${hash}（新）`,
    cached: (tokens) => `约 ${tokens} 个 Token 与上次请求相同。`,
    layerHead: ["层", "Token", "字符", "来源", "纪元"],
    toolHead: ["工具", "Token", "字符", "来源"],
    saidHead: ["对话", "Token", "字符"],
    files: (count) => `${count} 个文件`,
    said: {
      sent: (count) => `已发送过的 ${count} 条消息`,
      unsent: (count) => `尚未发送的 ${count} 条消息`,
      text: "下一条消息",
      runtime: "它的运行时上下文",
    },
    nothingSent: "这个会话还没有发送过请求，或者已经没有可供比较的内容。",
    lastRequest: (at, model, epoch) => `上次请求：${at}，发往 ${model}，纪元 ${epoch}。`,
    noChanges: "此后没有文件或工具发生变化。",
    announced: "此后的变化，会随下一条消息告诉模型：",
    merged: "此后的变化，从下一条消息起成为提示词的一部分：",
    changes: { added: "新增", changed: "已修改", removed: "已删除" },
    holds: "缓存前缀保持有效：下一次请求逐字节重复上一次的内容。",
    breaks: (place, reason) => `缓存前缀${place}中断，原因：${reason}。`,
    places: {
      start: "从最开头",
      tools: "在工具列表处",
      system: (layer, line) => `在 ${layer} 层第 ${line} 行`,
      history: (count) => `在对话的 ${count} 条消息之后`,
      nowhere: "内容虽然完全相同，仍会",
    },
    reasons: {
      "first-turn": "这是第一条消息",
      "model-changed": "换了模型",
      idle: "停顿时间超过了服务商的缓存时间",
      "prefix-lost": "保存的前缀已经丢失",
      consolidated: "较早的消息已被总结",
      "too-long": "对话超出了窗口",
      compressed: "历史在发送前被缩短",
    },
    tail: (tokens) => `约 ${tokens} 个 Token 对服务商来说是新的。`,
    told: "模型将被告知：",
    systemDiff: "系统提示词的变化：",
  },

  dream: chineseDream,

  memory: chineseMemory,

  status: {
    version: "版本",
    home: "主目录",
    config: "配置",
    source: {
      file: "正在使用",
      "last-good": "有错误；正在使用上一份可用的副本",
      defaults: "还没有；使用默认值和环境变量",
      broken: "有错误，也没有可用的副本",
    },
    workspace: "工作区",
    notThere: "还不存在；发送第一条消息时会创建",
    model: "模型",
    modelAt: (model, host) => `${model}，来自 ${host}`,
    because: "原因",
    key: "密钥",
    keyPresent: "已设置",
    keyMissing: "缺少",
    keyNotNeeded: "不需要",
    files: "文件",
    restricted: "只能访问工作区",
    unrestricted: "没有限制：工具能访问你能访问的所有文件（tools.restrictToWorkspace 为 false）",
    commands: "命令",
    commandsAsk: "少数无害的命令直接运行，其他的都会先询问",
    commandsOff: "已关闭（tools.exec.enable 为 false）",
    sessions: "会话",
    gateway: (pid) =>
      `Python 原版的网关正在这个主目录上运行（进程 ${pid}）。请先停止它，否则两者会写同样的文件。`,
    next: "下一步",
    nextOnboard: `接入模型：${nanobot} onboard`,
    nextFixConfig: (path) => `在 ${path} 里改正上面列出的问题`,
    nextNothing: `什么都不缺；试试：${nanobot} agent -m "你好"`,
  },

  onboard: {
    intro: "用哪个模型来回答？",
    chooseHost: "服务商",
    keyFound: (variable) => `在 ${variable} 里找到密钥`,
    runsHere: (count) => `运行在本机，有 ${count} 个模型`,
    customHost: "其他地址（兼容 OpenAI 接口）",
    askAddress: "API 地址，例如 http://localhost:8080/v1",
    askKey: (host) => `${host} 的密钥（存放在只有你能读取的配置文件里）`,
    askOptionalKey: (host) => `${host} 的密钥；不需要则留空`,
    chooseKey: "密钥",
    useKeyFrom: (variable) => `使用 ${variable} 里的密钥`,
    enterKey: "输入密钥",
    askModel: "模型",
    otherModel: "其他模型",
    trying: (model, host) => `正在试用 ${host} 的 ${model}`,
    works: (duration) => `${duration} 后收到了回答。`,
    otherSide: (host) => `这个密钥属于 ${host}，因此改用它。`,
    afterFailure: "接下来怎么办？",
    changeKey: "换一个密钥",
    changeModel: "换一个模型",
    tryAgain: "再试一次",
    keepAnyway: "仍然保存",
    saved: (path) => `已保存到 ${path}。`,
    templates: (count, workspace) => `已在 ${workspace} 创建 ${count} 个文件。`,
    done: `完成。现在可以运行：${nanobot}`,
    cancelled: "已停止，没有改动任何内容。",
    needsTerminal:
      "提问需要终端。没有终端时，请用 --yes 并加上 --provider、--model，以及 --api-key-env 或 --api-key-stdin。",
    needsHost: "没有找到密钥、地址或本机模型。请指定服务商：--provider <名称>",
    unknownHost: (name, nearest) =>
      `没有名为“${name}”的模型服务商。${nearest === undefined ? "" : `你是不是想用“${nearest}”？`}自定义的名称需要 --api-base。`,
    needsKey: (host, variable) =>
      `${host} 需要密钥。请设置 ${variable}，或使用 --api-key-env 或 --api-key-stdin。`,
    needsModel: (host) => `没有为 ${host} 指定模型。请用 --model <名称>`,
    needsAddress: (host) => `${host} 需要 API 地址。请用 --api-base <地址>`,
    wrongAddress: "--api-base 必须是以 http:// 或 https:// 开头的地址",
    wrongVariable: "--api-key-env 要的是环境变量的名称，而不是密钥本身。",
    variableNotSet: (variable) => `${variable} 没有设置。请先设置，或使用 --no-test。`,
    twoKeys: "--api-key-env 和 --api-key-stdin 只能用一个。",
    noKeyOnStdin: "标准输入里没有密钥。",
    trialFailed: (reason) => `${reason} 没有改动任何内容；若仍要保存，请加 --no-test。`,
    notSaved: (problems) => `配置没有改动：${problems}`,
  },

  ...chineseHouse,
  care: chineseCare,
  mcp: chineseMcp,
  tools: chineseTools,

  terminal: chineseTerminal,
  undo: {
    nothing: "这段对话里没有可以恢复的文件改动。",
    restored: (files) => `已恢复到上一轮之前：${files}`,
    left: (files) => `没有动，因为之后又被改过，或太大而没有保存：${files}`,
    commands: (commands) => `这些命令所做的没有撤销：${commands}`,
  },
  web: chineseWeb,
  sandbox: chineseSandbox,

  skills: chineseSkills,

  subagents: chineseSubagents,

  phrases: chinesePhrases,

  chat: {
    lockWaiting: (holder) => `另一个 nanobot 正在使用这个主目录（${holder}），请稍候。`,
    thinking: "思考中",
    writing: "正在回答",
    running: (what) => `正在运行 ${what}`,
    stopped: "已停止",
    ctrlCStops: "Ctrl-C 停止",
    ctrlCAgainLeaves: "再按一次 Ctrl-C 离开。",
    stopping: "正在停止。再按一次 Ctrl-C 离开。",
    followUp: "（已加入正在进行的回答）",
    retry: (reason, seconds, attempt) => `${reason} ${seconds} 秒后重试（第 ${attempt} 次）。`,
    fallback: (from, to, reason) => `${reason} 改用 ${to} 继续，不再用 ${from}。`,
    imagesDropped: (reason) => `图片没有发送：${reason}`,
    startedAnew: "回答中途停住，现在重新开始。",
    failed: "失败",
    pipeIgnored: (seconds) =>
      `${seconds} 秒内标准输入没有内容，只发送 -m 的消息。若要等待较慢的程序，请不带 -m，把全部内容通过管道传入。`,
  },
};
