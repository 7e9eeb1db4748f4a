// What the terminal says about one's own tools, in Chinese.
import { nanobot } from "../../lib/program-command.ts";
import type { englishTools } from "../en/tools.ts";

export const chineseTools: typeof englishTools = {
  usage: {
    command: "列出你自己的工具，允许或不再允许使用",
    action: "要做什么（默认：list）",
    name: "主目录下 tools 文件夹里的文件",
    yes: "直接允许，不再询问",
  },
  title: "自己的工具",
  none: (folder) => `${folder} 里还没有你自己的工具。写法见 docs/adding-a-tool.md`,
  states: { allowed: "已允许", new: "未允许", changed: "已改动", refused: "不接受", broken: "有错误" },
  isNew: (file) => `未使用；看过之后：${nanobot} tools allow ${file}`,
  isChanged: (file) => `允许之后又有改动，因此未使用；看过之后：${nanobot} tools allow ${file}`,
  problems: {
    "not-a-file": (file) => `${file} 是链接或不是文件；请把文件本身放进去`,
    owner: (path) => `${path} 属于其他用户；请用 chown 改成你的`,
    writable: (path) => `其他人可以写 ${path}；请禁止：chmod go-w`,
    missing: (file) => `它导入的 ${file} 不存在；请写全名，例如 ./x.ts`,
    unreadable: (file) => `无法读取 ${file}；请检查权限`,
    ending: (file) => `它导入了 ${file}；只接受 .ts、.mts、.js、.mjs 和 .json`,
    "too-large": (file) => `加上 ${file} 超过了 50 个文件或 2 MB`,
    outside: (target) => `它导入的 ${target} 在文件夹之外；请把文件复制进来`,
    package: (target) => `它导入了软件包 ${target}；只接受 "nanobot"、Node 自带的模块和本文件夹里的文件`,
    "in-workspace": (folder) => `${folder} 在工作区里，助手可以改写它；请换一个工作区`,
    failed: (reason) => `无法加载：${reason}`,
    "no-export": (file) => `${file} 没有导出工具；请导出 defineTool 的返回值`,
    "bad-name": (name) => `“${name}”不能作为工具名；请用字母、数字、_ 和 -，最多 64 个，不以 mcp_ 开头`,
    taken: (name) => `已经有名为“${name}”的工具；请换一个名称`,
    "too-long": (name) => `“${name}”的说明和参数在每次请求里占用超过 800 个 token；请缩短`,
  },
  unknown: (name, nearest) =>
    `你的工具里没有文件“${name}”。${nearest === undefined ? `请看：${nanobot} tools list` : `是否指“${nearest}”？`}`,
  needsName: (action) => `请给出文件：${nanobot} tools ${action} <文件>`,
  covers: "它将以你的全部权限运行。你所允许的内容如下，直到其中任何一个文件改动：",
  ask: (file) => `允许“${file}”？`,
  allowed: (file) => `已允许“${file}”。`,
  removed: (file) => `不再允许“${file}”。文件本身保留。`,
};
