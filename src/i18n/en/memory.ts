// What is said about memory itself, in English: what was found, its versions, where a line came from, forgetting.

const plural = (count: number | string, one: string, many: string) =>
  `${count} ${Number(count) === 1 ? one : many}`;

export const englishMemory = {
  needsWords: (command: string) => `What shall be looked for? ${command} <words>`,
  nothingFound: "Nothing was found. Try other words, or fewer of them.",
  roles: {
    user: "you",
    assistant: "assistant",
    tool: "tool",
    history: "summary",
    note: "note",
    memory: "memory",
    document: "document",
  } as Record<string, string>,

  versions: {
    kinds: {
      start: "kept as it was",
      dream: "Dream",
      edit: "edited",
      restore: "restored",
      forget: "forgotten",
    } as Record<string, string>,
    none: "No change of the memory files has been recorded yet.",
    noDream: "Dream has not changed anything yet.",
    howToRestore: (command: string) => `To undo one of these changes: ${command} <id>`,
    needsId: (command: string) => `Which change shall be undone? ${command} <id>`,
    restored: (id: string, summary: string, again: string) =>
      `The change ${id} is undone: ${summary}. To take that back: ${again}`,
    damaged: (folder: string, keptAs: string) =>
      `The versions in ${folder} were damaged. They were kept as ${keptAs}, and new ones begin now.`,
    unwritable: (folder: string, code: string) =>
      `No version could be kept: ${folder} cannot be written (${code}). Check its owner, its permissions and the disk.`,
  },

  why: {
    line: (line: string, file: string) => `**${line}** (${file})`,
    written: (date: string) => `Written down on ${date}.`,
    labels: (labels: string) => `It came from outside: ${labels}.`,
    sources: "It was drawn from:",
    unknown: "Nothing is recorded about where that came from.",
    gone: "What it was drawn from is not kept any more.",
    similar: "What was said about something like it:",
  },

  forget: {
    nothing: "Nothing like that is remembered. Try other words, or fewer of them.",
    lines: (count: number | string) => `${plural(count, "line", "lines")} of the memory files:`,
    messages: (count: number | string) => `${plural(count, "message", "messages")}:`,
    summaries: (count: number | string) => `${plural(count, "summary", "summaries")} of conversations:`,
    more: (count: number | string) => `... and ${count} more`,
    ask: "Remove these lines, and never recall these messages again?",
    needsYes:
      "Nothing was forgotten: nobody is there to be asked. Read what would be forgotten, then add --yes.",
    refused: "Nothing was forgotten.",
    done: (lines: number | string, messages: number | string) =>
      `Forgotten: ${plural(lines, "line", "lines")} of memory; ${plural(messages, "message or summary", "messages and summaries")} will not be recalled any more.`,
    undo: (command: string) => `To bring the lines back: ${command}`,
  },
};
