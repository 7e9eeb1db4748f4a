// Whether the owner wrote the very target of a call in this turn: literally, as a whole, and not as a part of something
// longer. Whoever names a thing has asked for it.
import { basename } from "node:path";
import type { Effect, ToolContext } from "../runner/tool.ts";

const shortestText = 4;
/** An address as people write it: with or without its beginning, up to the next blank, quote or Chinese mark. */
const written =
  /(?:https?:\/\/)?[a-z\d][a-z\d.-]*\.[a-z\d-]+(?::\d+)?(?:[/?][^\s"'`<>，。；：！？、（）《》【】“”]*)?/gi;

export function isNamedByOwner(effect: Effect, { ownWords }: ToolContext): boolean {
  if (ownWords === "") return false;
  switch (effect.type) {
    case "fetch":
      return namesAddress(ownWords, effect.url);
    case "send":
      return holdsWhole(ownWords, effect.chatId);
    case "write":
      return holdsWhole(ownWords, basename(effect.path));
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

function namesAddress(words: string, url: string): boolean {
  const wanted = toPlainAddress(url);
  if (wanted === undefined) return false;
  return [...words.matchAll(written)].some(([text]) =>
    [text, text.replace(/[).,;:!?*_\]]+$/, "")].some((reading) => toPlainAddress(reading) === wanted),
  );
}

/** Host, path and query; whether it is http or https, and what stands behind #, makes no difference to who asked. */
function toPlainAddress(text: string): string | undefined {
  const parsed = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return undefined;
  return parsed.host + parsed.pathname + parsed.search;
}

/** Not inside of a longer word: "12" is not in "a123". Only ASCII counts, as Chinese has no gaps between words. */
function holdsWhole(words: string, target: string): boolean {
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
