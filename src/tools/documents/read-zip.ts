// The files of a zip archive, read in memory: no path leaves the folder, no link, no bomb, and nothing that is not
// understood. The central directory alone says what is in it.
import { crc32, inflateRawSync } from "node:zlib";

export interface ZipFile {
  /** Relative, with `/`, without `..`. */
  path: string;
  isExecutable: boolean;
  bytes: Buffer;
}

/** Why an archive is not taken. */
export class ZipError extends Error {
  override name = "ZipError";
  readonly kind: "not-a-zip" | "unsafe-path" | "too-large" | "unsupported";

  constructor(kind: ZipError["kind"]) {
    super(kind);
    this.kind = kind;
  }
}

export interface ZipLimits {
  files: number;
  /** Of all files together, unpacked. */
  bytes: number;
  /** What is wanted at all; everything else stays packed. */
  wants?(path: string): boolean;
}

const endSignature = 0x06054b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endLength = 22;
const entryLength = 46;
const localLength = 30;
const longestComment = 0xffff;

export function readZip(archive: Buffer, limits: ZipLimits): ZipFile[] {
  try {
    return readEntries(archive, limits);
  } catch (error) {
    if (error instanceof ZipError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    // A length that leads out of the archive, or data that does not unpack.
    if (code === "ERR_OUT_OF_RANGE" || code === "ERR_BUFFER_OUT_OF_BOUNDS") throw new ZipError("not-a-zip");
    if (code === "ERR_BUFFER_TOO_LARGE") throw new ZipError("too-large");
    if (code?.startsWith("Z_")) throw new ZipError("not-a-zip");
    throw error;
  }
}

function readEntries(archive: Buffer, limits: ZipLimits): ZipFile[] {
  const end = findEnd(archive);
  const count = archive.readUInt16LE(end + 10);
  let offset = archive.readUInt32LE(end + 16);
  if (count > limits.files) throw new ZipError("too-large");
  const files: ZipFile[] = [];
  let left = limits.bytes;
  for (let index = 0; index < count; index++) {
    if (archive.readUInt32LE(offset) !== entrySignature) throw new ZipError("not-a-zip");
    const nameLength = archive.readUInt16LE(offset + 28);
    const path = archive.toString("utf8", offset + entryLength, offset + entryLength + nameLength);
    const mode = archive.readUInt32LE(offset + 38) >>> 16;
    refuseUnsafe(path, mode);
    if (!path.endsWith("/") && limits.wants?.(path) !== false) {
      const bytes = unpack(archive, offset, left);
      left -= bytes.length;
      files.push({ path, isExecutable: (mode & 0o111) !== 0, bytes });
    }
    offset +=
      entryLength + nameLength + archive.readUInt16LE(offset + 30) + archive.readUInt16LE(offset + 32);
  }
  return files;
}

function findEnd(archive: Buffer): number {
  const first = Math.max(0, archive.length - endLength - longestComment);
  for (let offset = archive.length - endLength; offset >= first; offset--)
    if (archive.readUInt32LE(offset) === endSignature) return offset;
  throw new ZipError("not-a-zip");
}

function refuseUnsafe(path: string, mode: number): void {
  const isLink = (mode & 0o170000) === 0o120000;
  const parts = path.replace(/\/$/, "").split("/");
  const isPlain = parts.every((part) => part !== "" && part !== "." && part !== "..");
  if (isLink || !isPlain || /[\\\0:\ufffd]/.test(path)) throw new ZipError("unsafe-path");
}

function unpack(archive: Buffer, offset: number, limit: number): Buffer {
  const isEncrypted = (archive.readUInt16LE(offset + 8) & 1) === 1;
  const method = archive.readUInt16LE(offset + 10);
  const packed = archive.readUInt32LE(offset + 20);
  const size = archive.readUInt32LE(offset + 24);
  const local = archive.readUInt32LE(offset + 42);
  if (isEncrypted || (method !== 0 && method !== 8)) throw new ZipError("unsupported");
  if (size > limit) throw new ZipError("too-large");
  if (archive.readUInt32LE(local) !== localSignature) throw new ZipError("not-a-zip");
  const start = local + localLength + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const data = archive.subarray(start, start + packed);
  const bytes = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, size) });
  if (bytes.length !== size || crc32(bytes) !== archive.readUInt32LE(offset + 16))
    throw new ZipError("not-a-zip");
  return bytes;
}
