// The layer of bootstrap files: AGENTS.md, SOUL.md, USER.md and so on, each under its own heading.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { packageRoot } from "../lib/package-root.ts";
import type { Layer, LayerInput, PromptFileVersion, RenderedLayer } from "./layer.ts";
import { cutAtLine, type PromptFiles } from "./prompt-files.ts";
import { bootstrapFile } from "./workspace.ts";

export const defaultBootstrapFiles = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"];
const mostFiles = 8;

/** Their templates say nothing until someone fills them in, so they are left out while unchanged. */
const placeholders = new Set(["USER.md", "IDENTITY.md"]);

/** Files about a person; the others are the same for everyone who talks to this assistant. */
const personal = new Set(["USER.md"]);

export function createBootstrapLayer(
  files: PromptFiles,
  names: readonly string[] = defaultBootstrapFiles,
): Layer {
  async function readOne(name: string, input: LayerInput): Promise<PromptFileVersion[]> {
    const file = await files.read(personal.has(name) ? input.personRoot : input.workspace, name);
    if (file === undefined || file.text === "") return [];
    if (!placeholders.has(name)) return [file];
    const template = await files.read(packageRoot, `templates/${name}`);
    return template?.hash === file.hash ? [] : [file];
  }

  let last: { found: PromptFileVersion[]; budget: number; layer: RenderedLayer } | undefined;

  return {
    name: "bootstrap",
    async render(input): Promise<RenderedLayer | undefined> {
      if (input.isPreview !== true) await removeSpentBootstrap(files, input.workspace);
      const wanted = [...names.slice(0, mostFiles), bootstrapFile];
      const found = (await Promise.all(wanted.map((name) => readOne(name, input)))).flat();
      if (found.length === 0) return undefined;
      const { budget } = input;
      if (last?.budget === budget && isSame(last.found, found)) return last.layer;
      const text = withinBudget(found, budget)
        .map((file) => `## ${file.name}\n\n${file.text}`)
        .join("\n\n");
      const source = found.map((file) => file.name).join(", ");
      last = { found, budget, layer: { name: "bootstrap", source, text, files: found } };
      return last.layer;
    },
  };
}

/** An unchanged file is the same object each time. */
function isSame(a: readonly PromptFileVersion[], b: readonly PromptFileVersion[]): boolean {
  return a.length === b.length && a.every((file, index) => file === b[index]);
}

/** Emptying it is how the model says that the first conversation is over: it has no tool that removes files. */
async function removeSpentBootstrap(files: PromptFiles, workspace: string): Promise<void> {
  const file = await files.read(workspace, bootstrapFile);
  if (file?.text === "") await rm(join(workspace, bootstrapFile), { force: true });
}

function withinBudget(files: PromptFileVersion[], budget: number): PromptFileVersion[] {
  let left = budget;
  return files.map((file) => {
    const text = cutAtLine(file.text, Math.max(200, left), file.name);
    left -= text.length;
    return { ...file, text };
  });
}
