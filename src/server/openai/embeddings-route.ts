// /v1/embeddings: texts of a client, embedded by the host that memory.embeddings names.
import * as z from "zod";
import { parseJson } from "../../lib/json-tree.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { ApiError } from "../http/api-error.ts";

export interface ApiEmbeddings {
  model: string;
  /** Undefined when the host fails. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[] | undefined>;
}

const text = z.string().min(1).max(100_000);
const bodySchema = z.object({
  input: z.union([text, z.array(text).min(1).max(256)], "Send a text, or a list of texts."),
  encoding_format: z.enum(["float", "base64"]).nullish(),
  dimensions: z.null("The dimensions are those of the configured model.").optional(),
});

export async function answerEmbeddings(body: string, signal: AbortSignal, embeddings?: ApiEmbeddings) {
  if (embeddings === undefined)
    throw new ApiError("No embeddings are configured: set memory.embeddings in config.json.", {
      status: 404,
      code: "not_configured",
    });
  const parsed = bodySchema.safeParse(parseJson(body));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const param = String(issue?.path[0] ?? "");
    throw new ApiError(`${param || "The body"}: ${issue?.message}`, { status: 400, ...(param && { param }) });
  }
  const { input, encoding_format: form } = parsed.data;
  const texts = [input].flat();
  const vectors = await embeddings.embed(texts, signal);
  if (vectors === undefined)
    throw new ApiError("The host of the embeddings failed; the log says why.", {
      status: 502,
      code: "host_failed",
    });
  const tokens = texts.reduce((sum, each) => sum + estimateTokens(each), 0);
  return {
    object: "list",
    data: vectors.map((vector, index) => ({
      object: "embedding",
      index,
      embedding: form === "base64" ? toBase64(vector) : vector,
    })),
    model: embeddings.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  };
}

/** Little-endian floats, as OpenAI's clients ask for them. */
function toBase64(vector: readonly number[]): string {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString("base64");
}
