// The sentences that are retold, in Chinese. The compiler keeps their shape equal to the English ones.
import { nanobot } from "../../lib/program-command.ts";
import type { englishSentences } from "../en/sentences.ts";
import { chineseCommands } from "./commands.ts";
import { chineseGuards } from "./guards.ts";
import { chineseWishes } from "./wishes.ts";

export const chineseSentences: typeof englishSentences = {
  model: {
    authentication: (host, note) =>
      `${host} 不接受这个 API 密钥${note}。请检查密钥：在浏览器的“设置”里、在 config.json 里，或运行 ${nanobot} onboard。`,
    permission: (host, note) => `${host} 不允许用这个密钥这样做${note}。请检查密钥的权限，或换一个模型。`,
    quota: (host, note) => `${host} 表示余额或额度已用完${note}。请到那里充值，或换一个模型。`,
    "rate-limit": (host, note) => `${host} 正在限制请求频率${note}。请稍等片刻再试。`,
    overloaded: (host, note) => `${host} 目前负载过高${note}。请稍后再试，或换一个模型。`,
    server: (host, note) => `${host} 没能回答${note}。请稍后再试；如果一直这样，请查看服务商的状态页。`,
    connection: (host, note) => `${host} 无法连接，或连接中断${note}。请检查网络、代理和 apiBase。`,
    timeout: (host, note) => `${host} 太久没有回答${note}。请再试一次，或换一个更快的模型。`,
    idle: (host, note) => `${host} 在回答中途停止了发送${note}。请再试一次。`,
    "context-overflow": (host, note) => `${host} 表示对话对这个模型来说太长${note}。请用 /new 重新开始。`,
    "content-filter": (host, note) => `${host} 的内容过滤器拒绝了这段内容${note}。请换个说法，或换一个模型。`,
    "not-found": (host, note) => `${host} 不认识这个模型或地址${note}。请检查模型名称和 apiBase。`,
    "invalid-request": (host, note) => `${host} 拒绝了这个请求${note}。请检查 config.json 里的模型设置。`,
    budget: (host, note) => `${host} 的预算没有了${note}。请在 config.json 的 budget 里调高，或者等一等。`,
    "unsupported-image": (host, note) => `${host} 的这个模型不接受这张图片${note}。请选择能看图片的模型。`,
    unknown: (host, note) => `${host} 无法使用${note}。请检查 apiBase 和网络。`,
  },

  around: {
    budgetUsed: (what, how) =>
      `${toPeriod(what)}的预算已用完：${toAmount(how)}。请在 config.json 的 \`budget\` 里调高，或者等一等。`,
    budgetUnknown: (what) =>
      `${toPeriod(what)}的预算引用了没有设置的环境变量，所以不能产生任何花费。doctor 命令会指出是哪一个。`,
    budgetNear: (what, how) => `${toPeriod(what)}的预算快用完了：${toAmount(how)}。`,
    notRunning: (host, detail) => `本机的 ${host} 没有应答（${detail}）。请启动它，或检查它的 apiBase。`,
    asksToWait: (minutes) => `它要求等待 ${minutes} 分钟。`,
    asksToWaitHours: (hours) => `它要求等待 ${hours} 小时。`,
    stillWaiting: (host) => `仍在等待 ${host}。发送 /stop 可放弃。`,
    endless: (host, what) =>
      `${host} 发来的内容超出了一次回答的上限（${what}），已被截断。请一次少要一些，或换一个模型。`,
    gaveUp: (host, seconds) =>
      `${host} 在 ${seconds} 秒内没有给出回答，已不再等待。请稍后再试，或换一个模型；等待时间由 agents.defaults.modelPatienceSeconds 设定。`,
    lockedBy: (pid, purpose, since, home) =>
      `另一个 nanobot（进程 ${pid}，${purpose}，自 ${since} 起）正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
    locked: (home) => `另一个 nanobot 正在使用 ${home}。请等它完成，或结束那个进程，然后再试。`,
    spared: (host, seconds) => `${host} 连续多次失败，暂停使用 ${seconds} 秒。`,
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

  guards: { ...chineseGuards, ...chineseCommands },
};

/** Whose budget, and of which time: `"cron" today`. */
function toPeriod(what: string): string {
  return what
    .replace(/^this turn$/, "本回合")
    .replace(/^(.*?)\s*\btoday$/, "$1今天")
    .replace(/^(.*?)\s*\bthis month$/, "$1本月")
    .replace(/^"(.*)"/, "“$1”");
}

/** `2200 of 2000 tokens` */
function toAmount(how: string): string {
  return how.replace(/^(\S+) of (\S+?)( tokens)?$/, "$1，上限 $2$3").replace(/ tokens$/, " token");
}
