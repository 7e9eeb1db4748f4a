// What is wrong with a file, in Chinese.
import type { filePhrases as english } from "../../en/phrases/files.ts";

export const filePhrases: typeof english = {
  "file.is-folder": ({ file }) => `${file} 是文件夹，这里应该是文件。`,
  "file.not-regular": ({ file }) => `${file} 不是普通文件。`,
  "file.broken-link": ({ file }) => `${file} 是链接，但它指向的文件不存在。`,
  "file.too-large": ({ file, megabytes }) => `${file} 超过了 ${megabytes} MB。`,
  "file.unreadable": ({ file, errno }) => `${file} 无法读取（${errno}）。请检查它的所有者和权限。`,
  "file.not-utf8": ({ file }) => `${file} 不是 UTF-8 文本，请存为 UTF-8。`,
  "file.not-object": ({ file }) => `${file} 的内容必须是一个写在 { } 里的 JSON 对象。`,
  "file.too-deep": ({ file, levels }) => `${file} 的嵌套超过了 ${levels} 层。`,
  "file.bad-json": ({ file, line, column, reason }, { say }) =>
    `${file} 不是有效的 JSON（第 ${line} 行，第 ${column} 列）：${say(reason)}`,
  "file.outside": ({ file }) => `${file} 在工作区之外。请用工作区里的路径。`,
  "file.kept": ({ file, place }) => `${file} 在 ${place} 里，那是助手自己保留的。请换一个路径。`,
  "file.missing": ({ file }) => `${file} 不存在。`,
  "file.denied": ({ file }) => `没有使用 ${file} 的权限。请修改它的权限，或换一个路径。`,
  "file.disk-full": ({ file }) => `磁盘已满，没有写入 ${file}。请腾出一些空间。`,
  "file.unreachable": ({ file }) => `${file} 所在的磁盘没有响应。请检查它。`,
  "file.busy": ({ file }) => `${file} 正在使用中。请重试。`,
  "file.unusable": ({ file }) => `${file} 不能用作路径。`,
  "file.would-be-too-large": ({ file, megabytes }) =>
    `${file} 会超过 ${megabytes} MB，所以没有做任何更改。请先删除其中的一部分内容。`,

  "json.comment": "JSON 里不能写注释，请删掉这一条。",
  "json.quotes": '文本要放在直双引号 (") 里。',
  "json.extra-comma": "前面多了一个逗号或冒号。",
  "json.open-text": "有一段文本没有在本行结束，或者转义写错了。",
  "json.no-colon": "键后面缺少冒号。",
  "json.no-comma": "前面缺少逗号或右括号。",
  "json.after-end": "结尾之后还有内容。",
  "json.no-key": "这里应该是双引号里的键。",
  "json.no-value": "这里应该是一个值。",
  "json.empty": "文件是空的。",
  "json.cut-short": ({ bracket }) => `文件不完整，缺少 ${bracket}。`,
};
