// HTML without its tags, in one pass over the text, whatever is written there: for where no parser is needed, or where
// one has failed. Knows block elements and the most common entities, nothing else.

/** The content of these is not for readers. */
const hidden = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "head",
  "title",
  "iframe",
  "object",
]);
/** What does not begin a line; the cells of a row are kept apart by a space. */
const inline = new Set(
  "a abbr b bdi bdo big cite code data del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const cells = new Set(["td", "th"]);
/** What begins a line, but leaves no gap behind it. */
const lines = new Set(["br", "dd", "dt", "li", "option", "tr"]);
const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  ndash: "–",
  mdash: "—",
  hellip: "…",
  lsquo: "‘",
  rsquo: "’",
  ldquo: "“",
  rdquo: "”",
  middot: "·",
};
const tag = /<(?:!--|(\/?)([a-z][a-z0-9:-]{0,30})|[!?])/gi;

export function toBareText(html: string): string {
  const pieces: string[] = [];
  let from = 0;
  tag.lastIndex = 0;
  for (let found = tag.exec(html); found !== null; found = tag.exec(html)) {
    const [mark, slash, name = ""] = found;
    pieces.push(html.slice(from, found.index));
    from = findEnd(html, found.index, mark === "<!--" ? "-->" : ">");
    const element = name.toLowerCase();
    if (slash === "" && hidden.has(element)) from = findEnd(html, findClosing(html, from, element), ">");
    pieces.push(toGap(element, slash === ""));
    tag.lastIndex = from;
  }
  pieces.push(html.slice(from));
  return decodeEntities(pieces.join(""))
    .replaceAll(/[^\S\n]+/g, " ")
    .replaceAll(/ ?\n[ \n]*/g, (gap) => (gap.split("\n").length > 2 ? "\n\n" : "\n"))
    .trim();
}

function toGap(element: string, isOpening: boolean): string {
  if (element === "" || inline.has(element)) return "";
  if (cells.has(element)) return " ";
  return isOpening || !lines.has(element) ? "\n" : "";
}

function findEnd(html: string, start: number, mark: string): number {
  const end = html.indexOf(mark, start);
  return end === -1 ? html.length : end + mark.length;
}

function findClosing(html: string, start: number, element: string): number {
  const closing = new RegExp(`</${element}`, "gi");
  closing.lastIndex = start;
  return closing.exec(html)?.index ?? html.length;
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,8});/gi, (entity, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? entity;
    const isHexadecimal = /^#x/i.test(name);
    const code = Number.parseInt(name.slice(isHexadecimal ? 2 : 1), isHexadecimal ? 16 : 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
