// The recall room's config keys: `memory`.
import * as z from "zod";

export const memorySchema = z.object({
  autoRecall: z.boolean().default(true).describe("Show the model what was said earlier about a question"),
  knowledge: z
    .array(z.string().min(1))
    .default([])
    .describe("Folders of documents to search, beside `knowledge` in the workspace"),
});
