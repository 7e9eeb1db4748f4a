// What a model's name says by itself: a prefix before the first slash, whether it is a local server's name, which
// keyword it begins with, and the form that goes on the wire.
import { simplifyProviderName } from "./config.ts";
import type { Host } from "./host.ts";

export function splitPrefix(model: string): { prefix?: string; rest: string } {
  const slash = model.indexOf("/");
  return slash <= 0 ? { rest: model } : { prefix: model.slice(0, slash), rest: model.slice(slash + 1) };
}

/** `llama3:8b`, `phi4:14b-q4_K_M`, `mixtral:8x7b`, `qwen3:latest`; not `deepseek/deepseek-r1:free` or `ft:gpt-4o:org`. */
const localTag = /:(?:latest|fp16|[a-z]?\d+(?:x\d+)?(?:\.\d+)?[bm](?:[-_].*)?|(?:.*[-_])?i?q\d(?:_.*)?)$/i;

/** Names that only servers on one's own machine give: Ollama's tags, files of llama.cpp and LM Studio. */
export function isLocalName(model: string): boolean {
  return localTag.test(model) || model.toLowerCase().endsWith(".gguf");
}

/**
 * Length of the longest keyword of the host in the name, 0 for none. A keyword counts as a word of its own: `qwen` is in
 * `qwen3-max` and `gpt` in `gpt4`, but `step` is not in `stepwise`.
 */
export function matchKeyword(model: string, { keywords }: Host): number {
  const found = keywords.filter((keyword) => {
    const words = keyword.replaceAll(/[-_]/g, "[^a-z0-9]+");
    return new RegExp(`(?<![a-z0-9])${words}(?![a-z])`, "i").test(model);
  });
  return Math.max(0, ...found.map((keyword) => keyword.length));
}

export function toWireModel(host: Host, model: string): string {
  if (host.stripsPrefix === true) return model.slice(model.lastIndexOf("/") + 1);
  const { prefix, rest } = splitPrefix(model);
  if (prefix === undefined || !isNameOf(host, prefix)) return model;
  // `openrouter/auto` is a model of the gateway itself.
  return host.kind === "gateway" && !rest.includes("/") ? model : rest;
}

function isNameOf({ name, twin }: Host, prefix: string): boolean {
  const wanted = simplifyProviderName(prefix);
  return [name, twin ?? name].some((known) => simplifyProviderName(known) === wanted);
}
