// The sentences that are retold, in Chinese. The compiler keeps their shape equal to the English ones.
import type { englishSentences } from "../en/sentences.ts";
import { chineseWishes } from "./wishes.ts";

export const chineseSentences: typeof englishSentences = {
  around: {
    homeNotWritable: (home, code) =>
      `主目录 ${home} 无法写入（${code}）。请让它可写，或把 NANOBOT_HOME 设为可写的文件夹。`,
    notLockable: (path, reason) => `${path} 无法锁定（${reason}）。请删除它再试。`,
    sessionNotRead: (path, code) => `会话：${path} 无法读取（${code}）。`,
    sessionNotWritten: (path, code) => `会话：${path} 无法写入（${code}）。`,
    sessionNotMoved: (path, code) => `会话：${path} 无法接管（${code}）。`,
    sessionNoFile: (path) => `${path} 不是文件，因此无法读取其中的会话。请把它移走，重新开始。`,
    fileNotWritten: (path, code) => `文件 ${path} 无法写入（${code}）。`,
    stateNotOpened: (path, reason) => `${path} 无法使用（${reason}）。请检查磁盘、剩余空间和文件的所有者。`,
    homeGone: "助手的文件夹在运行期间被删除或移走了，因此什么都无法保存。",
    staysAsItIs: "其中的内容保持不变。",
    checkOwner: "请检查它和所在的文件夹是否属于你。",
    freeSpace: "请腾出一些磁盘空间再试。",
    freeQuota: "请在配额内腾出一些空间再试。",
    readOnly: "磁盘是只读的：请让它可写，或把 NANOBOT_HOME 设为可写的文件夹。",
    folderInTheWay: "有文件夹占用了这个文件名：请把它移走。",
    brokenLink: "它的链接指向不存在的地方：请删除它。",
    tooManyFiles: "打开的文件太多：请提高上限（ulimit -n）。",
    checkDisk: "请检查磁盘，或把它移走，重新开始。",
  },

  wishes: chineseWishes,
};
