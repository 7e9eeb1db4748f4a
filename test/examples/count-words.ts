// The tool count_words: how long a text is, in any language. Knows files only through the roots that it is given.
import * as z from "zod";
import type { FileRoots } from "../../src/guards/files/file-roots.ts";
import { defineTool } from "../../src/runner/define-tool.ts";
import { type Tool, ToolError } from "../../src/runner/tool.ts";

const largestFile = 5 * 1024 * 1024;

const parameters = z.object({
  path: z.string().describe("Relative to the workspace, or absolute"),
});

export function createCountWords(roots: FileRoots): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "count_words",
    description: "Counts the words of a text file, in any language.",
    parameters,
    readOnly: true,
    async execute({ path }, { origin, signal }) {
      const { handle, shown, size } = await roots.openForReading(path, origin);
      try {
        if (size > largestFile) throw new ToolError(`${shown} is over 5 MB. Count a part of it with exec.`);
        const text = await handle.readFile("utf8");
        signal.throwIfAborted();
        return { content: `${shown}: ${countWords(text)} words.` };
      } finally {
        await handle.close();
      }
    },
  });
}

function countWords(text: string): number {
  const segmenter = new Intl.Segmenter(undefined, { granularity: "word" });
  let words = 0;
  for (const line of text.split("\n")) {
    for (const { isWordLike } of segmenter.segment(line)) words += isWordLike ? 1 : 0;
  }
  return words;
}
