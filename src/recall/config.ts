// Config keys of the recall module: `memory`.
import * as z from "zod";

const embeddingsSchema = z.object({
  provider: z.string().min(1).describe("Host or local server, as in `providers`"),
  model: z.string().min(1).describe("Model of its `/embeddings`"),
});

export type EmbeddingsConfig = z.infer<typeof embeddingsSchema>;

export const memorySchema = z.object({
  autoRecall: z.boolean().default(true).describe("Show the model what was said earlier about a question"),
  embeddings: embeddingsSchema
    .optional()
    .describe("Find by meaning, too: what was said is sent to this host; default: words only"),
  knowledge: z
    .array(z.string().min(1))
    .default([])
    .describe("Further folders of documents to search, in addition to `knowledge` in the workspace"),
});
