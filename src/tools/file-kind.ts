// What a file is by its first bytes, for files that are not text.

const kinds: Array<[magic: string, at: number, type: string]> = [
  ["%PDF-", 0, "application/pdf"],
  ["PK\x03\x04", 0, "application/zip"],
  ["\x1f\x8b", 0, "application/gzip"],
  ["BZh", 0, "application/x-bzip2"],
  ["\xfd7zXZ\0", 0, "application/x-xz"],
  ["7z\xbc\xaf\x27\x1c", 0, "application/x-7z-compressed"],
  ["\x28\xb5\x2f\xfd", 0, "application/zstd"],
  ["ustar", 257, "application/x-tar"],
  ["\xd0\xcf\x11\xe0", 0, "application/x-ole-storage, perhaps an old office document"],
  ["SQLite format 3\0", 0, "application/vnd.sqlite3"],
  ["\x7fELF", 0, "application/x-elf, a program"],
  ["MZ", 0, "application/x-msdownload, a program"],
  ["\0asm", 0, "application/wasm"],
  ["\xca\xfe\xba\xbe", 0, "application/java-vm"],
  ["BM", 0, "image/bmp"],
  ["II*\0", 0, "image/tiff"],
  ["MM\0*", 0, "image/tiff"],
  ["ftypheic", 4, "image/heic"],
  ["ftypavif", 4, "image/avif"],
  ["ftyp", 4, "video/mp4"],
  ["\x1aE\xdf\xa3", 0, "video/x-matroska"],
  ["ID3", 0, "audio/mpeg"],
  ["OggS", 0, "audio/ogg"],
  ["fLaC", 0, "audio/flac"],
  ["RIFF", 0, "audio/wav or video/avi"],
];

/** A media type for the model to read. Only asked about files that are known not to be text. */
export function describeBinary(bytes: Buffer): string {
  const kind = kinds.find(([magic, at]) => bytes.toString("latin1", at, at + magic.length) === magic);
  return kind?.[2] ?? "application/octet-stream";
}
