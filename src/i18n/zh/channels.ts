// What the terminal says about one's own channels, in Chinese: where it differs from what it says about tools.
import { nanobot } from "../../lib/program-command.ts";
import type { englishTools } from "../en/tools.ts";
import { chineseTools } from "./tools.ts";

export const chineseChannels: typeof englishTools = {
  ...chineseTools,
  usage: {
    command: "列出你自己的渠道，允许或停用",
    action: "要做什么（默认：list）",
    name: "主目录下 channels 文件夹里的文件或文件夹",
    yes: "直接允许，不再询问",
  },
  title: "自己的渠道",
  none: (folder) => `${folder} 里还没有你自己的渠道。写法见 docs/adding-a-channel.md`,
  needsName: (action) => `请给出文件：${nanobot} channels ${action} <文件>`,
  allowed: (file) =>
    `已允许“${file}”。在 config.json 的 channels 下把它的 "enabled" 设为 true，它就会随网关启动。`,
  removed: (file) => `已停用“${file}”，从网关下次启动起生效。文件本身保留。`,
};
