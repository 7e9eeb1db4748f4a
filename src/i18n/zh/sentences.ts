// The sentences that are retold, in Chinese. The compiler keeps their shape equal to the English ones.
import type { englishSentences } from "../en/sentences.ts";
import { chineseCommands } from "./commands.ts";
import { chineseGuards } from "./guards.ts";
import { chineseWishes } from "./wishes.ts";

/** What the config says of types, inside of other sentences. */
const nouns: Record<string, string> = {
  text: "文本",
  "a number": "数字",
  "a whole number": "整数",
  "a fraction": "小数",
  "true or false": "true 或 false",
  "a list": "列表",
  "an object": "对象",
  "text or an object": "文本或对象",
};

/** A remark in brackets may follow, such as where the value came from. */
function toNoun(text: string): string {
  const [, word = text, remark = ""] = /^(.*?)( \(.*)?$/.exec(text) ?? [];
  return `${nouns[word] ?? word}${remark}`;
}

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
    stateUnreadable: (code) => `无法读取（${code}）；请检查它的所有者和权限`,
    stateNotOpened: (path, reason) => `${path} 无法使用（${reason}）。请检查磁盘、剩余空间和文件的所有者。`,
    homeGone: "助手的文件夹在运行期间被删除或移走了，因此什么都无法保存。",
    stateLeft: "它保持原样。",
    stateTooLarge: (path, most) => `${path} 会超过 ${most} MB。没有做任何更改：请先删除其中的一部分。`,
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

  config: {
    lastGood: (config, copy) => `${config} 目前无法使用；nanobot 改用上一份可用的副本 ${copy}`,
    notKept: (copy, code) => `配置的副本 ${copy} 无法写入（${code}）`,
    unwritable: (config, code) => `${config} 无法写入（${code}）；请检查文件夹的所有者和剩余空间`,
    notMoved: (code, folder) => `无法移动或写入（${code}）；请检查 ${folder} 的所有者`,
    moved: (to, copy) => `已移到 ${to}；副本保存在 ${copy}`,
    replayed: (jobs, kept) =>
      `里面有 Python 原版尚未接管的任务（${jobs} 个）；现在已排入计划，文件保留为 ${kept}`,
    pythonGateway: (pid) =>
      `Python 原版的网关正在这个主目录上运行（进程 ${pid}）。请用它自己的 nanobot gateway stop 停止它，否则两者都会回答并写同样的文件`,
    unreadable: (code) => `无法读取（${code}）；请检查它的所有者和权限`,
    invalidJson: (line, column) => `不是有效的 JSON，第 ${line} 行第 ${column} 列：`,
    noComments: "JSON 里不能有注释；请删掉这一条",
    straightQuotes: '文本要放在直双引号 (") 里',
    commaTooMany: "前面多了一个逗号或冒号",
    textNotClosed: "有文本没有在本行结束，或转义写错",
    colonMissing: "键后面缺少冒号",
    commaMissing: "前面缺少逗号或右括号",
    afterEnd: "结尾之后还有内容",
    keyExpected: "这里应是双引号里的键",
    valueExpected: "这里应是一个值",
    empty: "文件是空的",
    endsEarly: (bracket) => `文件过早结束；缺少 ${bracket}`,
    notUtf8: "不是 UTF-8 文本；请存为 UTF-8",
    notAnObject: "必须是一个写在 { } 里的 JSON 对象",
    unknownKeyNear: (nearest) => `nanobot 不认识这个键，它不起作用；你是不是想写 ${nearest}？`,
    unknownKey: "nanobot 不认识这个键，它不起作用",
    doubleKey: (name) => `写了两次；使用的是 ${name}，请删掉另一个`,
    countsAsUnset: (variable) =>
      `是 Python 原版的默认值，不够安全，因此视为没有设置。如果确实想要，请删掉它，启动一次后再写上，或设置 ${variable}`,
    variableEmpty: (name) => `引用了没有设置的环境变量 ${name}；视为空`,
    variableNoBudget: (name) => `引用了没有设置的环境变量 ${name}；设置之前不能产生任何花费`,
    variableNoCommands: (name) => `引用了没有设置的环境变量 ${name}；设置之前不能运行命令`,
    variableMissing: (name) => `引用了没有设置的环境变量 ${name}；请设置它，或把值直接写在这里`,
    variableNoJson: (name) => `环境变量 ${name} 的内容必须是 JSON`,
    variableLeftOut: "；它不生效",
    notAPreset: "必须是 modelPresets 里某一项的名称",
    noTimezone: "必须是 IANA 时区，例如 Europe/Berlin 或 Asia/Shanghai",
    oneOf: (values) => `必须是以下之一：${values}`,
    notEmpty: "不能为空",
    atLeast: (least) => `不能小于 ${least}`,
    atMost: (most) => `不能大于 ${most}`,
    usesDefault: "；使用默认值",
    mustBe: (wanted, given) => `必须是${toNoun(wanted)}，而不是${toNoun(given)}`,
    missing: (wanted) => `缺少${toNoun(wanted)}`,
    moreLikeThese: (count) => `还有 ${count} 个类似的问题`,
  },

  wishes: chineseWishes,

  guards: { ...chineseGuards, ...chineseCommands },
};
