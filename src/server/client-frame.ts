// A frame of a client, read from text that anybody may have written.
import * as z from "zod";
import { parseJson } from "../lib/json-tree.ts";

const text = z.string().min(1).max(200);

const clientFrame = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("hello"),
    protocol: z.number(),
    seen: z.object({ life: text, seq: z.int().min(0) }).optional(),
  }),
  z.object({ type: z.literal("ping"), id: text }),
  z.object({
    type: z.literal("request"),
    id: text,
    method: text,
    params: z.unknown().default({}),
    language: z.enum(["english", "chinese"]).optional(),
  }),
]);

export type ReadFrame = z.infer<typeof clientFrame>;

/** Undefined when it is none. */
export function readClientFrame(data: string): ReadFrame | undefined {
  return clientFrame.safeParse(parseJson(data)).data;
}
