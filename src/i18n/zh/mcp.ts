// What the terminal says about MCP servers, in Chinese.
import { nanobot } from "../../lib/program-command.ts";
import type { englishMcp } from "../en/mcp.ts";

export const chineseMcp: typeof englishMcp = {
  usage: {
    command: "列出、添加、移除和测试 MCP 服务器；助手可以使用它们的工具",
    action: "要做什么（默认：list）",
    name: "服务器的名称；add 时也可以是存有其他客户端 mcpServers 的文件，或用 - 表示标准输入",
    words: "写在 -- 之后：作为服务器的程序及其参数",
    url: "在别处运行的服务器的地址",
    header: "每次请求都带上的请求头；可以多次给出",
    env: "程序的环境变量；可以多次给出",
    noTest: "不试连服务器",
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
  ignored: (keys) => `这里不认识、已略去：${keys}`,
  removed: (name) => `“${name}”已移除。`,
  connected: (name, ms, count) => `${name}：用 ${ms} 毫秒连上，${count} 个工具`,
  failed: (name, reason) => `${name}：${reason}`,
  status: "MCP 服务器",
};
