// Texts of signing in.
import { catalogue } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  title: ["Sign in", "登录"],
  about: [
    "This page is for the owner of this assistant and invited guests.",
    "此页面仅供这个助手的主人和受邀的访客使用。",
  ],
  onMachine: ["On the computer where nanobot runs, type:", "在运行 nanobot 的电脑上输入："],
  inFolder: [
    "On the computer where nanobot runs, in its folder, type:",
    "在运行 nanobot 的电脑上，进入它的文件夹后输入：",
  ],
  thenOpen: [
    "Then open the printed link, or paste it here:",
    "然后打开它显示的链接，也可以把链接粘贴到这里：",
  ],
  show: ["Show a new link in the terminal", "在终端里显示新链接"],
  shown: [
    "Done. Look at the terminal window where nanobot runs, and open the link there.",
    "已显示。请到运行 nanobot 的终端窗口，打开那里的链接。",
  ],
  noTerminal: [
    "nanobot runs in the background here, without a terminal window. Use the command above.",
    "nanobot 在后台运行，没有终端窗口。请使用上面的命令。",
  ],
  spent: ["This link does not work any more", "这个链接已经失效"],
  link: ["Link, token or API key", "链接、令牌或 API 密钥"],
  enter: ["Sign in", "登录"],
  wrong: [
    "It was used already, is older than ten minutes, or is incomplete. Get a new one below.",
    "它已经用过、超过了十分钟，或者不完整。请用下面的方法获取新的链接。",
  ],
  often: ["Too many attempts. Try again in a minute.", "尝试次数过多，请一分钟后再试。"],
  unreachable: [
    "nanobot does not respond. Check that it is running.",
    "nanobot 没有回应，请检查它是否在运行。",
  ],
});
