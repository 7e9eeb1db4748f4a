// What a skill is for: in the language of whoever looks, where the program itself brings it.
import { revealLine } from "../lib/visible-text.ts";
import type { Words } from "./words.ts";

interface Skill {
  name: string;
  description: string;
  source: string;
}

export function describeSkill({ name, description, source }: Skill, { skills }: Words): string {
  return (source === "built-in" ? skills.builtIn[name] : undefined) ?? revealLine(description);
}
