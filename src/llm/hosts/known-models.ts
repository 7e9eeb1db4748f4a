// Windows, largest answers and prices of well-known models, as their vendors published them. What a host says of itself
// counts more, and what is in prices.json or the config counts most. A model that is not here has no known price.

/** When the figures were last compared with the vendors' pages. */
export const knownModelsDate = "2026-11-06";

export interface KnownModel {
  /** Tokens of prompt and answer. */
  window: number;
  /** Tokens of the longest answer. */
  answer: number;
  /** USD for a million tokens, at the vendor itself. */
  price?: { input: number; cached: number; output: number };
}

type Row = [name: string, window: number, answer: number, price?: [number, number, number]];

const K = 1_000;
const M = 1_000_000;
/** `price`: new input, cached input, output. */
const rows: Record<string, Row[]> = {
  openai: [
    ["gpt-6-sol", 1_050 * K, 128 * K, [2, 0.2, 10]],
    ["gpt-6-luna", 1_050 * K, 128 * K, [0.1, 0.01, 0.5]],
    ["gpt-5.6-sol", 1_050 * K, 128 * K],
    ["gpt-5.6-terra", 1_050 * K, 128 * K, [2, 0.2, 12]],
    ["gpt-5.6-luna", 1_050 * K, 128 * K, [0.2, 0.02, 1.2]],
    ["gpt-5.5", 1_050 * K, 128 * K, [5, 0.5, 30]],
    ["gpt-5.4", 1_050 * K, 128 * K, [2.5, 0.25, 15]],
    ["gpt-5.2", 400 * K, 128 * K, [1.75, 0.175, 14]],
    ["gpt-5.1", 400 * K, 128 * K, [1.25, 0.125, 10]],
    ["gpt-5", 400 * K, 128 * K, [1.25, 0.125, 10]],
    ["gpt-5-mini", 400 * K, 128 * K, [0.25, 0.025, 2]],
    ["gpt-5-nano", 400 * K, 128 * K, [0.05, 0.005, 0.4]],
    ["gpt-4.1", 1_047_576, 32_768, [2, 0.5, 8]],
    ["gpt-4.1-mini", 1_047_576, 32_768, [0.4, 0.1, 1.6]],
    ["gpt-4.1-nano", 1_047_576, 32_768, [0.1, 0.025, 0.4]],
    ["gpt-4o", 128 * K, 16_384, [2.5, 1.25, 10]],
    ["gpt-4o-mini", 128 * K, 16_384, [0.15, 0.075, 0.6]],
    ["chatgpt-4o", 128 * K, 16_384],
    ["gpt-4-turbo", 128 * K, 4_096, [10, 10, 30]],
    ["gpt-4", 8_192, 8_192, [30, 30, 60]],
    ["gpt-3.5-turbo", 16_385, 4_096, [0.5, 0.5, 1.5]],
    ["o1", 200 * K, 100 * K, [15, 7.5, 60]],
    ["o3", 200 * K, 100 * K, [2, 0.5, 8]],
    ["o3-mini", 200 * K, 100 * K, [1.1, 0.55, 4.4]],
    ["o4-mini", 200 * K, 100 * K, [1.1, 0.275, 4.4]],
    ["gpt-oss-120b", 131_072, 131_072],
    ["gpt-oss-20b", 131_072, 131_072],
  ],
  anthropic: [
    ["claude-fable-5-1", M, 128 * K, [10, 0.25, 50]],
    ["claude-fable-5", M, 128 * K, [10, 1, 50]],
    ["claude-opus-5-5", M, 128 * K, [4, 0.2, 20]],
    ["claude-opus-5", M, 128 * K, [5, 0.5, 25]],
    ["claude-sonnet-5-5", M, 128 * K, [2, 0.2, 10]],
    ["claude-sonnet-5", M, 128 * K, [2, 0.2, 10]],
    ["claude-opus-4-8", M, 64 * K, [5, 0.5, 25]],
    ["claude-opus-4-7", M, 64 * K, [5, 0.5, 25]],
    ["claude-opus-4-6", 200 * K, 64 * K, [5, 0.5, 25]],
    ["claude-opus-4-5", 200 * K, 64 * K, [5, 0.5, 25]],
    ["claude-opus-4-1", 200 * K, 32 * K, [15, 1.5, 75]],
    ["claude-opus-4", 200 * K, 32 * K, [15, 1.5, 75]],
    ["claude-sonnet-4-6", 200 * K, 64 * K, [3, 0.3, 15]],
    ["claude-sonnet-4-5", 200 * K, 64 * K, [3, 0.3, 15]],
    ["claude-sonnet-4", 200 * K, 64 * K, [3, 0.3, 15]],
    ["claude-haiku-4-5", 200 * K, 64 * K, [1, 0.1, 5]],
    ["claude-3-7-sonnet", 200 * K, 64 * K, [3, 0.3, 15]],
    ["claude-3-5-sonnet", 200 * K, 8_192, [3, 0.3, 15]],
    ["claude-3-5-haiku", 200 * K, 8_192, [0.8, 0.08, 4]],
    ["claude-3-opus", 200 * K, 4_096, [15, 1.5, 75]],
    ["claude-3-haiku", 200 * K, 4_096, [0.25, 0.03, 1.25]],
  ],
  gemini: [
    ["gemini-2.5-pro", 1_048_576, 65_536, [1.25, 0.125, 10]],
    ["gemini-2.5-flash", 1_048_576, 65_536, [0.3, 0.03, 2.5]],
    ["gemini-2.5-flash-lite", 1_048_576, 65_536, [0.1, 0.01, 0.4]],
    ["gemini-2.0-flash", 1_048_576, 8_192, [0.1, 0.025, 0.4]],
    ["gemma-3-27b-it", 131_072, 8_192],
  ],
  groq: [
    ["llama-3.3-70b-versatile", 131_072, 32_768, [0.59, 0.59, 0.79]],
    ["llama-3.1-8b-instant", 131_072, 131_072, [0.05, 0.05, 0.08]],
  ],
  mistral: [
    ["mistral-large", 131_072, 131_072],
    ["mistral-medium", 131_072, 131_072],
    ["mistral-small", 131_072, 131_072],
  ],
  dashscope: [
    ["qwen-max", 32_768, 8_192],
    ["qwen-plus", 131_072, 8_192],
    ["qwen-turbo", 131_072, 8_192],
  ],
  moonshot: [
    ["moonshot-v1-8k", 8_192, 8_192],
    ["moonshot-v1-32k", 32_768, 32_768],
    ["moonshot-v1-128k", 131_072, 131_072],
  ],
};

