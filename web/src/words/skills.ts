// What the page about skills says. Reasons, notes and findings are coded sentences.
import { speak } from "./speak.ts";

export const { english, chinese } = speak({
  about: [
    "What your assistant has learned to do: instructions that it reads when a task calls for them.",
    "助手学会的本领：需要时才会读取的说明。",
  ],
  add: ["Add a skill", "添加技能"],
  empty: ["There are no skills.", "还没有技能。"],
  states: [
    { ready: "Ready", always: "Always on", off: "Off", blocked: "Blocked", unusable: "Not usable" },
    { ready: "可用", always: "始终启用", off: "已关闭", blocked: "已拦截", unusable: "不可用" },
  ],
  sources: {
    workspace: ["workspace", "工作区"],
    user: ["added here", "在此添加"],
    agents: ["~/.agents", "~/.agents"],
    directory: ["shared folder", "共享文件夹"],
    "built-in": ["built in", "内置"],
  },
  tokens: [(count: string) => `${count} tokens`, (count: string) => `${count} 词元`],
  found: [
    (count: number) => (count === 1 ? "1 finding" : `${count} findings`),
    (count: number) => `${count} 处可疑`,
  ],
  allowed: ["Allowed by you", "你已允许"],
  use: [(name: string) => `Use ${name}`, (name: string) => `使用 ${name}`],
  blockedHint: [
    "Something suspicious is in it. Read the lines below; it is used only when you allow it.",
    "其中有可疑内容。请阅读下面的行；只有你允许后才会使用。",
  ],
  findings: ["What was found", "发现的内容"],
  line: [
    (file: string, line: number) => (line > 0 ? `${file}, line ${line}` : file),
    (file: string, line: number) => (line > 0 ? `${file} 第 ${line} 行` : file),
  ],
  notes: ["Good to know", "说明"],
  files: [
    (count: number) => (count === 1 ? "1 file" : `${count} files`),
    (count: number) => `${count} 个文件`,
  ],
  text: ["What it teaches", "内容"],
  allow: ["I have read it: allow", "我已读过：允许"],
  remove: ["Remove", "删除"],
  removeTitle: [(name: string) => `Remove ${name}?`, (name: string) => `删除 ${name}？`],
  removeHint: ["Its folder is deleted from this machine.", "它的文件夹会从这台机器上删除。"],
  removed: [(name: string) => `${name} was removed.`, (name: string) => `已删除 ${name}。`],
  addTitle: ["Add a skill", "添加技能"],
  ways: [
    { source: "From an address or folder", text: "Paste a SKILL.md" },
    { source: "从地址或文件夹", text: "粘贴 SKILL.md" },
  ],
  way: ["Where from", "来源"],
  source: ["Git address, folder or zip file", "Git 地址、文件夹或 zip 文件"],
  sourceHint: [
    "For example https://github.com/owner/skills, or a path on the gateway's machine. Nothing of it is run.",
    "例如 https://github.com/owner/skills，或网关所在机器上的路径。其中的任何内容都不会运行。",
  ],
  pasted: ["SKILL.md", "SKILL.md"],
  choose: ["Which one?", "选择哪一个？"],
  look: ["Look into it", "查看"],
  replaces: ["It replaces a skill that is there. What would change:", "它会替换已有的同名技能，改动如下："],
  clean: ["Nothing suspicious was found.", "没有发现可疑内容。"],
  accept: ["I have read what was found, and trust it", "我已读过发现的内容，并信任它"],
  addNow: ["Add", "添加"],
  back: ["Back", "返回"],
  added: [(name: string) => `${name} was added.`, (name: string) => `已添加 ${name}。`],
  extensions: ["Tools and servers", "工具与服务器"],
  extensionsAbout: [
    (command: string) =>
      `Your own tools and MCP servers. Change them in a terminal: ${command} tools, ${command} mcp.`,
    (command: string) => `你自己的工具和 MCP 服务器。在终端里用 ${command} tools 和 ${command} mcp 修改。`,
  ],
  kinds: [
    { tools: "Own tool", mcp: "MCP server" },
    { tools: "自有工具", mcp: "MCP 服务器" },
  ],
  extensionStates: [
    { used: "In use", off: "Off", waiting: "Waits for you", broken: "Not working" },
    { used: "使用中", off: "已关闭", waiting: "等待允许", broken: "无法使用" },
  ],
});
