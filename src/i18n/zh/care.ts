// 照看主目录的命令所说的话：体检、备份、恢复。
import { nanobot } from "../../lib/program-command.ts";
import type { englishCare } from "../en/care.ts";

export const chineseCare: typeof englishCare = {
  usage: {
    doctor: "检查哪里有问题，并说明怎样解决",
    backup: "把助手的一切放进一个文件",
    backupFile: "要写的文件（默认：当前目录的 nanobot-<时间>.tar.gz）",
    restore: "恢复备份里的内容；现有的会另外保留",
    restoreFile: "一个备份",
    yes: "不询问",
  },
  states: { ok: "正常", warning: "注意", bad: "有误" },
  subjects: {
    config: "配置",
    model: "模型",
    sandbox: "沙箱",
    channels: "渠道",
    disk: "磁盘",
    files: "文件",
    clock: "时钟",
    state: "状态",
    memory: "记忆",
    gateway: "网关",
  },
  memorySorted: (count, when) =>
    `${when}：早期版本把 ${count} 条摘要放进了别人或其他群组的记忆，已移到正确的位置。`,
  noHome: (home) => `${home} 还不存在；第一次启动时会创建。`,
  keyMissing: (host) => `缺少 ${host} 的密钥。请运行：${nanobot} onboard`,
  diskFree: (megabytes) => `剩余 ${megabytes} MB。`,
  diskFull: (megabytes) => `只剩 ${megabytes} MB。请腾出空间，否则无法保存新内容。`,
  tooOpen: (path, command) => `这台机器上的其他人能读 ${path}。请运行：${command}`,
  closed: "私人内容别人读不到。",
  clockBehind: (now) => `显示的是 ${now}，但助手有些文件的时间更晚。请把系统时钟调准。`,
  stateDamaged: (path) =>
    `${path} 已损坏。下次启动会把它改名保留，并带上其中还能读的内容，先是排队的消息。对话和记忆不在里面。`,
  waiting: (count) => `有 ${count} 条消息等待发送。请看：${nanobot} outbox list`,
  backedUp: (path, files, megabytes) =>
    `${path}：${files} 个文件，${megabytes} MB，已重新读过，确认完整。里面有你的密钥，请妥善保管。`,
  notWhole: (path) => `${path} 不是完整的 nanobot 备份。什么都没有改；请换一个备份。`,
  taken: (path) => `${path} 已经存在。请换个名字，或先删掉它。`,
  leftOut: (name) => `没有放进去，因为是链接或太大：${name}`,
  askRestore: (home, files) => `把 ${files} 个文件恢复到 ${home}？`,
  askReplace: (home, files) => `用备份里的 ${files} 个文件替换 ${home}？现有的会换个名字保留。`,
  notRestored: "什么都没有改。请回答 yes，或加上 --yes。",
  restored: (home, files) => `${files} 个文件已恢复到 ${home}。`,
  keptAside: (path) => `之前的内容在 ${path}；确认无误后可以删除。`,
};
