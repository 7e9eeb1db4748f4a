// A file of a home that is written while its bytes arrive.
import { announceChange } from "../served-homes.ts";
import { removeFile } from "./change-files.ts";
import { withFile } from "./with-file.ts";

export interface StreamOptions {
  /** "wx": nothing may be there yet; "w": what is there is replaced. */
  flags: "wx" | "w";
  most: number;
  signal?: AbortSignal;
}

/** False when there were more bytes than allowed. Half a file is no file: it is removed. */
export async function storeStream(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  { flags, most, signal }: StreamOptions,
): Promise<boolean> {
  let size = 0;
  let isWhole = false;
  await withFile(path, flags, async (file) => {
    try {
      for await (const chunk of bytes) {
        signal?.throwIfAborted();
        size += chunk.byteLength;
        if (size > most) break;
        await file.write(chunk);
      }
      await file.sync();
      isWhole = size <= most;
    } finally {
      if (isWhole) announceChange(path);
      else await removeFile(path);
    }
  });
  return isWhole;
}
