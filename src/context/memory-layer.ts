// The layer of long-term memory: facts that must never be lost, from the person's own memory/MEMORY.md.
import { packageRoot } from "../lib/package-root.ts";
import type { Layer } from "./layer.ts";
import { cutToBudget, type PromptFiles, takeFromBudget } from "./prompt-files.ts";

const name = "memory/MEMORY.md";
const heading = "# Memory\n\n## Long-term Memory\n\n";

export function createMemoryLayer(files: PromptFiles): Layer {
  return {
    name: "memory",
    async render({ personRoot, budget }) {
      const file = await files.read(personRoot, name);
      const template = await files.read(packageRoot, `templates/${name}`);
      if (file === undefined || file.text === "" || file.hash === template?.hash) return undefined;
      const text = heading + cutToBudget(file, takeFromBudget(budget, heading));
      return { name: "memory", source: name, text, files: [file] };
    },
  };
}
