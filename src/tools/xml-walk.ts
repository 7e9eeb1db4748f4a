// Goes through XML once, from its start to its end, and tells what stands there. Tolerant, and in time that only grows with
// the length; knows no entities but the five that XML has, so that none can grow.

export interface XmlVisitor {
  /** Names come without their prefixes. An empty element is opened and closed. */
  open(name: string, attribute: XmlAttribute): void;
  close?(name: string): void;
  text?(text: string): void;
  /** True: the rest is not wanted. */
  isDone?(): boolean;
}

/** By its whole name, or by what stands behind its prefix. */
export type XmlAttribute = (name: string) => string | undefined;

const entities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };
/** A name is looked at once, from its beginning. */
const attributePattern = /(?<![\w.:-])([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

export function walkXml(xml: string, visitor: XmlVisitor): void {
  for (let at = 0; at < xml.length && visitor.isDone?.() !== true; ) {
    const open = xml.indexOf("<", at);
    const end = open === -1 ? xml.length : open;
    if (end > at) visitor.text?.(decodeXml(xml.slice(at, end)));
    at = open === -1 ? end : readMarkup(xml, open, visitor);
  }
}

/** Where it goes on. What has no end ends with the text. */
function readMarkup(xml: string, open: number, visitor: XmlVisitor): number {
  if (xml.startsWith("<!--", open)) return behind(xml, "-->", open + 4);
  if (xml.startsWith("<![CDATA[", open)) {
    const end = behind(xml, "]]>", open + 9);
    visitor.text?.(xml.slice(open + 9, end).replace(/\]\]>$/, ""));
    return end;
  }
  if (xml[open + 1] === "?") return behind(xml, "?>", open);
  if (xml[open + 1] === "!") return behind(xml, ">", open);
  const end = endOfTag(xml, open);
  const isClosing = xml[open + 1] === "/";
  const tag = xml.slice(open + (isClosing ? 2 : 1), end - 1);
  const name = toLocalName(/^[^\s/]*/.exec(tag)?.[0] ?? "");
  if (!isClosing) visitor.open(name, createAttribute(tag));
  if (isClosing || tag.endsWith("/")) visitor.close?.(name);
  return end;
}

function behind(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  return found === -1 ? xml.length : found + mark.length;
}

/** A `>` may stand in the value of an attribute. */
function endOfTag(xml: string, open: number): number {
  for (let at = open; at < xml.length; at++) {
    const sign = xml[at];
    if (sign === ">") return at + 1;
    if (sign === '"' || sign === "'") at = behind(xml, sign, at + 1) - 1;
  }
  return xml.length;
}

function createAttribute(tag: string): XmlAttribute {
  let found: Array<[name: string, value: string]> | undefined;
  return (name) => {
    found ??= [...tag.matchAll(attributePattern)].map(([, key = "", double, single]) => [
      key,
      double ?? single ?? "",
    ]);
    const value = found.find(([key]) => key === name) ?? found.find(([key]) => key.endsWith(`:${name}`));
    return value && decodeXml(value[1]);
  };
}

function toLocalName(name: string): string {
  return name.slice(name.lastIndexOf(":") + 1);
}

function decodeXml(text: string): string {
  if (!text.includes("&")) return text;
  return text.replaceAll(/&(#x?[0-9a-f]{1,6}|[a-z]{2,4});/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}
