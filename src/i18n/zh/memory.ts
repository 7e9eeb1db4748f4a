// What is said about memory itself, in Chinese. The compiler keeps its shape equal to the English one.
import type { englishMemory } from "../en/memory.ts";

export const chineseMemory: typeof englishMemory = {
  needsWords: (command) => `要找什么？${command} <词>`,
  nothingFound: "没有找到。换几个词，或少用几个词再试。",
  roles: {
    user: "你",
    assistant: "助手",
    tool: "工具",
    history: "摘要",
    note: "笔记",
    memory: "记忆",
    document: "文档",
  },

  versions: {
    kinds: { start: "留存原样", dream: "整理", edit: "编辑", restore: "撤销", forget: "遗忘" },
    none: "还没有记录过记忆文件的改动。",
    noDream: "整理还没有改动过任何内容。",
    howToRestore: (command) => `要撤销其中一次改动：${command} <编号>`,
    needsId: (command) => `要撤销哪一次改动？${command} <编号>`,
    restored: (id, summary, again) => `已撤销改动 ${id}：${summary}。要恢复它：${again}`,
    damaged: (folder, keptAs) => `${folder} 中的版本记录已损坏，已另存为 ${keptAs}，从现在起重新记录。`,
    unwritable: (folder, code) => `无法保存版本：${folder} 不可写（${code}）。请检查它的所有者、权限和磁盘。`,
  },

  why: {
    line: (line, file) => `**${line}**（${file}）`,
    written: (date) => `记于 ${date}。`,
    labels: (labels) => `来自外部：${labels}。`,
    sources: "出自：",
    unknown: "没有关于其来源的记录。",
    gone: "它的出处已不再保存。",
    similar: "说过的类似内容：",
  },

  forget: {
    nothing: "没有记得这样的内容。换几个词，或少用几个词再试。",
    lines: (count) => `记忆文件中的 ${count} 行：`,
    messages: (count) => `${count} 条消息：`,
    summaries: (count) => `${count} 条对话摘要：`,
    more: (count) => `……还有 ${count} 条`,
    ask: "要删除这些行，并且不再想起这些消息吗？",
    needsYes: "没有遗忘任何内容：无人可以确认。请先看清将要遗忘的内容，再加上 --yes。",
    refused: "没有遗忘任何内容。",
    done: (lines, messages) => `已遗忘：记忆中的 ${lines} 行；${messages} 条消息和摘要今后不会再被想起。`,
    undo: (command) => `要找回这些行：${command}`,
  },
};
