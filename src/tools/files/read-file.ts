// The tool read_file: a window of lines of a text file or document, or an image for models that see.

import type { FileHandle } from "node:fs/promises";
import { TextDecoder } from "node:util";
import * as z from "zod";
import type { FileRoots, OpenedFile } from "../../guards/files/file-roots.ts";
import { sniffImageType } from "../../lib/formats/image-type.ts";
import { takeHead, toWellFormed } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import { type Tool, ToolError, type ToolResult } from "../../runner/tool.ts";
import {
  type DocumentKind,
  type DocumentText,
  largestDocument,
  readDocumentText,
  sniffDocument,
} from "../documents/document-text.ts";
import { describeBinary, detectEncoding, type TextEncodingName } from "./file-content.ts";

const mostLines = 2000;
const mostCharacters = 128_000;
const longestLine = 20_000;
const largestImage = 10 * 1024 * 1024;
const chunkSize = 64 * 1024;
/** Beyond this the lines after the window are not counted: the reading would cost more than the number is worth. */
const largestCounted = 16 * 1024 * 1024;

const parameters = z.object({
  path: z.string(),
  offset: z.int().min(1).optional().describe("First line, from 1"),
  limit: z.int().min(1).optional().describe("At most 2000"),
  pages: z.string().optional().describe("Of a PDF: 1-20"),
  secrets: z.boolean().optional().describe("Asks the owner to show withheld ones"),
});

export function createReadFile(roots: FileRoots): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "read_file",
    description: "Reads text, PDF, DOCX, XLSX or PPTX as lines `N| text`, or shows an image.",
    parameters,
    readOnly: true,
    boundsItself: true,
    effects: ({ path, secrets = false }) => [{ type: "read", path, ...(secrets && { showsSecrets: true }) }],
    async execute({ path, offset = 1, limit: asked = mostLines, pages }, { origin, signal }) {
      const limit = Math.min(asked, mostLines);
      const file = await roots.openForReading(path, origin);
      try {
        const sample = await readSample(file.handle);
        const imageType = sniffImageType(sample);
        if (imageType !== undefined) return await readImage(file, imageType);
        const kind = sniffDocument(sample);
        const document = kind && (await readDocument(file, { kind, pages, signal }));
        if (document !== undefined) return showDocument(file.shown, document, { offset, limit });
        const encoding = detectEncoding(sample, sample.length < chunkSize);
        if (encoding === undefined) throw new ToolError(binaryHint(file.shown, sample));
        return await readLines(file, { encoding, offset, limit, signal });
      } finally {
        await file.handle.close();
      }
    },
  });
}

interface Window {
  encoding: TextEncodingName;
  offset: number;
  limit: number;
  signal: AbortSignal;
}

async function readLines(file: OpenedFile, { encoding, offset, limit, signal }: Window): Promise<ToolResult> {
  const isWide = encoding === "utf-16le" || encoding === "utf-16be";
  const window = createWindow(offset, limit, isWide ? "utf-8" : encoding);
  const chunks = readChunks(file.handle);
  let isAtEnd = true;
  for await (const chunk of isWide ? toUtf8(chunks, encoding) : chunks) {
    signal.throwIfAborted();
    window.push(chunk);
    isAtEnd = !(window.isFull && file.size > largestCounted);
    if (!isAtEnd) break;
  }
  if (isAtEnd) window.end();
  const notes = [describeEnd(file.shown, window, { offset, isAtEnd }), describeEncoding(encoding)];
  return { content: [...window.lines, ...notes.filter((note) => note !== "")].join("\n") };
}

function createWindow(offset: number, limit: number, encoding = "utf-8"): LineWindow {
  return new LineWindow({
    offset,
    limit,
    maxCharacters: mostCharacters,
    maxLineLength: longestLine,
    encoding,
  });
}

async function readDocument(
  { handle, shown, size }: OpenedFile,
  options: { kind: DocumentKind; pages?: string; signal: AbortSignal },
): Promise<DocumentText | undefined> {
  if (size > largestDocument) throw new ToolError(`${shown} is a document of over 50 MB. Split it first.`);
  // From its start, wherever the sample has left the handle.
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(size), 0, size, 0);
  return readDocumentText({ ...options, shown, bytes: buffer.subarray(0, bytesRead) });
}

function showDocument(
  shown: string,
  { text, notes }: DocumentText,
  { offset, limit }: { offset: number; limit: number },
): ToolResult {
  const window = createWindow(offset, limit);
  window.push(Buffer.from(toWellFormed(text)));
  window.end();
  const end = describeEnd(shown, window, { offset, isAtEnd: true });
  return { content: [...window.lines, end, ...notes.map((note) => `(${note})`)].join("\n") };
}

