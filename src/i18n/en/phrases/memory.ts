// Why something about memory was not done, in English.

export const memoryPhrases = {
  "memory.version-unknown": ({ id }: { id: string }) =>
    `There is no version "${id}". The list shows the versions there are.`,
  "memory.version-ambiguous": ({ id, matches }: { id: string; matches: string[] }) =>
    `Several versions begin with "${id}". Choose one: ${matches.join(", ")}`,
  "memory.version-first": ({ id }: { id: string }) =>
    `${id} is the first version. Nothing is known about the time before it.`,
  "memory.nothing-to-undo": ({ id }: { id: string }) =>
    `There is nothing to undo: the files are as they were before ${id}.`,
  "memory.version-conflict": ({ id, path, later }: { id: string; path: string; later: string }) =>
    `${id} cannot be undone on its own, because ${later} changed the same lines of ${path}. Undo ${later} first, then ${id}.`,
  "memory.version-edited": ({ id, path }: { id: string; path: string }) =>
    `${id} cannot be undone on its own, because the same lines of ${path} were edited by hand since. Change them back, or edit the file yourself.`,
  "memory.not-editable": ({ path }: { path: string }) =>
    `${path} cannot be edited here: it is a link, too large, or not a memory file. Open it in a text editor.`,
  "memory.changed-since":
    "What would be forgotten has changed in the meantime. Look at it again, then confirm again.",
  "memory.nothing-to-forget": "Nothing like that is remembered. Try other words, or fewer of them.",
  "memory.forget-these": ({ lines, messages }: { lines: number; messages: number }) =>
    `Forget this? ${lines === 1 ? "1 line" : `${lines} lines`} of memory would be removed, and ${messages === 1 ? "1 message" : `${messages} messages`} never recalled again.`,
  "memory.not-forgotten": "Nothing was forgotten.",
  "memory.search-failed": ({ quote }: { quote: string }) => `The memory could not be searched ("${quote}").`,
  "memory.search-ended": "The search was ended before it was done. Ask again.",
  "memory.not-yours": "Only the owner can change the memory of this group.",
};
