// The tar format, as far as a backup needs it: regular files with long names, in a form that every tar can read.
// Knows no home.

export interface TarEntry {
  name: string;
  mode: number;
  /** Seconds since 1970. */
  changedAt: number;
  bytes: Buffer;
}

const blockSize = 512;

export class TarError extends Error {
  override name = "TarError";
}

/** Header, content and padding; a name that does not fit goes before it in a block of its own. */
export function formatEntry({ name, mode, changedAt, bytes }: TarEntry): Buffer {
  const path = Buffer.from(name);
  const head = formatHeader(path.length > 100 ? path.subarray(0, 100) : path, {
    mode,
    changedAt,
    size: bytes.length,
    type: "0",
  });
  const long = path.length > 100 ? formatLongName(path) : Buffer.alloc(0);
  return Buffer.concat([long, head, bytes, padding(bytes.length)]);
}

export const tarEnd = Buffer.alloc(2 * blockSize);

function formatLongName(path: Buffer): Buffer {
  const bytes = Buffer.concat([path, Buffer.alloc(1)]);
  const head = formatHeader(Buffer.from("././@LongLink"), {
    mode: 0,
    changedAt: 0,
    size: bytes.length,
    type: "L",
  });
  return Buffer.concat([head, bytes, padding(bytes.length)]);
}

interface HeaderFacts {
  mode: number;
  changedAt: number;
  size: number;
  type: string;
}

function formatHeader(name: Buffer, { mode, changedAt, size, type }: HeaderFacts): Buffer {
  const block = Buffer.alloc(blockSize);
  const octal = (value: number, length: number) =>
    `${Math.floor(value)
      .toString(8)
      .padStart(length - 1, "0")}\0`;
  name.copy(block, 0);
  block.write(octal(mode & 0o777, 8), 100);
  block.write(octal(0, 8) + octal(0, 8), 108);
  block.write(octal(size, 12), 124);
  block.write(octal(changedAt, 12), 136);
  block.write("        ", 148);
  block.write(type, 156);
  block.write("ustar  \0", 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return block;
}

function padding(size: number): Buffer {
  return Buffer.alloc((blockSize - (size % blockSize)) % blockSize);
}

/** Entry by entry, each checked by its header's own sum. Reads nothing beyond the end mark. */
export async function* readEntries(
  source: AsyncIterable<Uint8Array>,
  { largestEntry }: { largestEntry: number },
): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(source);
  let longName: string | undefined;
  for (;;) {
    const head = await reader.take(blockSize);
    if (head === undefined) throw new TarError("the file ends too early");
    if (head.every((byte) => byte === 0)) return;
    const facts = parseHeader(head);
    if (facts.size > largestEntry) throw new TarError(`${facts.name} is too large`);
    const bytes = await reader.take(facts.size);
    const rest = await reader.take(padding(facts.size).length);
    if (bytes === undefined || rest === undefined) throw new TarError("the file ends too early");
    if (facts.type === "L") longName = bytes.toString("utf8").replace(/\0.*$/s, "");
    else if (facts.type === "0") {
      yield { name: longName ?? facts.name, mode: facts.mode, changedAt: facts.changedAt, bytes };
      longName = undefined;
    }
  }
}

function parseHeader(block: Buffer): HeaderFacts & { name: string } {
  const text = (from: number, length: number) =>
    block
      .subarray(from, from + length)
      .toString("utf8")
      .replace(/\0.*$/s, "");
  const number = (from: number, length: number) => Number.parseInt(text(from, length).trim() || "0", 8);
  const expected = number(148, 8);
  const sum = block.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 32 : byte), 0);
  if (sum !== expected) throw new TarError("a header is damaged");
  return {
    name: text(0, 100),
    mode: number(100, 8),
    size: number(124, 12),
    changedAt: number(136, 12),
    type: text(156, 1) || "0",
  };
}

class BlockReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #held = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async take(size: number): Promise<Buffer | undefined> {
    if (this.#held.length >= size) {
      const taken = this.#held.subarray(0, size);
      this.#held = this.#held.subarray(size);
      return taken;
    }
    const parts = [this.#held];
    for (let length = this.#held.length; length < size; ) {
      const next = await this.#source.next();
      if (next.done === true) return undefined;
      parts.push(Buffer.from(next.value));
      length += next.value.length;
    }
    const whole = Buffer.concat(parts);
    this.#held = whole.subarray(size);
    return whole.subarray(0, size);
  }
}