function describeEnd(
  shown: string,
  { lines, total }: LineWindow,
  { offset, isAtEnd }: { offset: number; isAtEnd: boolean },
): string {
  if (isAtEnd && total === 0) return `(Empty file: ${shown})`;
  if (lines.length === 0) {
    throw new ToolError(
      `offset ${offset} is past the end: ${shown} has ${total} lines. Use a smaller offset.`,
    );
  }
  const last = offset + lines.length - 1;
  if (isAtEnd && last === total) return `(End of file: ${total} lines.)`;
  const of = isAtEnd ? ` of ${total}` : "";
  return `(Showing lines ${offset}-${last}${of}. Use offset=${last + 1} to continue.)`;
}

function describeEncoding(encoding: TextEncodingName): string {
  return encoding === "utf-8" ? "" : `(Decoded as ${encoding}; the file is not UTF-8.)`;
}

async function readSample(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(chunkSize), 0, chunkSize, 0);
  return buffer.subarray(0, bytesRead);
}

/** One buffer, used again and again: a chunk is only good until the next one is asked for. */
async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer> {
  const buffer = Buffer.alloc(chunkSize);
  for (let position = 0; ; ) {
    const { bytesRead } = await handle.read(buffer, 0, chunkSize, position);
    if (bytesRead === 0) return;
    position += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}

async function* toUtf8(chunks: AsyncIterable<Buffer>, encoding: TextEncodingName): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const chunk of chunks) yield Buffer.from(decoder.decode(chunk, { stream: true }));
  yield Buffer.from(decoder.decode());
}

async function readImage({ handle, shown, size }: OpenedFile, type: string): Promise<ToolResult> {
  if (size > largestImage) {
    throw new ToolError(
      `${shown} is an image of ${toKilobytes(size)}, over the limit of 10 MB. Make it smaller first.`,
    );
  }
  const bytes = await handle.readFile();
  const url = `data:${type};base64,${bytes.toString("base64")}`;
  return {
    content: [
      { type: "text", text: `Image ${shown} (${type}, ${toKilobytes(size)}):` },
      { type: "image_url", image_url: { url } },
    ],
  };
}

function toKilobytes(size: number): string {
  return `${Math.ceil(size / 1024)} KB`;
}

function binaryHint(shown: string, sample: Buffer): string {
  return `${shown} is a binary file (${describeBinary(sample)}). Use exec with a program that understands it.`;
}

interface LineWindowOptions {
  /** The first line to keep, from 1. */
  offset: number;
  limit: number;
  /** Characters that all kept lines may have together, each with its number. */
  maxCharacters: number;
  /** A longer line is cut, with a mark. */
  maxLineLength: number;
  /** Of each line; its line feed must be the byte 10. */
  encoding: string;
}

export class LineWindow {
  /** `N| text`, one for each line. */
  readonly lines: string[] = [];
  /** Lines that have ended so far; all of them once `end` was called. */
  total = 0;
  /** No further line will be kept. */
  isFull = false;
  readonly #options: LineWindowOptions;
  readonly #decoder: TextDecoder;
  #pieces: Buffer[] = [];
  #keptBytes = 0;
  #lineBytes = 0;
  #characters = 0;

  constructor(options: LineWindowOptions) {
    this.#options = options;
    this.#decoder = new TextDecoder(options.encoding);
  }

  /** The chunk may be reused afterwards. */
  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#keep(chunk.subarray(from, end));
      this.#endLine();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  end(): void {
    if (this.#lineBytes > 0) this.#endLine();
  }

  #keep(bytes: Buffer): void {
    this.#lineBytes += bytes.length;
    if (this.isFull || this.total + 1 < this.#options.offset) return;
    // Four bytes a character are enough to cut the text at its limit.
    const room = this.#options.maxLineLength * 4 + 4 - this.#keptBytes;
    if (room <= 0 || bytes.length === 0) return;
    const piece = Buffer.from(bytes.subarray(0, room));
    this.#pieces.push(piece);
    this.#keptBytes += piece.length;
  }

  #endLine(): void {
    this.total++;
    if (!this.isFull && this.total >= this.#options.offset) this.#addLine();
    this.#pieces = [];
    this.#keptBytes = 0;
    this.#lineBytes = 0;
  }

  #addLine(): void {
    const text = `${this.total}| ${this.#decodeLine()}`;
    this.#characters += text.length + 1;
    if (this.lines.length > 0 && this.#characters > this.#options.maxCharacters) {
      this.isFull = true;
      return;
    }
    this.lines.push(text);
    this.isFull = this.lines.length === this.#options.limit;
  }

  #decodeLine(): string {
    const text = this.#decoder.decode(Buffer.concat(this.#pieces)).replace(/\r$/, "");
    const { maxLineLength } = this.#options;
    if (text.length <= maxLineLength) return text;
    return `${takeHead(text, maxLineLength)} ... (cut: this line has ${this.#lineBytes} bytes)`;
  }
}
