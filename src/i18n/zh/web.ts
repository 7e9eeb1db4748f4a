// 终端里关于浏览器页面的话。
import { nanobot } from "../../lib/program-command.ts";
import type { englishWeb } from "../en/web.ts";

export const chineseWeb: typeof englishWeb = {
  usage: {
    command: "显示一个在浏览器里打开助手的链接",
    guest: "给这个名字的访客，访客只能看到自己的对话",
    open: "直接在这台机器的浏览器里打开",
    signOut: "让所有浏览器退出登录，或只让该访客的退出",
    topic: "管理程序用的令牌，而不是显示链接",
    tokenAction: "对令牌做什么（默认：list）",
    tokenWords: "令牌的名字；add 时后面再写它可以调用的操作",
  },
  token: {
    none: "还没有令牌。",
    added: (name, token) => `令牌“${name}”，只显示这一次：${token}`,
    mayCall: (operations) => `可以调用：${operations}`,
    row: (name, operations, created) => `${name}：${operations}（创建于 ${created}）`,
    removed: (name) => `令牌“${name}”已删除，不再有效。`,
    needsName: (command) => `哪个令牌？${command} <名字>`,
    needsOperations: (command) =>
      `叫什么名字，可以调用哪些操作？例如：${command} calendar jobs.list jobs.add`,
  },
  link: (url) => `请在浏览器里打开：${url}`,
  guestLink: (person, url) => `给 ${person}，请在浏览器里打开：${url}`,
  elsewhere: (url) => `从别处访问：${url}`,
  once: "链接只能用一次，十分钟内有效。",
  signedOut: (count) => `已让 ${count} 个浏览器退出登录。`,
  hint: `要在浏览器里打开的链接：${nanobot} web`,
  notOpened: (program) =>
    `${program} 无法在这里打开浏览器。请运行不带 --open 的 ${nanobot} web，再复制链接。`,
};
