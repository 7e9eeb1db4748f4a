// What is said about the sandbox of commands, in Chinese.
import type { Words } from "../words.ts";

export const chineseSandbox: Words["sandbox"] = {
  title: "沙箱",
  bubblewrap: "已启用（bubblewrap）：命令只能看到工作区和系统文件，未经允许不能联网",
  seatbelt: "已启用（Seatbelt）：命令只能看到工作区和系统文件，未经允许不能联网",
  off: "已关闭（tools.exec.sandbox 为 off）：获准的命令以你的权限运行",
  missing: "没有：未安装 bwrap。请安装软件包 bubblewrap，例如：sudo apt install bubblewrap",
  unsupported: "此系统没有沙箱：获准的命令以你的权限运行",
  forbidden: (detail) => `没有：已安装 bwrap，但系统不允许它运行（${detail}）`,
  required: "没有沙箱就不运行任何命令（tools.exec.sandbox 为 required）。",
};
