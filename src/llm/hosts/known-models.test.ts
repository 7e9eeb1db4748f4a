import { expect, it } from "vitest";
import { findKnownModel, findKnownPrice, knownModelsDate } from "./known-models.ts";

it.each([
  ["gpt-4o", 128_000],
  ["gpt-4o-2024-11-20", 128_000],
  ["openai/gpt-4-0613", 8_192],
  ["openrouter/anthropic/claude-sonnet-4.5", 200_000],
  ["claude-haiku-4-5-20251001", 200_000],
  ["gemini-2.0-flash-001", 1_048_576],
  ["qwen-max-latest", 32_768],
])("the window of %s is known, whatever its version", (name, window) => {
  expect(findKnownModel(name)?.window).toBe(window);
});

it.each(["gpt-5-pro", "gpt-4.9", "claude-sonnet-5-7", "o3-pro", "llama3:8b", "", "gpt-4o-audio-preview"])(
  "%j is another model, of which nothing is known",
  (name) => expect(findKnownModel(name)).toBeUndefined(),
);

it("a price is that of the vendor itself, and of no one else", () => {
  expect(findKnownPrice("openai/gpt-4o-mini")).toEqual({ input: 0.15, cached: 0.075, output: 0.6 });
  expect(findKnownPrice("anthropic/claude-opus-4-5-20251101")?.output).toBe(25);
  expect(findKnownPrice("openrouter/openai/gpt-4o-mini")).toBeUndefined();
  expect(findKnownPrice("custom/gpt-4o-mini")).toBeUndefined();
  expect(findKnownPrice("openai/gpt-oss-20b")).toBeUndefined();
  expect(knownModelsDate).toMatch(/^\d{4}-\d\d-\d\d$/);
});
