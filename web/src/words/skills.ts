// Texts of the skills page. Reasons, notes and findings are phrases of the gateway.
import { catalogue, lookup } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  about: [
    "What your assistant knows how to do: instructions it reads when a task needs them.",
    "助手学会的本领：需要时才会读取的说明。",
  ],
  names: lookup({
    clawhub: ["Skill finder", "技能查找"],
    cron: ["Reminders and tasks", "提醒与任务"],
    github: ["GitHub", "GitHub"],
    memory: ["Memory", "记忆"],
    "skill-creator": ["Write a skill", "编写技能"],
    summarize: ["Summarise", "总结内容"],
    tmux: ["Programs in a terminal", "终端里的程序"],
    weather: ["Weather", "天气"],
  }),
  may: ["What it may do", "它能做什么"],
  mayAbout: [
    "A skill is a set of instructions and has no rights of its own. Risky commands and changes are asked about first, as always.",
    "技能只是一份说明，没有额外的权限。遇到有风险的命令和更改，仍会先询问你。",
  ],
  wants: ["What it may do without asking", "它可以不经询问做什么"],
  wantsAbout: [
    "It names these commands and hosts. If you grant them, the commands can send files of the workspace to the hosts, also when you are away. Any change of the skill ends it.",
    "它写明了这些命令和主机。授予后，这些命令可以把工作区的文件发到这些主机，你不在时也一样。技能一有改动就失效。",
  ],
  wantsTooMuch: [
    (list: string) => `Too broad to be granted: ${list}`,
    (list: string) => `范围太大，不能授予：${list}`,
  ],
  grant: ["Grant", "授予"],
  revoke: ["Take back", "收回"],
  mayUse: [(names: string) => `Uses: ${names}`, (names: string) => `会用到：${names}`],
  more: ["Find more skills", "寻找更多技能"],
  moreAbout: [
    "Say in the chat what you need. Your assistant looks in the public collection ClawHub, checks what it finds, and asks you before adding anything.",
    "在对话里说说你需要什么。助手会到公开的 ClawHub 里找，检查找到的内容，添加之前先问你。",
  ],
  moreAsk: ["Find a skill that can ", "帮我找一个技能，用来"],
  moreButton: ["Ask in the chat", "到对话里问"],
  add: ["Add skill", "添加技能"],
  empty: ["No skills yet.", "还没有技能。"],
  states: [
    { ready: "Ready", always: "Always on", off: "Off", blocked: "Blocked", unusable: "Not available" },
    { ready: "可用", always: "始终启用", off: "已关闭", blocked: "已拦截", unusable: "不可用" },
  ],
  sources: {
    workspace: ["workspace", "工作区"],
    user: ["added here", "在此添加"],
    agents: ["~/.agents", "~/.agents"],
    directory: ["shared folder", "共享文件夹"],
    "built-in": ["built in", "内置"],
  },
  tokens: [(count: string) => `${count} tokens`, (count: string) => `${count} 个 token`],
  found: [
    (count: number) => (count === 1 ? "1 warning" : `${count} warnings`),
    (count: number) => `${count} 处可疑`,
  ],
  allowed: ["Allowed by you", "你已允许"],
  use: [(name: string) => `Use ${name}`, (name: string) => `使用 ${name}`],
  blockedHint: [
    "Contains suspicious lines. Read them below; the skill is used only if you allow it.",
    "其中有可疑内容。请阅读下面的行；只有你允许后才会使用。",
  ],
  findings: ["Suspicious lines", "可疑内容"],
  line: [
    (file: string, line: number) => (line > 0 ? `${file}, line ${line}` : file),
    (file: string, line: number) => (line > 0 ? `${file} 第 ${line} 行` : file),
  ],
  notes: ["Good to know", "说明"],
  files: [
    (count: number) => (count === 1 ? "1 file" : `${count} files`),
    (count: number) => `${count} 个文件`,
  ],
  text: ["Instructions", "内容"],
  allow: ["Allow skill", "允许使用"],
  remove: ["Remove", "删除"],
  removeTitle: [(name: string) => `Remove ${name}?`, (name: string) => `删除 ${name}？`],
  removeHint: ["Its folder is deleted from this computer.", "它的文件夹会从这台电脑上删除。"],
  removed: [(name: string) => `${name} was removed.`, (name: string) => `已删除 ${name}。`],
  addTitle: ["Add skill", "添加技能"],
  ways: [
    { source: "Address or folder", text: "Paste text" },
    { source: "地址或文件夹", text: "粘贴文字" },
  ],
  way: ["Source", "来源"],
  source: ["Git address, folder or zip file", "Git 地址、文件夹或 zip 文件"],
  sourceHint: [
    "For example https://github.com/owner/skills, or a folder on the computer where nanobot runs. Nothing in it is executed.",
    "例如 https://github.com/owner/skills，或运行 nanobot 的电脑上的文件夹。其中的内容不会被执行。",
  ],
  pasted: ["SKILL.md", "SKILL.md"],
  choose: ["Which one?", "选择哪一个？"],
  look: ["Check skill", "检查技能"],
  replaces: ["Replaces an existing skill. Changes:", "它会替换已有的同名技能，改动如下："],
  clean: ["Nothing suspicious found.", "没有发现可疑内容。"],
  accept: ["I have read the warnings and trust this skill", "我已读过警告，并信任这个技能"],
  addNow: ["Add", "添加"],
  back: ["Back", "返回"],
  added: [(name: string) => `${name} was added.`, (name: string) => `已添加 ${name}。`],
  extensions: ["Tools and servers", "工具与服务器"],
  extensionsAbout: [
    (command: string) =>
      `Your own tools and MCP servers. Change them in a terminal: ${command} tools, ${command} mcp.`,
    (command: string) => `你自己的工具和 MCP 服务器。在终端里用 ${command} tools 和 ${command} mcp 修改。`,
  ],
  signIn: ["Sign in", "登录"],
  signOut: ["Sign out", "退出登录"],
  kinds: [
    { tools: "Custom tool", mcp: "MCP server" },
    { tools: "自定义工具", mcp: "MCP 服务器" },
  ],
  extensionStates: [
    { used: "In use", off: "Off", waiting: "Needs your approval", broken: "Not working" },
    { used: "使用中", off: "已关闭", waiting: "等待允许", broken: "无法使用" },
  ],
});
