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
  needsName: (action) => `请给出文件：${nanobot} tools ${action} <文件>`,
  covers: "它将以你的全部权限运行。你所允许的内容如下，直到其中任何一个文件改动：",
  allowed: (file) => `已允许“${file}”。`,
  removed: (file) => `不再允许“${file}”。文件本身保留。`,
};
