// The files of messages. Those that a channel receives are kept in the media folder. Wherever they are, they are read for a
// model, looked at before they are opened, and streamed to a browser. A pipe or device in place of one holds nobody up.
import { randomBytes } from "node:crypto";
import { constants, type ReadStream, type Stats } from "node:fs";
import { open, readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { makeFolder, moveFile } from "../files/change-files.ts";
import { ignoreMissing } from "../files/plain-file.ts";
import { storeStream } from "../files/store-stream.ts";
import { withFile } from "../files/with-file.ts";

/** Files of a channel are in a folder of it. */
export interface InboundPlace {
  mediaFolder: string;
  channel: string;
}

/** Bounded while it arrives; the name that a stranger gave is only an ending. Undefined when it is too large. */
export async function keepInbound(
  { name, bytes }: { name: string; bytes: AsyncIterable<Uint8Array> },
  { mediaFolder, channel }: InboundPlace,
  most: number,
): Promise<string | undefined> {
  const folder = join(mediaFolder, channel);
  const safe = name
    .normalize("NFC")
    .replaceAll(/[^\p{L}\p{N}._-]+/gu, "_")
    .replace(/^\.+/, "")
    .slice(-80);
  const path = join(folder, `${randomBytes(8).toString("hex")}-${safe || "file"}`);
  await makeFolder(folder);
  return (await storeStream(path, bytes, { flags: "wx", most })) ? path : undefined;
}

/** To the folder of the person or group whose files they are. Only what a channel kept is moved. Returns the new paths. */
export async function moveInbound(
  media: readonly string[],
  folder: string,
  { mediaFolder, channel }: InboundPlace,
): Promise<string[]> {
  await makeFolder(folder);
  return Promise.all(
    media.map(async (path) => {
      if (dirname(path) !== join(mediaFolder, channel)) return path;
      const apart = join(folder, basename(path));
      await moveFile(path, apart);
      return apart;
    }),
  );
}

export interface AttachedFile {
  size: number;
  /** Its first bytes. */
  sample: Buffer;
  readAll(): Promise<Buffer>;
}

export type NoFile = "folder" | "special" | "empty";

const sampleSize = 4096;
const { O_RDONLY, O_NONBLOCK, O_NOFOLLOW = 0 } = constants;

/** The file is open while the work lasts. Rejects with the code of the file system. */
export async function withAttached<T>(
  path: string,
  work: (found: AttachedFile | NoFile) => Promise<T>,
): Promise<T> {
  // Opening a device can have effects.
  const named = refuse(await stat(path));
  if (named !== undefined) return work(named);
  return withFile(path, O_RDONLY | O_NONBLOCK, async (file) => {
    const status = await file.stat();
    const { buffer, bytesRead } = await file.read(Buffer.alloc(sampleSize), 0, sampleSize, 0);
    const sample = buffer.subarray(0, bytesRead);
    return work(refuse(status) ?? { size: status.size, sample, readAll: () => file.readFile() });
  });
}

function refuse(status: Stats): NoFile | undefined {
  if (status.isDirectory()) return "folder";
  if (!status.isFile()) return "special";
  return status.size === 0 ? "empty" : undefined;
}

/** Undefined when nothing is there. */
export function findRealPath(path: string): Promise<string | undefined> {
  return realpath(path).catch(ignoreMissing);
}

export interface ServedFile {
  /** Its first bytes, enough to recognise the type. */
  head: Buffer;
  body: ReadStream;
}

/** Undefined if it is not a plain file. The stream closes it. */
export async function openServed(real: string): Promise<ServedFile | undefined> {
  const file = await open(real, O_RDONLY | O_NONBLOCK | O_NOFOLLOW).catch(ignoreMissing);
  if (file === undefined) return undefined;
  if (!(await file.stat()).isFile()) {
    await file.close();
    return undefined;
  }
  const { buffer } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return { head: buffer, body: file.createReadStream({ start: 0 }) };
}

/** What is larger than `most` bytes is not read. */
export async function readMedia(path: string, most: number): Promise<Buffer | "gone" | "too-large"> {
  const found = await stat(path).catch(ignoreMissing);
  if (found?.isFile() !== true) return "gone";
  return found.size > most ? "too-large" : readFile(path);
}
