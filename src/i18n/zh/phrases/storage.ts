// 助手的文件夹或文件出了什么问题。
import type { storagePhrases as english } from "../../en/phrases/storage.ts";

const advice: Record<string, string> = {
  EACCES: "请检查它和所在的文件夹是否属于你。",
  EPERM: "请检查它和所在的文件夹是否属于你。",
  ENOSPC: "请腾出一些磁盘空间再试。",
  EDQUOT: "磁盘配额已用完：请腾出一些空间再试。",
  EROFS: "磁盘是只读的：请让它可写，或把 NANOBOT_HOME 设为另一个文件夹。",
  EISDIR: "有别的东西占用了这个文件名：请把它移走。",
  ELOOP: "它是一个失效的链接：请删除它。",
  EMFILE: "打开的文件太多：请提高上限（ulimit -n）。",
};

function adviceFor(errno: string): string {
  return advice[errno] ?? "请检查磁盘，或把文件移走，从头开始。";
}

export const storagePhrases: typeof english = {
  "storage.locked": ({ home }) => `另一个 nanobot 正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.locked-by": ({ home, pid, purpose, since }) =>
    `另一个 nanobot（进程 ${pid}，${purpose}，自 ${since} 起）正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
  "storage.lock-unusable": ({ path, quote }) => `${path} 无法锁定（${quote}）。请删除它再试。`,
  "storage.home-unwritable": ({ home, errno }) =>
    `文件夹 ${home} 无法写入（${errno}）。请让它可写，或把 NANOBOT_HOME 设为另一个文件夹。`,
  "storage.newer": ({ path, version }) =>
    `${path} 是更新版本的 nanobot 创建的（版本 ${version}）。请使用那个版本，或把文件移走。`,
  "storage.database-unusable": ({ path, quote }) =>
    `${path} 无法使用（${quote}）。请检查磁盘、剩余空间和文件的所有者。`,
  "storage.session-read": ({ path, errno }) =>
    `无法读取 ${path} 里的对话（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.session-write": ({ path, errno }) =>
    `无法保存 ${path} 里的对话（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.session-move": ({ path, errno }) =>
    `无法把 ${path} 里的对话移到新位置（${errno}）。${adviceFor(errno)}其中的内容没有改动。`,
  "storage.file-read": ({ path, errno }) => `文件 ${path} 无法读取（${errno}）。${adviceFor(errno)}`,
  "storage.file-write": ({ path, errno }) => `文件 ${path} 无法写入（${errno}）。${adviceFor(errno)}`,
  "storage.file-move": ({ path, errno }) => `文件 ${path} 无法移动（${errno}）。${adviceFor(errno)}`,
  "storage.not-plain": ({ path }) => `${path} 是链接，或者不是应有的文件。请把它移走再试。`,
  "storage.changed-while-copied": ({ path }) => `${path} 在复制时被改动了，请再试一次。`,
  "storage.sessions-unplaced": ({ workspace, path }) =>
    `无法为 ${workspace} 的对话选定文件夹。请删除 ${path} 再试。`,
  "storage.sessions-in-workspace": ({ folder, workspace }) =>
    `对话会保存在 ${folder}，它在工作区 ${workspace} 之内，工具可以改动。请换一个工作区，或把 NANOBOT_HOME 设为另一个文件夹。`,
  "storage.disk": ({ errno }) => `磁盘无法使用（${errno}）。${adviceFor(errno)}`,
  "storage.missing": ({ path }) => `${path} 不存在。`,
  "storage.unusable": ({ path, errno }) => `${path} 无法使用（${errno}）。请检查它的所有者、权限和磁盘。`,
  "durability.lost": "这个助手现在由另一台机器运行，本机已经停止。",
  "durability.unavailable": "暂时连不上保存这个助手的数据库，nanobot 会自动重试。",
  "durability.quota": "这个助手的空间已经用完。请从工作区删除一些文件，或申请更多空间。",
};
