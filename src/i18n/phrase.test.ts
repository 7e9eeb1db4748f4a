import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { englishPhrases } from "./en/phrases/index.ts";
import { chinesePhrases } from "./zh/phrases/index.ts";

async function readTopics(language: "en" | "zh"): Promise<string[]> {
  const folder = join(import.meta.dirname, language, "phrases");
  const files = (await readdir(folder)).filter((file) => file !== "index.ts" && file.endsWith(".ts"));
  const modules = await Promise.all(files.map((file) => import(join(folder, file))));
  return modules.flatMap((module) =>
    Object.entries(module as Record<string, unknown>)
      .filter(([name, value]) => name.endsWith("Phrases") && typeof value === "object")
      .flatMap(([, value]) => Object.keys(value as object)),
  );
}

describe("the codes of sentences", () => {
  it.each([
    ["en", englishPhrases],
    ["zh", chinesePhrases],
  ] as const)(
    "are each in one topic of %s, and all of them in the catalogue",
    async (language, catalogue) => {
      const codes = await readTopics(language);
      expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
      expect(codes.toSorted()).toEqual(Object.keys(catalogue).toSorted());
    },
  );

  it("name their topic", () => {
    for (const code of Object.keys(englishPhrases)) expect(code).toMatch(/^[a-z-]+(\.[a-z0-9-]+)+$/);
  });
});
