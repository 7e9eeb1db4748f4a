// The XML parts of an office document (DOCX, XLSX, PPTX): a zip archive of XML files that name each other by relations.
// The XML reader passes over the text once, tolerates errors, and knows only the five entities of XML, so none can grow.
import { posix } from "node:path";
import { readZip } from "./read-zip.ts";

export interface XmlVisitor {
  /** Names come without their prefixes. An empty element is opened and closed. */
  open(name: string, attribute: XmlAttribute): void;
  close?(name: string): void;
  text?(text: string): void;
  /** True: the rest is not wanted. */
  isDone?(): boolean;
}

/** By its whole name, or by what is behind its prefix. */
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
  const index = xml.indexOf(mark, from);
  return index === -1 ? xml.length : index + mark.length;
}

/** A `>` may be in the value of an attribute. */
function endOfTag(xml: string, open: number): number {
  for (let at = open; at < xml.length; at++) {
    const sign = xml[at];
    if (sign === ">") return at + 1;
    if (sign === '"' || sign === "'") at = behind(xml, sign, at + 1) - 1;
  }
  return xml.length;
}

function createAttribute(tag: string): XmlAttribute {
  let attributes: Array<[name: string, value: string]> | undefined;
  return (name) => {
    attributes ??= [...tag.matchAll(attributePattern)].map(([, key = "", double, single]) => [
      key,
      double ?? single ?? "",
    ]);
    const value =
      attributes.find(([key]) => key === name) ?? attributes.find(([key]) => key.endsWith(`:${name}`));
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

export interface OfficeParts {
  /** The path of the part that everything hangs on; undefined for archives that are no office document. */
  main?: string;
  /** "" for a part that is not there. */
  read(path: string): string;
  /** What a part calls by an id, as paths. */
  related(path: string): ReadonlyMap<string, string>;
}

/** How many characters may still be read, by all parts together. */
export interface TextBudget {
  left: number;
}

/** Unpacked; the images of a document are not. */
const limits = {
  files: 0xffff,
  bytes: 64 * 1024 * 1024,
  wants: (path: string) => /\.(?:xml|rels)$/i.test(path),
};

/** Throws ZipError. */
export function openOfficeParts(bytes: Buffer): OfficeParts {
  const files = new Map(readZip(bytes, limits).map(({ path, bytes: content }) => [path, content]));
  const read = (path: string) => decode(files.get(path));
  const related = (path: string) => {
    const { dir, base } = posix.parse(path);
    return new Map(
      readRelations(read(posix.join(dir, "_rels", `${base}.rels`)), dir).map(([id, , to]) => [id, to]),
    );
  };
  const [, , main] =
    readRelations(read("_rels/.rels"), "").find(([, type]) => type.endsWith("/officeDocument")) ?? [];
  return { main, read, related };
}

function readRelations(xml: string, folder: string): Array<[id: string, type: string, path: string]> {
  const relations: Array<[string, string, string]> = [];
  walkXml(xml, {
    open(name, attribute) {
      const target = attribute("Target") ?? "";
      if (name !== "Relationship" || attribute("TargetMode") === "External") return;
      // From the root of the archive where it begins with a slash.
      const path = posix.join("/", target.startsWith("/") ? "" : folder, target).slice(1);
      relations.push([attribute("Id") ?? "", attribute("Type") ?? "", path]);
    },
  });
  return relations;
}

function decode(bytes: Buffer | undefined): string {
  if (bytes === undefined) return "";
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isWide ? "utf-16le" : "utf-8").decode(bytes);
}
