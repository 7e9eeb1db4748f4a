// What is wrong with the config or worth knowing about it, in Chinese.
import type { configPhrases as english, ValueType } from "../../en/phrases/config.ts";

const types: Record<ValueType, string> = {
  text: "文本",
  number: "数字",
  integer: "整数",
  fraction: "小数",
  boolean: " true 或 false",
  list: "列表",
  object: "对象",
  "text-or-object": "文本或对象",
  null: " null",
  other: "其他内容",
};

const withoutVariable = {
  empty: "这项设置按空值处理。",
  "no-spending": "设置好之前不会有任何花费。",
  "no-commands": "设置好之前不能运行命令。",
  required: "请设置它，或者直接在这里写上值。",
};

export const configPhrases: typeof english = {
  "config.unsure": ({ paths }) => `这样改会放宽权限：${paths.join("、")}。确认无误请再保存一次。`,
  "config.last-good": ({ file, copy }) => `${file} 目前无法使用，nanobot 改用上一份可用的副本 ${copy}。`,
  "config.copy-not-written": ({ copy, errno }) => `配置的备份 ${copy} 无法写入（${errno}）。`,
  "config.not-written": ({ file, errno }) =>
    `${file} 无法写入（${errno}）。请检查文件夹的所有者和磁盘剩余空间。`,
  "config.not-moved": ({ folder, errno }) => `无法移动或写入（${errno}）。请检查 ${folder} 的所有者。`,
  "config.moved": ({ to, copy }) => `已移到 ${to}，副本保存在 ${copy}。`,
  "config.jobs-taken-over": ({ jobs, kept }) =>
    `Python 版还没有处理的 ${jobs} 个任务现在已经排好，原文件保留为 ${kept}。`,
  "config.triggers-taken-over": ({ count }) => `Python 版的 ${count} 个触发器在这里也能使用。`,
  "config.python-gateway": ({ pid }) =>
    `Python 版 nanobot 的网关正在使用这个主目录（进程 ${pid}）。请用它自己的命令 nanobot gateway stop 停止它，否则两边都会回复，还会写同样的文件。`,

  "config.unknown-key": ({ nearest }) =>
    `nanobot 不认识这个键，它不起作用。${nearest === undefined ? "" : `你是不是想写 ${nearest}？`}`,
  "config.double-key": ({ name }) => `写了两次，以 ${name} 为准，请删掉另一个。`,
  "config.unsafe-default": ({ variable }) =>
    `它没有这里的默认值安全，而 Python 版会把它写进每个文件，所以要等你确认才生效。请在聊天、终端或浏览器里发送 /confirm，或者设置 ${variable}。`,
  "config.nothing-to-confirm": ({ path }) => `${path} 不需要确认。`,
  "config.variable-not-set": ({ variable, effect }) =>
    `环境变量 ${variable} 没有设置。${withoutVariable[effect]}`,
  "config.variable-not-json": ({ variable, isIgnored }) =>
    `环境变量 ${variable} 的内容必须是 JSON。${isIgnored ? "它被忽略了。" : ""}`,

  "config.missing": ({ wanted }) => `必须填写，应为${types[wanted]}。`,
  "config.wrong-type": ({ wanted, given }) => `必须是${types[wanted]}，而不是${types[given]}。`,
  "config.one-of": ({ values }) => `必须是以下之一：${values.join("、")}。`,
  "config.empty": "不能为空。",
  "config.too-small": ({ bound, isInclusive, isCount }) =>
    `${isInclusive ? "不能少于" : "必须大于"} ${bound}${isCount ? " 项" : ""}。`,
  "config.too-big": ({ bound, isInclusive, isCount }) =>
    `${isInclusive ? "不能超过" : "必须小于"} ${bound}${isCount ? " 项" : ""}。`,
  "config.invalid": ({ quote }) => `这个值无效（“${quote}”）。`,
  "config.bad-url": "必须是网址，例如 https://example.com。",
  "config.not-a-preset": "必须是某个模型预设的名称。",
  "config.reserved-preset": "请换一个名称：“default”已被占用。",
  "config.bad-time-zone": "必须是时区，例如 Europe/Berlin 或 Asia/Shanghai。",
  "config.bad-language": "必须是语言代码，例如 en 或 zh。",
  "config.bad-target": "必须是 last，或者渠道加聊天，例如 telegram:42。",
  "config.internal-address": "这是内部地址或代理，这个助手的运营者不允许使用。",
  "config.bad-network": "必须是网段，例如 192.168.1.0/24 或 fd00::/8。",
  "config.uses-default": ({ reason }, { say }) => `${say(reason)}已改用默认值。`,
  "config.from-variable": ({ reason, variable }, { say }) => `${say(reason)}（由环境变量 ${variable} 设置）`,
  "config.at": ({ path, reason }, { say }) => (path === "" ? say(reason) : `${path}: ${say(reason)}`),
  "config.not-saved": "没有保存。请改正标出的设置。",
  "config.masked-moved": "隐藏的密钥不能移动，请重新输入。",
  "config.not-used": ({ reasons }, { say }) => `已经保存，但暂时无法使用。${reasons.map(say).join("")}`,
  "config.more": ({ count }) => `还有 ${count} 个类似的问题。`,
};
