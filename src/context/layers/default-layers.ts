// The layers of the assistant, in the order of its prompt: earlier ones weigh more.
import { createProgramLookup } from "../../guards/sandbox/child-environment.ts";
import { SkillsLoader } from "../../skills/loader.ts";
import { createBootstrapLayer, type PromptFacts } from "./bootstrap.ts";
import { createIdentityLayer } from "./identity.ts";
import type { Layer, PromptFiles } from "./layer.ts";
import { createMemoryLayer, createRecentHistoryLayer } from "./memory.ts";
import { createActiveSkillsLayer, createSkillsSummaryLayer } from "./skills.ts";

export interface DefaultLayersOptions {
  files: PromptFiles;
  skills: SkillsLoader;
  bootstrapFiles?: readonly string[];
  facts?: PromptFacts;
  /** Instead of the built-in first layer. */
  identity?: Layer;
}

export function createDefaultLayers(options: DefaultLayersOptions): Layer[] {
  const { files, skills, bootstrapFiles, facts, identity = createIdentityLayer(files) } = options;
  return [
    identity,
    createBootstrapLayer(files, bootstrapFiles, facts),
    createMemoryLayer(files),
    createActiveSkillsLayer(skills),
    createSkillsSummaryLayer(skills),
    createRecentHistoryLayer(files),
  ];
}

/** The skills of a workspace and those that come with the program; nothing is written for them. */
export function createWorkspaceSkills(workspace: string, home: string): SkillsLoader {
  const { env } = process;
  const programs = createProgramLookup(env.PATH ?? "", env.PATHEXT?.split(";"));
  return new SkillsLoader({ workspace, home, env, programs, tools: () => [], hasCache: false });
}
