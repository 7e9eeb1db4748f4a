// The two layers of skills: those that are always active in full, and one line for each of the others.

import { activeSkillsEnd, activeSkillsTag } from "../../lib/formats/runtime-block.ts";
import { remember } from "../../lib/remember.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import type { SkillSet, SummaryOptions } from "../../skills/skill-set.ts";
import { type Layer, type LayerPart, layerSeparator, type RenderedLayer, toVersion } from "./layer.ts";

const introduction =
  'Before a task that one of these fits, read its SKILL.md (read_file with its location) and follow it. With available="false", what <requires> names has to be installed first.';

/** The first layer looks at the skills, the rest of the turn shares that look: with 200 skills it takes a millisecond. */
const looks = new WeakMap<SkillsLoader, SkillSet>();

async function recall(skills: SkillsLoader): Promise<SkillSet> {
  return looks.get(skills) ?? (await skills.survey());
}

export function createActiveSkillsLayer(skills: SkillsLoader): Layer {
  return {
    name: "active skills",
    async render() {
      const current = await skills.survey();
      looks.set(skills, current);
      return renderActive(current);
    },
  };
}

/** `withoutTools`: skills that need one of these are left out. */
export function createSkillsSummaryLayer(
  skills: SkillsLoader,
  { withoutTools = new Set() }: Pick<SummaryOptions, "withoutTools"> = {},
): Layer {
  return {
    name: "skills",
    async render({ contextWindow }) {
      const current = await recall(skills);
      const summary = current.summary({
        withoutTools,
        ...(contextWindow !== undefined && { contextWindow }),
      });
      return renderSummary(current)(summary);
    },
  };
}

/** A set of skills never changes, nor does its text. */
const renderActive = remember(async (current: SkillSet): Promise<RenderedLayer | undefined> => {
  const names = current.always().map(({ name }) => name);
  const loaded = names.map(async (name) => ({ name, text: await current.loadForContext([name]) }));
  const parts = (await Promise.all(loaded)).filter(({ text }) => text !== "");
  if (parts.length === 0) return undefined;
  const text = `# Active Skills\n\n${parts.map((part) => part.text).join(layerSeparator)}`;
  const files = [toVersion("the active skills", text)];
  return { name: "active skills", source: names.join(", "), text, files, parts };
});

const renderSummary = remember((current: SkillSet) => {
  const layers = new Map<string, RenderedLayer | undefined>();
  return (summary: string): RenderedLayer | undefined => {
    if (!layers.has(summary)) layers.set(summary, toSummaryLayer(summary, current.list().length));
    return layers.get(summary);
  };
});

function toSummaryLayer(summary: string, count: number): RenderedLayer | undefined {
  if (summary === "") return undefined;
  const text = `# Skills\n\n${introduction}\n\n${summary}`;
  const files = [toVersion("the list of skills", summary)];
  return { name: "skills", source: `${count} skills`, text, files, parts: toParts(summary) };
}

/** One for each skill that has a line. */
function toParts(summary: string): LayerPart[] {
  return summary.split("\n").flatMap((text) => {
    const name = /<name>([^<]*)<\/name>/.exec(text)?.[1];
    return name === undefined ? [] : [{ name, text }];
  });
}

/** Bodies of the skills that a message names as `$name`, and of those that are named in addition, as a block of it. */
export async function findMentionedSkills(
  skills: SkillsLoader,
  text: string,
  names: readonly string[] = [],
): Promise<string> {
  const current = await recall(skills);
  const bodies = await current.loadForContext([...current.findMentionedSkills(text), ...names]);
  return bodies === "" ? "" : `${activeSkillsTag}\n${bodies}\n${activeSkillsEnd}`;
}

/** Skills in full for one prompt, as a section of it; undefined without any that can be used. */
export async function renderNamedSkills(
  skills: SkillsLoader,
  names: readonly string[],
): Promise<RenderedLayer | undefined> {
  const current = await skills.survey();
  const always = new Set(current.always().map(({ name }) => name));
  const text = await current.loadForContext(names.filter((name) => !always.has(name)));
  return text === "" ? undefined : { name: "named skills", source: names.join(", "), text };
}
