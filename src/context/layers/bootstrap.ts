// The layer of bootstrap files: AGENTS.md, SOUL.md, USER.md and so on, each under its own heading.
import { isDeepStrictEqual } from "node:util";
import { packageRoot } from "../../lib/package-root.ts";
import { remember } from "../../lib/remember.ts";
import { bootstrapFile } from "../../storage/documents/templates.ts";
import {
  cutToBudget,
  type Layer,
  type LayerInput,
  type LayerPart,
  type PromptFiles,
  type PromptFileVersion,
  type RenderedLayer,
  type TextBudget,
  takeFromBudget,
  toVersion,
} from "./layer.ts";

export const defaultBootstrapFiles = ["AGENTS.md", "SOUL.md", "USER.md", "TOOLS.md", "IDENTITY.md"];
const mostFiles = 8;
const partSeparator = "\n\n";

/** Their templates say nothing until someone fills them in, so they are left out while unchanged. */
const placeholders = new Set(["USER.md", "IDENTITY.md"]);

/** Files about a person; the others are the same for everyone who talks to this assistant. */
const personal = new Set(["USER.md"]);

/** What a file may name as `{{key}}`. */
export interface PromptFacts {
  /** How often HEARTBEAT.md is checked: "every 30 minutes". */
  heartbeat: string;
}

const usualFacts: PromptFacts = { heartbeat: "every 30 minutes" };

export function createBootstrapLayer(
  files: PromptFiles,
  names: readonly string[] = defaultBootstrapFiles,
  facts: PromptFacts = usualFacts,
): Layer {
  const fill = remember((file: PromptFileVersion) => {
    const text = file.text.replaceAll("{{heartbeat}}", () => facts.heartbeat);
    return text === file.text ? file : toVersion(file.name, text);
  });

  async function readOne(name: string, input: LayerInput): Promise<PromptFileVersion[]> {
    const file = await files.read(personal.has(name) ? input.personRoot : input.workspace, name);
    if (file === undefined || file.text === "") return [];
    if (!placeholders.has(name)) return [fill(file)];
    const template = await files.read(packageRoot, `templates/${name}`);
    return template?.hash === file.hash ? [] : [fill(file)];
  }

  let last: { found: PromptFileVersion[]; budget: TextBudget; layer: RenderedLayer } | undefined;

  return {
    name: "bootstrap",
    async render(input): Promise<RenderedLayer | undefined> {
      if (input.isPreview !== true) await removeSpentBootstrap(files, input.workspace);
      const wanted = [...names.slice(0, mostFiles), bootstrapFile];
      const found = (await Promise.all(wanted.map((name) => readOne(name, input)))).flat();
      if (found.length === 0) return undefined;
      const { budget } = input;
      if (last !== undefined && isSame(last.found, found) && isDeepStrictEqual(last.budget, budget))
        return last.layer;
      const parts = withinBudget(found, leaveRoom(budget));
      const text = parts.map((part) => part.text).join(partSeparator);
      const source = found.map((file) => file.name).join(", ");
      last = { found, budget, layer: { name: "bootstrap", source, text, files: found, parts } };
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
  if (file?.text === "") await files.remove(workspace, bootstrapFile);
}

/** For memory, which follows these files and must not be crowded out. */
function leaveRoom({ characters, tokens }: TextBudget): TextBudget {
  return { characters: Math.floor((characters * 7) / 8), tokens: Math.floor((tokens * 7) / 8) };
}

/** Each file leaves those behind it enough for a heading and a mark. */
function withinBudget(files: PromptFileVersion[], budget: TextBudget): LayerPart[] {
  let left = budget;
  return files.map((file, index) => {
    const heading = `${index === 0 ? "" : partSeparator}## ${file.name}\n\n`;
    const behind = files.length - 1 - index;
    left = takeFromBudget(left, heading);
    const own = { characters: left.characters - behind * 200, tokens: left.tokens - behind * 60 };
    const text = cutToBudget(file, own);
    left = takeFromBudget(left, text);
    return { name: file.name, text: `## ${file.name}\n\n${text}` };
  });
}
