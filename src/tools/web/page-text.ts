// A web page as Markdown or text: its article if it has one, else everything visible. A page can be written so that
// parsing takes forever: `extractPage` runs in a worker (document-thread.ts). `toBareText` needs no parser.
import type TurndownService from "turndown";

export interface PageRequest {
  html: string;
  /** Of the page: what its links are relative to. */
  url: string;
  mode: "markdown" | "text";
}

/** What is used here of the tree that linkedom makes. */
interface Element {
  innerHTML: string;
  children: ArrayLike<Element>;
  parentElement: Element | null;
  previousElementSibling: Element | null;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  remove(): void;
}

interface Document {
  body: Element;
  querySelectorAll(selector: string): Iterable<Element>;
}

/** What passes for an article below this is usually a notice about cookies. */
const shortestArticle = 300;
const style = { headingStyle: "atx", codeBlockStyle: "fenced", bulletListMarker: "-" } as const;
const noise = "title, script, style, noscript, template, svg, iframe, object, [hidden], [aria-hidden=true]";
/** Not what is only transparent: many pages fade in by script. */
const invisible = /display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0(?![.\d])/i;

export async function extractPage({ html, url, mode }: PageRequest): Promise<string> {
  const { parseHTML } = await import("linkedom");
  const { Readability } = await import("@mozilla/readability");
  const { default: Turndown } = await import("turndown");
  const whole = /<html[\s>]/i.test(html) ? html : `<html><body>${html}</body></html>`;
  const open = () => prepare(parseHTML(whole).document, url);
  // Reading takes a document apart. Its type is a browser's, where there is one.
  const article = new Readability(open() as never, { serializer: (node) => node, keepClasses: true }).parse();
  const hasArticle = (article?.length ?? 0) >= shortestArticle;
  const root = (hasArticle ? article?.content : open().body) as Element;
  if (mode === "text") return toBareText(root.innerHTML);
  return toMarkdown(root, new Turndown(style));
}

/** Without what nobody sees, which is where instructions are hidden; addresses in full. */
function prepare(document: Document, url: string): Document {
  for (const element of document.querySelectorAll(noise)) element.remove();
  for (const element of document.querySelectorAll("body [style]")) {
    if (invisible.test(element.getAttribute("style") ?? "")) element.remove();
  }
  for (const [selector, attribute] of [["a[href]", "href"] as const, ["img", "src"] as const]) {
    for (const element of document.querySelectorAll(selector)) settleAddress(element, attribute, url);
  }
  return document;
}

function settleAddress(element: Element, attribute: string, base: string): void {
  const address = element.getAttribute(attribute) ?? "";
  const url = URL.canParse(address, base) ? new URL(address, base) : undefined;
  const isUsable = url !== undefined && /^(https?|mailto):$/.test(url.protocol);
  // Brackets would end the address where Markdown writes it.
  if (isUsable) element.setAttribute(attribute, url.href.replaceAll("(", "%28").replaceAll(")", "%29"));
  else element.removeAttribute(attribute);
}

function toMarkdown(root: Element, turndown: TurndownService): string {
  // It is read, not rendered: backslashes would only be in the way of words and addresses.
  turndown.escape = (text) => text;
  turndown.addRule("cell", {
    filter: ["td", "th"],
    replacement: (content) =>
      ` ${content
        .trim()
        .replaceAll(/\s*\n\s*/g, " ")
        .replaceAll("|", "\\|")} |`,
  });
  turndown.addRule("row", { filter: "tr", replacement: (content, node) => toRow(content, node as Element) });
  turndown.addRule("rows", {
    filter: ["thead", "tbody", "tfoot"],
    replacement: (content) => content,
  });
  turndown.addRule("nameless image", {
    filter: (node) => node.nodeName === "IMG" && !(node.getAttribute("alt") && node.getAttribute("src")),
    replacement: () => "",
  });
  return turndown
    .turndown(root as never)
    .replaceAll(/\[\s*\]\([^()\s]*\)/g, "")
    .replaceAll(/^( *)- {3}/gm, "$1- ")
    .replaceAll(/\n{3,}/g, "\n\n");
}

function toRow(content: string, row: Element): string {
  const isFirst = row.previousElementSibling === null && row.parentElement?.previousElementSibling == null;
  const rule = isFirst ? `\n|${" --- |".repeat(row.children.length)}` : "";
  return `\n|${content}${rule}\n`;
}

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
