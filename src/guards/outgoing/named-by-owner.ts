// What the owner wrote literally: the one thing in a conversation that no stranger can write.
import { basename } from "node:path";
import type { Effect, ToolContext } from "../../runner/tool.ts";
import { findWrittenAddresses, toPlainAddress } from "./addresses.ts";

const shortestText = 4;

export function isNamedByOwner(effect: Effect, { ownWords }: Pick<ToolContext, "ownWords">): boolean {
  if (ownWords === "") return false;
  switch (effect.type) {
    case "fetch":
      return effect.query === undefined
        ? findWrittenAddresses(ownWords).includes(toPlainAddress(effect.url) ?? "/")
        : holdsText(ownWords, effect.query);
    case "send":
      return (
        holdsWhole(ownWords, effect.chatId) && (effect.files ?? []).every((path) => namesFile(ownWords, path))
      );
    case "write":
      return namesFile(ownWords, effect.path);
    case "run":
      return holdsText(ownWords, effect.command);
    case "schedule":
      return holdsText(ownWords, effect.what);
    case "spawn":
      return holdsText(ownWords, effect.task);
    case "call":
      return holdsWhole(ownWords, effect.tool);
    case "read":
      return false;
  }
}

function namesFile(words: string, path: string): boolean {
  return holdsWhole(words, basename(path));
}

/** Not inside of a longer word: "12" is not in "a123". Only ASCII counts, as Chinese has no gaps between words. */
export function holdsWhole(words: string, target: string): boolean {
  const text = target.trim().toLowerCase();
  if (text === "") return false;
  const all = words.toLowerCase();
  for (let at = all.indexOf(text); at >= 0; at = all.indexOf(text, at + 1)) {
    const before = all[at - 1] ?? "";
    const after = all.slice(at + text.length, at + text.length + 2);
    if (!/[a-z\d_.-]/.test(before) && !/^[a-z\d_-]|^\.[a-z\d]/.test(after)) return true;
  }
  return false;
}

function holdsText(words: string, text: string): boolean {
  const wanted = text.trim();
  return wanted.length >= shortestText && words.includes(wanted);
}
