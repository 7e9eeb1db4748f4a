// Lines of a file as bytes, read in chunks: neither a long file nor an endless line is ever in memory as a whole.
import type { FileHandle } from "node:fs/promises";

export interface Line {
  /** Offset of its first byte. */
  start: number;
  /** Offset after it, its newline included. */
  end: number;
  /** Without the newline, valid only during the call; undefined when it is longer than the limit. */
  bytes: Buffer | undefined;
  /** False for a last line without a newline. */
  isTerminated: boolean;
}

export interface ScanOptions {
  from?: number;
  /** Offset to stop at; default is the end of the file. */
  to?: number;
  /** Longest line that is handed over. */
  limit: number;
}

const chunkSize = 256 * 1024;
const newline = 0x0a;

/** Calls back for each line in order, until the end or until the callback returns false. */
export async function scanLines(
  file: FileHandle,
  { from = 0, to = Number.POSITIVE_INFINITY, limit }: ScanOptions,
  onLine: (line: Line) => boolean | undefined,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkSize, Math.max(0, to - from)));
  const line = new GrowingLine(from, limit);
  let offset = from;
  while (offset < to) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, to - offset), offset);
    if (bytesRead === 0) break;
    offset += bytesRead;
    let start = 0;
    for (
      let end = chunk.indexOf(newline);
      end !== -1 && end < bytesRead;
      end = chunk.indexOf(newline, start)
    ) {
      if (onLine(line.finish(chunk.subarray(start, end), true)) === false) return;
      start = end + 1;
    }
    line.grow(chunk.subarray(start, bytesRead));
  }
  if (line.length > 0) onLine(line.finish(Buffer.alloc(0), false));
}

/** The line that is being put together; of one that exceeds the limit only the length is kept. */
class GrowingLine {
  length = 0;
  #start: number;
  readonly #limit: number;
  #pieces: Buffer[] = [];

  constructor(start: number, limit: number) {
    this.#start = start;
    this.#limit = limit;
  }

  grow(piece: Buffer): void {
    this.length += piece.length;
    if (this.length > this.#limit) this.#pieces = [];
    else if (piece.length > 0) this.#pieces.push(Buffer.from(piece));
  }

  finish(piece: Buffer, isTerminated: boolean): Line {
    const length = this.length + piece.length;
    const start = this.#start;
    const end = start + length + (isTerminated ? 1 : 0);
    const bytes = this.#pieces.length === 0 ? piece : Buffer.concat([...this.#pieces, piece]);
    this.#start = end;
    this.length = 0;
    this.#pieces = [];
    return { start, end, bytes: length > this.#limit ? undefined : bytes, isTerminated };
  }
}
