// Reads rows out of the pages of a SQLite file and its write-ahead log, without SQLite, which refuses a damaged one as a
// whole. Every page that holds rows of a table is read on its own; what cannot be read is passed over.
import { existsSync, readFileSync } from "node:fs";

export interface SalvagedRow {
  id: number;
  values: Array<string | number | null>;
}

const defaultPageSize = 4096;
const frameHeader = 24;
const mostChained = 100_000;
/** Interior and leaf pages of an index hold no rows. */
const indexTypes = [2, 10];

/** In no order; the same row may come more than once. */
export function salvageRows(path: string): SalvagedRow[] {
  const pages = readPages(path);
  const free = findFreePages(pages);
  const rows: SalvagedRow[] = [];
  for (const [number, page] of pages) {
    if (free.has(number)) continue;
    const start = number === 1 ? 100 : 0;
    if (indexTypes.includes(page[start] ?? 0)) continue;
    const count = page.readUInt16BE(start + 3);
    for (let index = 0; index < count; index++) {
      const at = start + 8 + 2 * index;
      if (at + 2 > page.length) break;
      const row = attempt(() => readCell(page, page.readUInt16BE(at), pages));
      if (row !== undefined) rows.push(row);
    }
  }
  return rows;
}

function readPages(path: string): Map<number, Buffer> {
  const file = readFileSync(path);
  const size = readPageSize(file);
  const pages = new Map<number, Buffer>();
  for (let number = 1; (number - 1) * size < file.length; number++) {
    const page = file.subarray((number - 1) * size, number * size);
    pages.set(number, page.length === size ? page : Buffer.concat([page, Buffer.alloc(size - page.length)]));
  }
  if (existsSync(`${path}-wal`)) applyLog(readFileSync(`${path}-wal`), size, pages);
  return pages;
}

function readPageSize(file: Buffer): number {
  const named = file.length >= 18 ? file.readUInt16BE(16) : 0;
  const isPower = named >= 512 && (named & (named - 1)) === 0;
  return isPower ? named : defaultPageSize;
}

/** Frames of the present round, up to the last commit. A damaged one costs that page only. */
function applyLog(log: Buffer, size: number, pages: Map<number, Buffer>): void {
  const salts = findSalts(log, size);
  let waiting: Array<[number, Buffer]> = [];
  for (let at = 32; at + frameHeader + size <= log.length; at += frameHeader + size) {
    if (!salts.equals(log.subarray(at + 8, at + 16))) continue;
    waiting.push([log.readUInt32BE(at), log.subarray(at + frameHeader, at + frameHeader + size)]);
    if (log.readUInt32BE(at + 4) === 0) continue;
    for (const [number, page] of waiting) pages.set(number, page);
    waiting = [];
  }
}

/** Those of the header; where that is damaged, those of the first frame. */
function findSalts(log: Buffer, size: number): Buffer {
  const first = log.subarray(40, 48);
  const named = log.subarray(16, 24);
  const second = log.subarray(32 + frameHeader + size + 8, 32 + frameHeader + size + 16);
  return second.length === 8 && first.equals(second) ? first : named;
}

function findFreePages(pages: Map<number, Buffer>): Set<number> {
  const free = new Set<number>();
  let trunk = pages.get(1)?.readUInt32BE(32) ?? 0;
  while (trunk !== 0 && !free.has(trunk)) {
    const page = pages.get(trunk);
    if (page === undefined) break;
    free.add(trunk);
    const count = Math.min(page.readUInt32BE(4), page.length / 4 - 2);
    for (let index = 0; index < count; index++) free.add(page.readUInt32BE(8 + 4 * index));
    trunk = page.readUInt32BE(0);
  }
  return free;
}

function readCell(page: Buffer, start: number, pages: Map<number, Buffer>): SalvagedRow | undefined {
  const [length, afterLength] = readVarint(page, start);
  const [id, afterId] = readVarint(page, afterLength);
  const payload = readPayload({ page, at: afterId, length }, pages);
  return payload === undefined ? undefined : { id, values: readRecord(payload) };
}

/** What is too long for a page goes on in others. */
function readPayload(
  { page, at, length }: { page: Buffer; at: number; length: number },
  pages: Map<number, Buffer>,
): Buffer | undefined {
  const usable = page.length;
  if (length <= usable - 35) return at + length <= usable ? page.subarray(at, at + length) : undefined;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const fitting = least + ((length - least) % (usable - 4));
  const local = fitting <= usable - 35 ? fitting : least;
  const parts = [page.subarray(at, at + local)];
  let next = page.readUInt32BE(at + local);
  for (let left = length - local; left > 0; left -= usable - 4) {
    const more = pages.get(next);
    if (more === undefined || parts.length > mostChained) return undefined;
    parts.push(more.subarray(4, 4 + Math.min(left, usable - 4)));
    next = more.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}

function readRecord(payload: Buffer): SalvagedRow["values"] {
  const [headerLength, first] = readVarint(payload, 0);
  const values: SalvagedRow["values"] = [];
  let at = headerLength;
  for (let header = first; header < headerLength; ) {
    const [type, next] = readVarint(payload, header);
    header = next;
    const [value, end] = readValue(payload, type, at);
    values.push(value);
    at = end;
  }
  if (at !== payload.length) throw new RangeError("not a record");
  return values;
}

function readValue(payload: Buffer, type: number, at: number): [value: string | number | null, end: number] {
  if (type >= 13 && type % 2 === 1) {
    const end = at + (type - 13) / 2;
    if (end > payload.length) throw new RangeError("text beyond its record");
    return [payload.toString("utf8", at, end), end];
  }
  if (type === 0) return [null, at];
  if (type === 7) return [payload.readDoubleBE(at), at + 8];
  if (type === 8 || type === 9) return [type - 8, at];
  const length = [0, 1, 2, 3, 4, 6, 8][type];
  if (length === undefined) throw new RangeError("a kind of value that we never write");
  if (length === 8) return [Number(payload.readBigInt64BE(at)), at + 8];
  return [payload.readIntBE(at, length), at + length];
}

function readVarint(bytes: Buffer, start: number): [value: number, next: number] {
  const short = bytes.readUInt8(start);
  if (short < 0x80) return [short, start + 1];
  let value = 0n;
  for (let index = 0; index < 9; index++) {
    const byte = bytes.readUInt8(start + index);
    if (index === 8) return [Number((value << 8n) | BigInt(byte)), start + 9];
    value = (value << 7n) | BigInt(byte & 0x7f);
    if (byte < 0x80) return [Number(value), start + index + 1];
  }
  return [Number(value), start + 9];
}

/** Reading beyond a page is how damage shows here. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
