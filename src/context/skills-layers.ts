// The two layers of skills: those that are always active in full, and one line for each of the others.
import { createHash } from "node:crypto";
import type { SkillsLoader } from "../skills/loader.ts";
import type { Layer, PromptFileVersion } from "./layer.ts";

const introduction =
  'Before a task that one of these fits, read its SKILL.md (read_file with its location) and follow it. With available="false", what <requires> names has to be installed first.';

export function createActiveSkillsLayer(skills: SkillsLoader): Layer {
  return {
    name: "active skills",
    async render() {
      const current = await skills.survey();
      const names = current.always().map(({ name }) => name);
      const bodies = await current.loadForContext(names);
      if (bodies === "") return undefined;
      const text = `# Active Skills\n\n${bodies}`;
      return {
        name: "active skills",
        source: names.join(", "),
        text,
        files: [toVersion("the active skills", text)],
      };
    },
  };
}

export function createSkillsSummaryLayer(skills: SkillsLoader): Layer {
  return {
    name: "skills",
    async render() {
      const current = await skills.survey();
      const summary = current.summary();
      if (summary === "") return undefined;
      const text = `# Skills\n\n${introduction}\n\n${summary}`;
      const source = `${current.list().length} skills`;
      return { name: "skills", source, text, files: [toVersion("the list of skills", summary)] };
    },
  };
}

/** Bodies of the skills that a message names as `$name`, as a block of it. */
export async function findMentionedSkills(skills: SkillsLoader, text: string): Promise<string> {
  const current = await skills.survey();
  const bodies = await current.loadForContext(current.findMentionedSkills(text));
  return bodies === "" ? "" : `[Active Skills — instructions for this message]\n${bodies}\n[/Active Skills]`;
}

function toVersion(name: string, text: string): PromptFileVersion {
  return { name, text, hash: createHash("sha256").update(text).digest("hex").slice(0, 16) };
}
