// Connections and requests for protocol tests: a plain host on a local server, changed where a test needs it.
import { directFetch } from "../../src/agent/models/direct-fetch.ts";
import type { Host, ModelConnection } from "../../src/llm/hosts/host.ts";
import type { ModelEvent, ModelReply, ModelRequest, Provider } from "../../src/llm/types.ts";
import { readImageFile } from "../../src/storage/blobs/content-files.ts";

export function createTestHost(changes: Partial<Host> = {}): Host {
  return {
    name: "example",
    label: "Example",
    protocol: "openai-chat",
    kind: "vendor",
    keyVariables: [],
    keywords: [],
    quirks: {},
    ...changes,
  };
}

export function connectTo(
  baseUrl: string,
  host: Partial<Host> = {},
  changes: Partial<ModelConnection> = {},
): ModelConnection {
  return {
    host: createTestHost(host),
    baseUrl,
    apiKey: "test-key-0123456789",
    fetch: directFetch,
    readImage: readImageFile,
    ...changes,
  };
}

export function createTestRequest(changes: Partial<ModelRequest> = {}): ModelRequest {
  return {
    model: "test-model",
    maxTokens: 1000,
    messages: [
      { role: "system", content: "Be brief." },
      { role: "user", content: "Hello" },
    ],
    attribution: { cause: "user", sessionKey: "cli:direct", turnId: "t1" },
    ...changes,
  };
}

export interface Streamed {
  events: ModelEvent[];
  reply: ModelReply;
  /** The deltas of a kind, joined. */
  text: string;
  reasoning: string;
}

export async function collectReply(
  provider: Provider,
  request: ModelRequest = createTestRequest(),
  signal: AbortSignal = new AbortController().signal,
): Promise<Streamed> {
  const events: ModelEvent[] = [];
  let text = "";
  let reasoning = "";
  for await (const event of provider.stream(request, signal)) {
    events.push(event);
    if (event.type === "text-delta") text += event.text;
    if (event.type === "reasoning-delta") reasoning += event.text;
  }
  const last = events.at(-1);
  if (last?.type !== "reply-end") throw new Error("the stream did not end with a reply");
  return { events, reply: last.reply, text, reasoning };
}
