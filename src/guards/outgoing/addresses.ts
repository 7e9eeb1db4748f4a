// Web addresses in texts, and when two of them are the same.

const mostInOneText = 4_096;
const address = /https?:\/\/[^\s<>"'`\\^{}|]+/gi;
/** An address as people write it: with or without its beginning, up to the next blank, quote or Chinese mark. */
const written =
  /(?:https?:\/\/)?[a-z\d][a-z\d.-]*\.[a-z\d-]+(?::\d+)?(?:[/?][^\s"'`<>，。；：！？、（）《》【】“”]*)?/gi;

/** Those of a text; a bracket or full stop behind one may or may not belong to it, so that both readings count. */
export function findAddresses(text: string): string[] {
  const found: string[] = [];
  for (const [match] of text.matchAll(address)) {
    found.push(match, match.replace(/[)\].,;:!?*_，。；：！？）】》]+$/u, ""));
    if (found.length >= 2 * mostInOneText) break;
  }
  return found;
}

/** Those that a person wrote, as `toPlainAddress` gives them. */
export function findWrittenAddresses(words: string): string[] {
  return [...words.matchAll(written)].flatMap(([text]) =>
    [text, text.replace(/[).,;:!?*_\]]+$/, "")].flatMap((reading) => toPlainAddress(reading) ?? []),
  );
}

/** The same for two spellings of one address; a fragment is never sent. */
export function toNormalAddress(url: string): string | undefined {
  const parsed = URL.parse(url);
  if (parsed === null) return undefined;
  parsed.hash = "";
  return parsed.href;
}

/** Host, path and query; whether it is http or https, and what is behind #, makes no difference to who asked. */
export function toPlainAddress(text: string): string | undefined {
  const parsed = URL.parse(/^https?:\/\//i.test(text) ? text : `https://${text}`);
  if (parsed === null || parsed.username !== "" || parsed.password !== "") return undefined;
  return parsed.host + parsed.pathname + parsed.search;
}
