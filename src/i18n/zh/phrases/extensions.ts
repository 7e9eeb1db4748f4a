// Custom tools and channels, and MCP servers: what they bring, or why they are not used, in Chinese. The model reads the reasons, too.
import type { extensionPhrases as english } from "../../en/phrases/extensions.ts";

export const extensionPhrases: typeof english = {
  "extensions.off": "已停用",
  "extensions.unseen": "尚未连接过",
  "extensions.offered": ({ count, seen }) => `${count} 个工具，${seen}见过`,
  "extensions.tools": ({ names }) => names.join("、"),
  "extensions.unknown": ({ of, name, nearest }, { program }) =>
    `你的${of === "tools" ? "工具" : "渠道"}里没有“${name}”。${nearest === undefined ? `查看：${program} ${of} list` : `你是不是想用“${nearest}”？`}`,
  "extensions.allow": ({ file }) => `允许“${file}”吗？`,
  "extensions.not-allowed": "没有允许它。",
  "extensions.new": ({ of, subject }, { program }) =>
    `还没有使用。看过之后允许它：${program} ${of} allow ${subject}`,
  "extensions.changed": ({ of, subject }, { program }) =>
    `允许之后又有改动，所以没有使用。看过之后重新允许：${program} ${of} allow ${subject}`,
  "extensions.not-a-file": ({ subject }) => `${subject} 是链接或不是文件，请把文件本身放进去。`,
  "extensions.owner": ({ subject }) => `${subject} 属于其他用户，请用 chown 改成你的。`,
  "extensions.writable": ({ subject }) => `其他用户可以改写 ${subject}，请禁止：chmod go-w ${subject}`,
  "extensions.missing": ({ subject }) => `它导入的 ${subject} 不存在，请写全名，例如 ./x.ts。`,
  "extensions.unreadable": ({ subject }) => `无法读取 ${subject}，请检查权限。`,
  "extensions.ending": ({ subject }) => `它导入了 ${subject}，只支持 .ts、.mts、.js、.mjs 和 .json。`,
  "extensions.too-large": ({ subject }) => `加上 ${subject}，超过了 50 个文件或 2 MB。`,
  "extensions.outside": ({ subject }) => `它导入的 ${subject} 在文件夹之外，请把那个文件复制进来。`,
  "extensions.package": ({ subject }) =>
    `它导入了软件包 ${subject}，只支持 "nanobot"、Node 自带的模块和本文件夹里的文件。`,
  "extensions.in-workspace": ({ subject }) => `${subject} 在工作区里，助手可以改写它，请换一个工作区。`,
  "extensions.failed": ({ quote }) => `无法加载：“${quote}”`,
  "extensions.too-slow": ({ subject }) => `无法加载：${subject} 秒后仍未完成。`,
  "extensions.not-covered": ({ subject }) =>
    `无法加载：它导入了“${subject}”，但这个文件没有一起得到允许。请把文件名直接写在 import 里。`,
  "extensions.no-export": ({ of, subject }) =>
    of === "tools"
      ? `${subject} 没有导出工具，请导出 defineTool 的返回值。`
      : `${subject} 没有导出恰好一个渠道，请导出 defineChannel 的返回值，只导出一次。`,
  "extensions.bad-name": ({ of, subject }) =>
    of === "tools"
      ? `“${subject}”不能作为工具名，请用字母、数字、_ 和 -，最多 64 个，不以 mcp_ 开头。`
      : `“${subject}”不能作为渠道名，文件名请用小写字母、数字、_ 和 -，最多 32 个。`,
  "extensions.taken": ({ of, subject }) =>
    of === "tools"
      ? `已经有名为“${subject}”的工具，请换一个名称。`
      : `名称“${subject}”已被占用，请给文件换一个名称。`,
  "extensions.too-long": ({ subject }) =>
    `“${subject}”的说明和参数在每次请求里占用超过 800 个 token，请缩短。`,

  "mcp.no-target": "它既没有 command 也没有 url",
  "mcp.bad-address": "它的 url 不是以 http:// 或 https:// 开头的地址",
  "mcp.sign-in": ({ server }, { program }) => `需要先登录：${program} mcp login ${server}`,
  "mcp.more-rights": ({ server, scope }, { program }) =>
    `它需要更多权限${scope === "" ? "" : `（${scope}）`}；请重新登录并授权：${program} mcp login ${server}`,
  "mcp.sign-in-blocked":
    "它的登录地址不是公网地址，或不是网页，所以没有打开。如果确实要用，请把该网段加入 tools.ssrfWhitelist",
  "mcp.sign-in-unreachable": "无法连到登录服务；请稍后再试",
  "mcp.sign-in-failed": ({ reason }) => `登录失败${reason === "" ? "" : `（${reason}）`}；请再试一次`,
  "mcp.sign-in-refused": ({ reason }) => `登录被拒绝（${reason}）`,
  "mcp.sign-in-over": "这次登录已失效，或从未开始；请重新开始",
  "mcp.no-sign-in": ({ name }) => `“${name}”不通过网络访问，或在 headers 里已有令牌，无需登录。`,
  "mcp.not-redirected": "这不是浏览器最后停留的地址。请完整复制，其中应含有 state= 和 code=。",
  "mcp.sign-in-problem": ({ name, reason }, { say }) => `${name}：${say(reason)}`,
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
  "mcp.use-default": ({ label }) => `使用：${label}`,
  "mcp.use-defaults": "使用建议的值",
  "mcp.skip-field": "留空",
  "mcp.opened": "我已打开",
  "mcp.unknown": ({ name, nearest }, { program }) =>
    `没有名为“${name}”的 MCP 服务器。${nearest === undefined ? `查看：${program} mcp list` : `你是不是想用“${nearest}”？`}`,
  "mcp.exists": ({ name }) => `已经有名为“${name}”的 MCP 服务器。请先移除它，或换一个名称。`,
  "mcp.unknown-preset": ({ name, known }) => `没有名为“${name}”的预设。可用的有：${known}。`,
  "mcp.preset-needs": ({ name, variables }) =>
    `“${name}”需要还没有设置的环境变量：${variables}。请在启动 nanobot 的环境里设置它们，再添加一次。`,
  "mcp.not-servers":
    '这不是 MCP 服务器的列表。请给出形如 {"mcpServers": {"名称": {"command": "..."}}} 的 JSON；只有一个服务器时需要给出名称。',
};
