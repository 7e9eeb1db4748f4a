// What is said around approvals, trust and content from outside, in Chinese. The compiler keeps its shape equal to the
// English one.
import type { englishApproval, englishGuards, englishTrust } from "../en/guards.ts";

export const chineseApproval: typeof englishApproval = {
  question: (title) => `允许吗？${title}`,
  reason: (reason) => `为什么要问：${reason}`,
  risk: (risk) => `风险：${risk}`,
  sources: (sources) => `本次会话含有外来内容：${sources}`,
  sessionCovers: (subject) => `选“本次会话”后，会话结束前都允许：${subject}`,
  alwaysCovers: (subject) => `“本次会话”在会话结束前有效，“总是”在你用 /untrust 收回前一直有效：${subject}`,
  notShown: (count) => `还有 ${count} 行没有显示。`,
  choices: "[y] 允许，[s] 本次会话允许，[a] 总是允许，[N] 不允许",
  choicesSession: "[y] 允许，[s] 本次会话允许，[N] 不允许",
  choicesOnce: "[y] 允许，[N] 不允许",
  allowed: "已允许。",
  refused: "已拒绝。",
  refusedByOwner: "主人没有同意",
  notAnAnswer: (choices) => `请先回答这个问题：${choices}`,
  answers: {
    once: ["y", "是", "好", "好的", "可以", "行", "允许", "同意"],
    session: ["s", "本次会话", "本次会话允许", "会话", "本次"],
    always: ["a", "总是", "总是允许", "一直允许", "永远允许"],
    no: ["n", "否", "不", "不行", "不要", "不可以", "不允许", "不同意", "拒绝"],
  },
  risks: {
    files: "文件会被改动。",
    instructions: "它会成为以后每次会话开头的一部分。",
    command: "命令可以修改、删除和启动东西。",
    network: "发出去的内容可能包含这里读到的任何东西。",
    people: "别人会读到它，而且是以你的名义。",
    later: "它会在之后、没有人看着的时候发生。",
    alone: "它会用你的工具自己做下去。",
    foreign: "做什么由另一个程序决定。",
  },
  labels: {
    web: "网页",
    mail: "邮件",
    file: "工作区之外的文件",
    pipe: "管道传入的文字",
    mcp: "MCP 服务器",
    guest: "访客",
    skill: "技能",
    command: "命令",
    tool: "你自己的工具",
  },
};

export const chineseTrust: typeof englishTrust = {
  ownerOnly: "只有主人可以这样做。",
  minutes: (most) => `请给出 1 到 ${most} 之间的分钟数：/trust 30`,
  given: (until) =>
    `在 ${until} 之前信任本次会话：原本要问的事会直接去做。被禁止的仍然禁止；有外来内容之后我仍然会问。用 /untrust 结束。`,
  ended: "不再信任本次会话；我会重新询问。",
  notGiven: "本次会话没有被信任。",
  until: (until) => `信任到 ${until}`,
  rememberedHead: "总是允许：",
  forget: "/untrust <编号> 收回一条，/untrust all 全部收回。",
  nothingRemembered: "没有任何一直允许的内容。",
  forgotten: (subject) => `不再允许：${subject}`,
  noSuchNumber: (number) => `列表里没有编号 ${number}。用 /untrust 查看。`,
  outside: (sources) => `外来内容：${sources}（/new 会重新开始，不带这些内容）`,
};

export const chineseGuards: typeof englishGuards = {
  runTitle: "运行一条命令",
  fileTitle: "使用一个文件",
  skillTitle: "写入一个技能",
  skillReason: "技能是以后会话的指令。",
  promptTitle: (file) => `修改 ${file}，每次会话都以它开头`,
  fetchTitle: (host) => `向 ${host} 发出请求，其中带有数据`,
  sendTitle: (address) => `给 ${address} 发送消息`,
  scheduleTitle: "安排以后要做的事",
  spawnTitle: "启动一个子智能体",
  callTitle: (tool, server) => `使用 ${server} 的 ${tool}`,
  outsideReason: "本次会话里有外来的内容，可能是它要求这样做的。",
  guestReason: "这是访客要求的。",
};
