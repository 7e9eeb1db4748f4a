// MCP servers: why one cannot be used, and what cannot be done with them, in Chinese.
import type { mcpPhrases as english } from "../../en/phrases/mcp.ts";

export const mcpPhrases: typeof english = {
  "mcp.no-target": "它既没有 command 也没有 url",
  "mcp.bad-address": "它的 url 不是以 http:// 或 https:// 开头的地址",
  "mcp.oauth": "不支持用浏览器登录（auth: oauth）；请把令牌写进它的 headers",
  "mcp.no-program": ({ program }) => `找不到程序 ${program}；请安装它，或写出完整路径`,
  "mcp.not-started": ({ program, errno }) => `无法启动程序 ${program}（${errno}）；请检查它的权限`,
  "mcp.no-folder": ({ folder }) => `它的文件夹 ${folder} 不存在`,
  "mcp.ended": ({ exitCode, signal, lastLine = "" }) => {
    const how = signal ?? (exitCode === undefined ? "" : `退出码 ${exitCode}`);
    return ["它自己结束了", [how, lastLine].filter(Boolean).join("，")].filter(Boolean).join("：");
  },
  "mcp.no-answer": ({ seconds }) => (seconds === undefined ? "它没有回应" : `它在 ${seconds} 秒内没有回应`),
  "mcp.unreachable": ({ errno }) => `无法连到它（${errno}）；请检查它的 url 和网络`,
  "mcp.refused": ({ status }) => `它拒绝了我们（${status}）；请检查 headers 里的令牌`,
  "mcp.redirected": ({ status }) => `它让我们转到另一个地址（${status}），不会跟去；若信任新地址，请直接写它`,
  "mcp.status": ({ status }) => `它以 HTTP 状态 ${status} 回应`,
  "mcp.too-large": ({ megabytes }) => `它一次发来超过 ${megabytes} MB，已被结束`,
  "mcp.failed": ({ reason }) => reason,
  "mcp.asks": ({ server }) => `${server} 想问你：`,
  "mcp.option": ({ label }) => label,
  "mcp.refuse": "不回答",
  "mcp.unknown": ({ name, nearest }, { program }) =>
    `没有名为“${name}”的 MCP 服务器。${nearest === undefined ? `查看：${program} mcp list` : `你是指“${nearest}”吗？`}`,
  "mcp.exists": ({ name }) => `已经有名为“${name}”的 MCP 服务器。请先移除它，或换一个名称。`,
  "mcp.not-servers":
    '这不是 MCP 服务器的列表。请给出形如 {"mcpServers": {"名称": {"command": "..."}}} 的 JSON；只有一个服务器时需要给出名称。',
};
