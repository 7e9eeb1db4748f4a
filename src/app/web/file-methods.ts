// Files that a page gives before the message that they belong to, and recordings that become text.
import { readFile } from "node:fs/promises";
import { basename } from "node:path";
import * as z from "zod";
import { type MethodTable, WishError } from "../../server/methods.ts";
import type { ChatMethods } from "../../server/protocol/chat.ts";
import type { App } from "../build-app.ts";
import type { PutFiles } from "./put-files.ts";

const fileId = z.string().regex(/^[\da-zA-Z-]{8,64}$/);
const longestPiece = 700_000;
const longestMs = 5 * 60_000;

export function createFileMethods(
  files: PutFiles,
  transcribe: App["transcribe"],
): MethodTable<Pick<ChatMethods, "file.put" | "file.transcribe">> {
  return {
    "file.put": {
      params: z.strictObject({
        fileId,
        name: z.string().min(1).max(500),
        offset: z.int().min(0),
        data: z.base64().max(longestPiece),
        isLast: z.boolean(),
      }),
      isForGuests: true,
      async run({ data, ...piece }, { viewer }) {
        const received = await files.put({ ...piece, data: Buffer.from(data, "base64") }, viewer);
        return { received };
      },
    },
    "file.transcribe": {
      params: z.strictObject({ fileId }),
      isForGuests: true,
      async run(wish, { viewer }) {
        const [path = ""] = await files.find([wish.fileId], viewer);
        const recording = { name: basename(path), bytes: await readFile(path) };
        const heard = await transcribe(recording, AbortSignal.timeout(longestMs), { person: viewer.person });
        if ("reason" in heard) throw new WishError(heard.reason);
        return heard;
      },
    },
  };
}
