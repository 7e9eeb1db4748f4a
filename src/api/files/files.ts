// Operations about files that are given before the message that they belong to, and recordings that become text.
import * as z from "zod";
import { fail } from "../../i18n/user-error.ts";
import { operation } from "../operation.ts";
import { turnFileOperations } from "./turn-files.ts";
import { workspaceFileOperations } from "./workspace-files.ts";

/** Absolute, inside of the workspace or the media folder. */
export const paths = z.array(z.string().min(1).max(4_096)).max(20).optional();

const fileId = z.string().regex(/^[\da-zA-Z-]{8,64}$/);
const longestPiece = 700_000;
const longestMs = 5 * 60_000;

const putFile = operation({
  name: "file.put",
  about:
    "Takes a piece of a file, base64, at most 512 kB; the last one says so and makes the file usable by its id.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({
    fileId,
    name: z.string().min(1).max(500),
    offset: z.int().min(0),
    data: z.base64().max(longestPiece),
    isLast: z.boolean(),
  }),
  async run({ chat: { files } }, { data, ...piece }, caller): Promise<{ received: number }> {
    return { received: await files.put({ ...piece, data: Buffer.from(data, "base64") }, caller) };
  },
});

const transcribeFile = operation({
  name: "file.transcribe",
  about: "What is said in a recording that was put.",
  access: "person",
  needs: "assistant",
  params: z.strictObject({ fileId }),
  async run({ chat: { files, transcribe } }, params, caller): Promise<{ text: string }> {
    const recording = await files.read(params.fileId, caller);
    const { person } = caller;
    const transcript = await transcribe(recording, AbortSignal.timeout(longestMs), { person });
    if ("reason" in transcript) throw fail("upload.not-transcribed", transcript);
    return transcript;
  },
});

export const fileOperations = [
  putFile,
  transcribeFile,
  ...workspaceFileOperations,
  ...turnFileOperations,
] as const;
