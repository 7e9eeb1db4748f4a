// Memory: what was found, its versions, sources, forgetting, and Dream, in Chinese.
import { nanobot } from "../../lib/program-command.ts";
import type { englishMemory } from "../en/memory.ts";

export const chineseMemory: typeof englishMemory = {
  memory: {
    noFile: (known) => `没有这个文件。现有：${known}`,
    needsWords: (command) => `要找什么？${command} <词>`,
    nothingFound: "没有找到。换几个词，或少用几个词再试。",
    reasons: {
      named: "说的是那段时间",
      said: "在那段时间说的",
      tells: "说到了时间",
      speaker: "是你问到的人说的",
      near: "与相符的话相邻",
      similar: "意思相近",
    },
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
      kinds: { start: "最初版本", dream: "整理", edit: "编辑", restore: "撤销", forget: "遗忘" },
      none: "还没有记录过记忆文件的改动。",
      noDream: "整理还没有改动过任何内容。",
      howToRestore: (command) => `要撤销其中一次改动：${command} <编号>`,
      needsId: (command) => `要撤销哪一次改动？${command} <编号>`,
      restored: (id, summary, again) => `已撤销改动 ${id}：${summary}。要恢复它：${again}`,
      damaged: (folder, keptAs) => `${folder} 中的版本记录已损坏，已另存为 ${keptAs}，从现在起重新记录。`,
      unwritable: (folder, code) =>
        `无法保存版本：${folder} 不可写（${code}）。请检查它的所有者、权限和磁盘。`,
    },

    why: {
      line: (line, file) => `**${line}**（${file}）`,
      written: (date) => `记于 ${date}。`,
      labels: (labels) => `来自外部：${labels}。`,
      sources: "来源：",
      unknown: "没有记录它的来源。",
      gone: "它的来源已不再保存。",
      similar: "说过的类似内容：",
    },

    forget: {
      nothing: "没有记得这样的内容。换几个词，或少用几个词再试。",
      lines: (count) => `记忆文件中的 ${count} 行：`,
      messages: (count) => `${count} 条消息：`,
      summaries: (count) => `${count} 条对话摘要：`,
      more: (count) => `……还有 ${count} 条`,
      ask: "要删除这些行，并且不再想起这些消息吗？",
      needsYes: "没有遗忘任何内容：这里没有人可以确认。请先看清将要遗忘的内容，再加上 --yes。",
      refused: "没有遗忘任何内容。",
      done: (lines, messages) => `已遗忘：记忆中的 ${lines} 行；${messages} 条消息和摘要今后不会再被想起。`,
      undo: (command) => `要找回这些行：${command}`,
    },
  },

  dream: {
    nothingNew: "现在没有需要整理的内容。对话结束（/new）或闲置一段时间后才会被整理。",
    noModel: `整理记忆需要模型。接入模型：${nanobot} onboard`,
    unchanged: (count) => `看过了历史中的 ${count} 条记录，没有需要记下的内容。`,
    changed: (count) => `看过了历史中的 ${count} 条记录，并作了修改：`,
    file: (path, added, removed) => `- ${path}：新增 ${added} 行，删除 ${removed} 行`,
    left: (path) => `- ${path} 保持原样，因为它同时被别处修改了`,
    undo: (id) => `版本 ${id}；可用 /dream-restore ${id} 撤销。`,
    refused: "有些改动不能接受，因此什么都没有修改：",
    revised: (names) => `有技能的修改等你决定：${names}。用 /skill-changes 查看。`,
  },
};
