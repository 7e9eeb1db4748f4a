// The tool write_file: a whole file, new or replaced in one step.
import * as z from "zod";
import type { FileRoots } from "../../guards/files/file-roots.ts";
import { toWellFormed } from "../../lib/text.ts";
import { defineTool } from "../../runner/define-tool.ts";
import type { Tool } from "../../runner/tool.ts";

const parameters = z.object({
  path: z.string(),
  content: z.string(),
});

export function createWriteFile(roots: FileRoots): Tool<z.output<typeof parameters>> {
  return defineTool({
    name: "write_file",
    description: "Creates or replaces a whole file, with its folders. To change a part, use edit_file.",
    parameters,
    repeat: "safe",
    effects: ({ path, content }) => [{ type: "write", path, text: content }],
    async execute({ path, content }, { origin }) {
      const written = await roots.writeInside(path, toWellFormed(content), origin);
      return { content: `Wrote ${content.length} characters to ${roots.display(written, origin)}.` };
    },
  });
}
