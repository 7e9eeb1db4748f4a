// The catalogue in Chinese. The compiler keeps its shape equal to the English one.
import type { english } from "./english.ts";

export const chinese: typeof english = {
  usage: {
    summary: "nanobot 是运行在你自己电脑上的个人 AI 助手。",
    titles: { usage: "用法：", options: "选项：", globalOptions: "通用选项：", commands: "命令：" },
    start: "不带命令时，直接在终端里开始聊天。",
    config: "要使用的配置文件；它所在的文件夹即为主目录",
    workspace: "改用这个工作区文件夹",
    verbose: "在标准错误输出上显示日志",
    help: "显示帮助",
    version: "显示版本号",
    json: "只输出一个 JSON 值",
    agent: "与助手聊天；用 -m 或管道则只问一次",
    agentMessage: "只问这一次并打印回答；管道里若有内容会附在后面",
    agentSession: "要继续的会话",
    onboard: "接入模型并写好第一份配置",
    onboardProvider: "模型服务商，例如 anthropic、openai、deepseek 或 ollama",
    onboardModel: "模型名称",
    onboardApiBase: "服务商 API 的地址",
    onboardApiKeyEnv: "存放密钥的环境变量；只记下变量名，不记录密钥本身",
    onboardApiKeyStdin: "从标准输入读取密钥",
    onboardNoTest: "不试用模型",
    onboardYes: "不提任何问题",
    status: "查看当前配置，以及还缺什么",
    unknownCommand: (name, nearest) =>
      `没有“${name}”这个命令。${nearest === undefined ? "" : `你是不是想用“${nearest}”？`}`,
    unknownOption: (name, nearest) =>
      `没有 ${name} 这个选项。${nearest === undefined ? "" : `你是不是想用 ${nearest}？`}`,
    missingValue: (option) => `${option} 后面需要一个值。`,
    tooManyArguments: (given) => `多了一个参数“${given}”。请把消息放在 -m 后面的引号里。`,
    seeHelp: (command) => `查看帮助：${command} --help`,
  },

  failure: {
    unexpected: (reason) => `nanobot 内部出错了：${reason}。设置 NANOBOT_DEBUG=1 可查看出错位置。`,
    turnFailed: (reason) => `没能完成：${reason}`,
    interrupted: "已中断。",
    emptyAnswer: "模型没有给出任何回答。请再问一次，或换一个模型。",
    noMessage: '没有消息。请用 -m "……"，或通过管道传入文字。',
    silentPipe: (seconds) =>
      `${seconds} 秒内标准输入没有任何内容，因此没有消息可发。请用 -m "……"，或通过管道传入文字。`,
    unfinishedPipe: (seconds) =>
      `标准输入的内容没有结束：已经 ${seconds} 秒没有动静。请先存成文件，再用：nanobot agent < 文件`,
    longPipe: (megabytes) =>
      `标准输入的内容超过 ${megabytes} MB。请存成工作区里的文件，再在消息里写上文件名。`,
    notText: "标准输入的内容不是 UTF-8 文本。请存成文件，再在消息里写上文件名。",
    lockHeld: (holder, seconds) =>
      `另一个 nanobot（${holder}）仍在处理这个会话，已等待 ${seconds} 秒。请等它结束后再试。`,
  },

  approval: {
    question: (title) => `允许吗？${title}`,
    reason: (reason) => `为什么要问：${reason}`,
    alwaysCovers: (subject) => `选“总是”后，本次会话内都允许：${subject}`,
    notShown: (count) => `还有 ${count} 行没有显示。`,
    choices: "[y] 允许，[a] 总是允许，[N] 不允许",
    choicesOnce: "[y] 允许，[N] 不允许",
    allowed: "已允许。",
    refused: "已拒绝。",
    refusedByOwner: "主人没有同意",
    nobodyToAsk: "没有人可以询问",
    notAnAnswer: (choices) => `请先回答这个问题：${choices}`,
    answers: {
      once: ["y", "是", "好", "好的", "可以", "行", "允许", "同意"],
      session: ["a", "总是", "总是允许", "一直允许"],
      no: ["n", "否", "不", "不行", "不要", "不可以", "不允许", "不同意", "拒绝"],
    },
  },

  reply: {
    helpHeading: "除了普通消息，我还懂这些命令：",
    helpFooter: "其他内容都会交给模型。",
    commands: {
      help: "显示这份列表",
      new: "开始新会话；旧会话会保留",
      status: "模型、Token、上下文、运行时间",
      stop: "停止本会话正在进行的任务",
    },
    newSession: "新会话开始了。",
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
      noTokens: "上一轮 Token：还没有",
      context: (used, total, percent) => `上下文：${used} / ${total}（${percent}%）`,
      messages: (count) => `会话：${count} 条消息`,
      uptime: (duration) => `已运行 ${duration}`,
      turns: (count) => `正在处理：${count} 轮`,
    },
  },

  why: {
    chosen: "由配置指定",
    chosenByPreset: (preset) => `由预设“${preset}”指定`,
    chosenWithVariable: (variable) => `由配置指定，密钥来自 ${variable}`,
    defaultModel: "默认模型，使用配置里的服务商",
    hostInConfig: "配置里服务商的常用模型",
    keyInEnvironment: (variable) => `找到了密钥 ${variable}`,
    noConfig: "还没有配置和密钥；请运行 nanobot onboard",
    noUsableHost: "配置里没有可用的密钥或地址；请运行 nanobot onboard",
    noModelNamed: (host) => `没有为 ${host} 指定模型；请设置 agents.defaults.model`,
    given: "由嵌入 nanobot 的程序提供",
  },

  chat: {
    greeting: (version, model, host) => `nanobot ${version} · ${model} · ${host}`,
    hint: "/help 查看命令，Ctrl-C 停止回答，Ctrl-D 离开。",
    thinking: "思考中",
    working: "执行中",
    ctrlCStops: "Ctrl-C 停止",
    ctrlCAgainLeaves: "再按一次 Ctrl-C 离开。",
    stopping: "正在停止。再按一次 Ctrl-C 离开。",
    followUp: "（已加入正在进行的回答）",
    bye: "再见。",
    pastedLines: (count) => `另有 ${count} 行`,
    pastedCharacters: (count) => `${count} 个字符`,
    retry: (reason, seconds, attempt) => `${reason} ${seconds} 秒后重试（第 ${attempt} 次）。`,
    fallback: (from, to, reason) => `${reason} 改用 ${to} 继续，不再用 ${from}。`,
    imagesDropped: (reason) => `图片没有发送：${reason}`,
    startedAnew: "回答中途停住，现在重新开始。",
    failed: "失败",
    tokens: (input, output, cachedPercent) =>
      `输入 ${input} 个 Token（${cachedPercent}% 来自缓存），输出 ${output} 个`,
    pipeIgnored: (seconds) =>
      `${seconds} 秒内标准输入没有内容，只发送 -m 的消息。若要等待较慢的程序，请不带 -m，把全部内容通过管道传入。`,
    readingPipe: "正在从标准输入读取消息。",
    lockWaiting: (holder) => `正在等待另一个 nanobot（${holder}）处理完这个会话。`,
  },
};
