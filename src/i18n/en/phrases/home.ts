// What is wrong with the files of a home, in English.
import type { InnerPhrase, PhraseContext } from "../../phrase.ts";

export const homePhrases = {
  "home.gone": ({ home }: { home: string }) =>
    `The folder ${home} was removed or moved away while nanobot ran. New messages are refused, so that none is lost. Put it back, or restart nanobot to begin with an empty one.`,
  "home.file-damaged": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} The last good copy is used, if there is one. Fix the file; otherwise the next change keeps it as .corrupt-1 and replaces it.`,
  "home.file-unreadable": ({ reason }: { reason: InnerPhrase }, { say }: PhraseContext) =>
    `${say(reason)} The file stays as it is, and nanobot tries again later.`,
  "home.memory-sorted": ({ count }: { count: number }) =>
    `An earlier version could keep the summary of a conversation in the memory of another person. ${count === 1 ? "1 summary was" : `${count} summaries were`} found in the wrong place and moved to the person or group that the conversation was held with. Older versions of memory files, and answers that were given meanwhile, may still mention it.`,
  "home.database-set-aside": ({ path }: { path: string }) =>
    `state.db was damaged and is kept as ${path}. What could be read was carried over, queued messages first; conversations and memory were not in it. Remove the file when you no longer need it.`,
};
