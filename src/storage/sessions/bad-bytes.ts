// Bytes of a session file that could not be parsed, kept next to it (`<name>.jsonl.bad`) for a person to look at: a
// line that says where they were, then the bytes themselves.
import type { FileHandle } from "node:fs/promises";
import { basename } from "node:path";
import { scanLines } from "../files/scan-lines.ts";
import { withFile } from "../files/with-file.ts";

export interface ByteRange {
  start: number;
  end: number;
}

export function badPathOf(path: string): string {
  return `${path}.bad`;
}

export interface KeepOptions {
  path: string;
  /** Bytes that stay in the file as well: kept once, however often they are met. */
  staying: readonly ByteRange[];
  /** Bytes that are about to be cut off: kept in any case. */
  leaving?: ByteRange | undefined;
}

const longestHeader = 200;
const mostAtOnce = 64 * 1024;

/** Returns when the bytes are on the disk. */
export function keepBadBytes({ path, staying, leaving }: KeepOptions): Promise<void> {
  return withFile(badPathOf(path), "a+", async (side) => {
    const known = await readPlaces(side);
    const missing = staying.filter((range) => !known.has(toPlace(range)));
    const ranges = leaving === undefined ? missing : [...missing, leaving];
    await withFile(path, "r", async (source) => {
      for (const range of ranges) {
        await side.appendFile(`# ${toPlace(range)} of ${basename(path)}\n`);
        await appendRange(side, source, range);
        await side.appendFile("\n");
      }
    });
    await side.sync();
  });
}

async function appendRange(side: FileHandle, source: FileHandle, { start, end }: ByteRange): Promise<void> {
  const piece = Buffer.alloc(Math.min(mostAtOnce, end - start));
  for (let at = start; at < end; ) {
    const { bytesRead } = await source.read(piece, 0, Math.min(piece.length, end - at), at);
    if (bytesRead === 0) return;
    await side.appendFile(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
}

function toPlace({ start, end }: ByteRange): string {
  return `bytes ${start}-${end}`;
}

async function readPlaces(side: FileHandle): Promise<Set<string>> {
  const known = new Set<string>();
  await scanLines(side, { limit: longestHeader }, ({ bytes }) => {
    const place = /^# (bytes \d+-\d+) of /.exec(bytes?.toString("latin1") ?? "")?.[1];
    if (place !== undefined) known.add(place);
  });
  return known;
}
