// What embeddings add to recall: the figures of `bench recall` without them, with a stand-in on loopback, and with a real host
// where one is given: EMBEDDINGS_URL, EMBEDDINGS_MODEL and, where it takes one, EMBEDDINGS_KEY.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createEmbeddings } from "../src/agent/models/embeddings.ts";
import { systemClock } from "../src/lib/clock.ts";
import { silentLog } from "../src/lib/log.ts";
import { providersSchema } from "../src/llm/config.ts";
import type { Embeddings } from "../src/recall/embeddings.ts";
import { measureRecall, readSamples, usualFile } from "./recall.ts";

const dimensions = 384;

export async function bench([file = usualFile]: string[]): Promise<void> {
  const samples = await readSamples(file);
  if (samples === undefined) {
    console.error(
      `There is no ${file}. Give a file of LoCoMo's shape: npm run bench -- recall-embeddings <file>`,
    );
    process.exitCode = 1;
    return;
  }
  console.log("without embeddings");
  await measureRecall(samples);
  const standIn = await startStandIn();
  try {
    console.log("with a stand-in (trigrams of letters, hashed)");
    await measureRecall(samples, connect(standIn.baseUrl, "trigrams"));
  } finally {
    standIn.close();
  }
  const { EMBEDDINGS_URL: url, EMBEDDINGS_MODEL: model, EMBEDDINGS_KEY: key } = process.env;
  if (url === undefined || model === undefined) return;
  console.log(`with ${model}`);
  await measureRecall(samples, connect(url, model, key));
}

function connect(apiBase: string, model: string, apiKey = "none"): Embeddings {
  const providers = providersSchema.parse({ custom: { apiBase, apiKey } });
  const embeddings = createEmbeddings({
    cause: "recall",
    env: {},
    log: silentLog,
    clock: systemClock,
    redact: String,
    count: () => (provider) => provider,
    config: { embeddings: { provider: "custom", model }, providers },
  });
  if (embeddings === undefined) throw new Error(`${apiBase} cannot be used`);
  return embeddings;
}

/** No model: texts with the same trigrams have like vectors. It shows that fusing works, not what a model would add. */
async function startStandIn(): Promise<{ baseUrl: string; close(): void }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { input } = JSON.parse(Buffer.concat(chunks).toString("utf8")) as { input: string[] };
      const data = input.map((text, index) => ({ index, embedding: toTrigrams(text) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data, usage: { prompt_tokens: input.length } }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

function toTrigrams(text: string): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const letters = ` ${text.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, " ")} `;
  for (let at = 0; at + 3 <= letters.length; at++) {
    let hash = 0;
    for (const character of letters.slice(at, at + 3))
      hash = (31 * hash + (character.codePointAt(0) ?? 0)) >>> 0;
    const place = hash % dimensions;
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}
