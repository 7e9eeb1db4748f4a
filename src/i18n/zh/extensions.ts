// MCP servers, custom tools and channels, and skills, in Chinese.
import { nanobot } from "../../lib/program-command.ts";
import type { englishExtensions } from "../en/extensions.ts";

const tools: typeof englishExtensions.tools = {
  usage: {
    command: "列出自定义工具，允许或停用其中一个",
    action: "要做什么（默认：list）",
    name: "主目录下 tools 文件夹里的文件",
    yes: "直接允许，不再询问",
  },
  title: "自定义工具",
  none: (folder) => `${folder} 里还没有自定义工具。写法见 docs/adding-a-tool.md`,
  states: { allowed: "已允许", new: "未允许", changed: "已改动", refused: "不接受", broken: "有错误" },
  needsName: (action) => `请给出文件：${nanobot} tools ${action} <文件>`,
  covers: "它将以你的全部权限运行。你所允许的内容如下，直到其中任何一个文件改动：",
  allowed: (file) => `已允许“${file}”。`,
  removed: (file) => `不再允许“${file}”。文件本身保留。`,
};

export const chineseExtensions: typeof englishExtensions = {
  mcp: {
    usage: {
      command: "列出、添加、移除和测试 MCP 服务器；助手可以使用它们的工具",
      action: "要做什么（默认：list）",
      name: "服务器的名称；add 时也可以是存有其他客户端 mcpServers 的文件，或用 - 表示标准输入",
      words: "写在 -- 之后：作为服务器的程序及其参数",
      url: "在别处运行的服务器的地址",
      header: "每次请求都带上的请求头；可以多次给出",
      env: "程序的环境变量；可以多次给出",
      noTest: "不测试服务器",
    },
    transports: { stdio: "程序", http: "HTTP", sse: "HTTP（旧）" },
    none: `还没有 MCP 服务器。添加一个：${nanobot} mcp add <名称> -- <程序> <参数>`,
    unseen: "尚未连接过",
    disabled: "已停用",
    offered: (count, when) => `${count} 个工具，${when}见过`,
    needsName: (action) => `请给出服务器名称：${nanobot} mcp ${action} <名称>`,
    needsTarget: `请说明要添加什么：${nanobot} mcp add <名称> -- <程序> <参数>，或 <名称> --url <地址>，或一个存有 mcpServers 的文件`,
    notAPair: (given) => `“${given}”不是一对名称和值。请写成 名称=值。`,
    added: (names, path) => `已添加到 ${path}：${names}`,
    ignored: (keys) => `不支持，已略去：${keys}`,
    removed: (name) => `“${name}”已移除。`,
    connected: (name, ms, count) => `${name}：用 ${ms} 毫秒连上，${count} 个工具`,
    failed: (name, reason) => `${name}：${reason}`,
    status: "MCP 服务器",
  },

  tools,

  channels: {
    ...tools,
    platforms: {
      isOn: "已启用",
      isOff: "未启用",
      setUp: (command) => `在“渠道”页面设置（${command}），或写在 config.json 的 channels 里。`,
    },
    usage: {
      command: "列出自定义渠道，允许或停用其中一个",
      action: "要做什么（默认：list）",
      name: "主目录下 channels 文件夹里的文件或文件夹",
      yes: "直接允许，不再询问",
    },
    title: "自定义渠道",
    none: (folder) => `${folder} 里还没有自定义渠道。写法见 docs/adding-a-channel.md`,
    needsName: (action) => `请给出文件：${nanobot} channels ${action} <文件>`,
    allowed: (file) =>
      `已允许“${file}”。在 config.json 的 channels 下把它的 "enabled" 设为 true，它就会随网关启动。`,
    removed: (file) => `已停用“${file}”，从网关下次启动起生效。文件本身保留。`,
  },

  skills: {
    states: { ready: "可用", always: "始终启用", off: "已关闭", blocked: "已拦截", unusable: "不可用" },
    sources: {
      workspace: "工作区",
      user: "主目录",
      agents: "~/.agents",
      directory: "附加目录",
      "built-in": "内置",
    },
    needsTarget: (action) => `请写明对象：${nanobot} skills ${action} <……>`,
    needsYes: "这里没有人可以确认。如果确定，请加上 --yes。",
    severalInside: (names) => `有多个技能，或没有这个名称的技能。请用 --name 选择：${names}`,
    wouldCopy: (count, folder) => `将复制到 ${folder} 的文件数：${count}`,
    nothingFound: "没有发现可疑内容。",
    found: "可疑内容：",
    replaces: "它将取代现有的同名技能。变化如下：",
    addFlagged: "没有添加。如果你已经读过并信任它，请加上 --allow-flagged。",
    askAdd: (name) => `添加“${name}”吗？`,
    askAllow: (name) => `按现在的内容使用“${name}”吗？`,
    askRemove: (folder) => `删除 ${folder} 吗？`,
    added: (name, folder) => `已把“${name}”添加到 ${folder}。`,
    removed: (name) => `已删除“${name}”。`,
    enabled: (name) => `已启用“${name}”。`,
    disabled: (name) => `已关闭“${name}”。`,
    allowed: (name) => `“${name}”可以使用，直到其中有文件改变。`,
    notOurs: (folder) =>
      `${folder} 是 nanobot 自带的，或其他程序也在使用。请改为关闭该技能：${nanobot} skills disable`,
    checked: (name) => `“${name}”是一个合格的技能。`,
  },
};
