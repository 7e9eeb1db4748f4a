// XML as XMPP streams use it: elements, attributes, text and five entities; nothing else is legal there (RFC 6120, 11.1).
// Reads an endless document, and hands over each child of its root. Size and depth are bounded.

export interface XmlElement {
  /** As it is written, with its prefix. */
  name: string;
  attributes: Record<string, string>;
  children: XmlElement[];
  text: string;
}

const most = 512 * 1024;
const deepest = 64;
const entities: Record<string, string> = { lt: "<", gt: ">", amp: "&", quot: '"', apos: "'" };
const tag = /^<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>$/;

export class XmlStream {
  readonly #onElement: (element: XmlElement) => void;
  #rest = "";
  #size = 0;
  /** The root is open, and these are below it. */
  #isOpen = false;
  #open: XmlElement[] = [];

  constructor(onElement: (element: XmlElement) => void) {
    this.#onElement = onElement;
  }

  /** Another document follows. */
  restart(): void {
    this.#rest = "";
    this.#size = 0;
    this.#isOpen = false;
    this.#open = [];
  }

  /** Throws if it is not such a document. */
  read(text: string): void {
    this.#rest += text;
    while (this.#rest !== "") {
      const start = this.#rest.indexOf("<");
      const words = start === -1 ? this.#rest : this.#rest.slice(0, start);
      const end = start === -1 ? -1 : this.#rest.indexOf(">", start);
      if (end === -1) {
        if (this.#rest.length + this.#size > most) throw new Error("an element is too large");
        return;
      }
      const found = this.#rest.slice(start, end + 1);
      this.#rest = this.#rest.slice(end + 1);
      this.#count(words.length + found.length);
      const last = this.#open.at(-1);
      if (last !== undefined) last.text += decode(words);
      if (!found.startsWith("<?xml ") || this.#isOpen) this.#take(found);
    }
  }

  #count(length: number): void {
    this.#size += length;
    if (this.#size > most) throw new Error("an element is too large");
  }

  #take(found: string): void {
    const match = tag.exec(found);
    if (match === null) throw new Error("this is no XML of a stream");
    const [, isEnd, name = "", attributes = "", isWhole] = match;
    if (isEnd) this.#close(name);
    else if (this.#isOpen) {
      if (this.#open.length >= deepest) throw new Error("elements are nested too deeply");
      this.#open.push({ name, attributes: readAttributes(attributes), children: [], text: "" });
      if (isWhole) this.#close(name);
    } else {
      this.#isOpen = true;
      this.#size = 0;
    }
  }

  #close(name: string): void {
    const element = this.#open.pop();
    if (element === undefined) throw new Error("the stream was closed");
    if (element.name !== name) throw new Error("an element is closed by another name");
    const parent = this.#open.at(-1);
    if (parent !== undefined) parent.children.push(element);
    else {
      this.#size = 0;
      this.#onElement(element);
    }
  }
}

function readAttributes(text: string): Record<string, string> {
  const found = text.matchAll(/([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g);
  return Object.fromEntries([...found].map(([, name, one, other]) => [name, decode(one ?? other ?? "")]));
}

function decode(text: string): string {
  return text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : "";
  });
}

/** For text and attributes. */
export function escapeXml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&apos;");
}

export function findChild(element: XmlElement, name: string, namespace?: string): XmlElement | undefined {
  return element.children.find(
    (child) => child.name === name && (namespace === undefined || child.attributes.xmlns === namespace),
  );
}
