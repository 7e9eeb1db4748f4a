// The layer of long-term memory: facts that must never be lost, from the person's own memory/MEMORY.md.
import { packageRoot } from "../lib/package-root.ts";
import type { Layer } from "./layer.ts";
import type { PromptFiles } from "./prompt-files.ts";

const name = "memory/MEMORY.md";

export function createMemoryLayer(files: PromptFiles): Layer {
  return {
    name: "memory",
    async render({ personRoot }) {
      const file = await files.read(personRoot, name);
      const template = await files.read(packageRoot, `templates/${name}`);
      if (file === undefined || file.text === "" || file.hash === template?.hash) return undefined;
      return {
        name: "memory",
        source: name,
        text: `# Memory\n\n## Long-term Memory\n\n${file.text}`,
        files: [file],
      };
    },
  };
}