type Found = { vendor: string; model: KnownModel };

let known: Map<string, Found> | undefined;

function listKnown(): Map<string, Found> {
  known ??= new Map(
    Object.entries(rows).flatMap(([vendor, list]) =>
      list.map(([name, window, answer, price]): [string, Found] => {
        const [input = 0, cached = 0, output = 0] = price ?? [];
        return [
          name,
          { vendor, model: { window, answer, ...(price && { price: { input, cached, output } }) } },
        ];
      }),
    ),
  );
  return known;
}

/** Of a version: `-2024-11-20`, `-20251001`, `-0613`, `-001`, `-latest`, `-preview`, `-09-2025`. */
const version = /(?:-preview|-latest)?(?:[-@]\d{3,8}(?:-\d\d){0,2}|-\d\d-\d{4})?$/;

/** By the name with or without vendor and version. */
export function findKnownModel(name: string): KnownModel | undefined {
  return find(name)?.model;
}

/** Only of a vendor's models at the vendor itself: others charge what they like. `name` is `host/model`. */
export function findKnownPrice(name: string): KnownModel["price"] {
  const found = find(name);
  return found !== undefined && name.startsWith(`${found.vendor}/`) ? found.model.price : undefined;
}

function find(name: string): Found | undefined {
  const bare = name.slice(name.lastIndexOf("/") + 1).toLowerCase();
  const spelled = bare.startsWith("claude") ? bare.replaceAll(".", "-") : bare;
  return listKnown().get(spelled) ?? listKnown().get(spelled.replace(version, ""));
}
