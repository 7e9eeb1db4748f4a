// The limits of prompt files, whatever is in them: 20,000 characters a file, 150,000 in all, a quarter of the window.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cases } from "../../test/support/long-form.ts";
import { createTemporaryFolder } from "../../test/support/temporary-folder.ts";
import { estimateTokens } from "../lib/tokens.ts";
import { ContextBuilder } from "./builder.ts";
import { createBootstrapLayer } from "./layers/bootstrap.ts";
import { PromptFiles } from "./layers/layer.ts";
import { createMemoryLayer } from "./layers/memory.ts";

const names = Array.from({ length: 8 }, (_, index) => `F${index}.md`);

const line = fc.constantFrom(
  "plain words of a line",
  "一行中文，里面有很多字。",
  "emoji 👩‍👩‍👧 and 漢字 and words",
  "",
  "x".repeat(997),
);
const content = fc
  .record({ lines: fc.array(line, { minLength: 1, maxLength: 6 }), times: fc.integer({ min: 1, max: 900 }) })
  .map(({ lines, times }) => `${lines.join("\n")}\n`.repeat(times));
const window = fc.constantFrom(4_096, 8_192, 32_768, 200_000, 1_000_000);

async function renderAll(contents: string[], memory: string, contextWindow: number): Promise<RenderedFiles> {
  const workspace = await createTemporaryFolder();
  await mkdir(join(workspace, "memory"));
  await writeFile(join(workspace, "memory/MEMORY.md"), memory);
  for (const [index, text] of contents.entries()) await writeFile(join(workspace, `F${index}.md`), text);
  const files = new PromptFiles();
  const layers = [createBootstrapLayer(files, names), createMemoryLayer(files)];
  const rendered = await new ContextBuilder({ workspace, layers }).renderLayers({ contextWindow });
  const parts = rendered.flatMap(({ name, text, parts: own = [{ name, text }] }) => own);
  return { whole: rendered.map(({ text }) => text).join(""), parts };
}

interface RenderedFiles {
  whole: string;
  parts: Array<{ name: string; text: string }>;
}

const mark = /\n\[\.\.\. (\S+) is longer than the prompt takes; read the rest with read_file\]$/;

describe("files of the prompt", () => {
  it("never take more than they may, and say where they were cut", async () => {
    const files = fc.array(content, { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(files, content, window, async (contents, memory, contextWindow) => {
        const { whole, parts } = await renderAll(contents, memory, contextWindow);
        expect(whole.length).toBeLessThanOrEqual(150_000);
        expect(estimateTokens(whole)).toBeLessThanOrEqual(contextWindow / 4);
        expect(whole.isWellFormed()).toBe(true);
        const given = [...contents, memory].map((text) => text.trim()).filter((text) => text !== "");
        expect(parts).toHaveLength(given.length);
        for (const [index, { text }] of parts.entries()) {
          const shown = text.replace(/^(## F\d\.md|# Memory\n\n## Long-term Memory)\n\n/, "");
          expect(shown.length).toBeLessThanOrEqual(20_000);
          const kept = shown.replace(mark, "");
          expect(given[index]?.startsWith(kept)).toBe(true);
          if (kept === shown) expect(shown).toBe(given[index]);
        }
      }),
      { numRuns: cases(40) },
    );
  });

  it("are whole when they fit", async () => {
    const contents = names.map((name) => `${name}: ${"字".repeat(4_000)}`);
    const { whole } = await renderAll(contents, "A fact.", 200_000);
    for (const text of contents) expect(whole).toContain(text);
  });

  it("of Chinese text are cut by what they cost, not by their length", async () => {
    const chinese = names.map(() => "一行中文，里面有很多字。\n".repeat(1_400));
    const latin = names.map(() => "A line of words.\n".repeat(1_100));
    const [costly, cheap] = [await renderAll(chinese, "", 200_000), await renderAll(latin, "", 200_000)];
    expect(costly.whole.length).toBeLessThan(cheap.whole.length);
    expect(costly.parts.at(-1)?.text).toMatch(mark);
  });
});
