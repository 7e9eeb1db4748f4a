// Texts of the files page, of previews, and of files under an answer.
import { catalogue } from "./catalogue.ts";

export const { english, chinese } = catalogue({
  about: ["What you and the assistant keep in the workspace.", "你和助手保存在工作区里的文件。"],
  list: ["Files", "文件"],
  all: ["All files", "所有文件"],
  search: ["Search files by name", "按名称搜索文件"],
  upload: ["Upload", "上传"],
  dropHere: ["Drop files to add them here", "松开即可添加到这里"],
  added: [
    (count: number) => (count === 1 ? "1 file was added." : `${count} files were added.`),
    (count: number) => `已添加 ${count} 个文件。`,
  ],
  empty: ["Nothing here yet", "这里还没有文件"],
  emptyHint: [
    "Drop files here, or ask the assistant to write something.",
    "把文件拖到这里，或让助手写点什么。",
  ],
  more: ["Show more", "显示更多"],
  partial: ["There are very many files. Not all were searched.", "文件太多，没有全部搜索。"],
  options: [(name: string) => `Options for “${name}”`, (name: string) => `“${name}”的选项`],
  download: ["Download", "下载"],
  ask: ["Ask about this", "就此提问"],
  rename: ["Rename", "重命名"],
  name: ["Name", "名称"],
  remove: ["Delete", "删除"],
  removed: [(name: string) => `${name} was deleted.`, (name: string) => `已删除 ${name}。`],
  close: ["Close preview", "关闭预览"],
  noPreview: ["There is no preview for this kind of file.", "这种文件没有预览。"],
  cut: ["This file is long. Only its beginning is shown.", "文件很长，只显示开头部分。"],
  rows: [
    (shown: number, all: number) => `${shown} of ${all} rows`,
    (shown: number, all: number) => `${all} 行中的 ${shown} 行`,
  ],
  zoomIn: ["Zoom in", "放大"],
  zoomOut: ["Zoom out", "缩小"],
  frame: [(name: string) => `Preview of ${name}`, (name: string) => `${name} 的预览`],
  runScripts: ["Run its scripts", "运行其中的脚本"],
  scriptsHint: ["Shown without scripts and without access to the internet", "已停用脚本，且不能访问互联网"],
  source: ["Source", "源代码"],
  view: ["Preview", "预览"],
  diff: ["Changes", "改动"],
  noDiff: ["The changes cannot be shown.", "无法显示改动。"],
  kinds: {
    created: ["New", "新建"],
    changed: ["Changed", "已修改"],
    removed: ["Deleted", "已删除"],
  },
  ofTurn: ["Changes of this answer", "这个回答的改动"],
  undo: ["Undo changes", "撤销改动"],
  undone: [
    (count: number) => (count === 1 ? "1 file was put back." : `${count} files were put back.`),
    (count: number) => `已还原 ${count} 个文件。`,
  ],
  partlyUndone: [
    (count: number) =>
      `${count === 1 ? "1 file was" : `${count} files were`} changed since then and stay as they are.`,
    (count: number) => `有 ${count} 个文件之后又被改过，保持不变。`,
  ],
  isUndone: ["Undone", "已撤销"],
  lasting: [
    (path: string) => `${path} changed, and later chats start with it`,
    (path: string) => `${path} 有改动，之后的对话都以它开头`,
  ],
  planned: ["The schedule changed", "日程有改动"],
  jobsUndone: ["The schedule is as it was before.", "日程已恢复原样。"],
  others: [(count: number) => `and ${count} more`, (count: number) => `另有 ${count} 个`],
});
