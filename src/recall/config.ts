// Config keys of the recall module: `memory`.
import * as z from "zod";

export const memorySchema = z.object({
  autoRecall: z.boolean().default(true).describe("Show the model what was said earlier about a question"),
  knowledge: z
    .array(z.string().min(1))
    .default([])
    .describe("Further folders of documents to search, in addition to `knowledge` in the workspace"),
});
