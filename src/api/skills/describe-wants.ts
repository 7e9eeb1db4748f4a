// What a skill wants to be granted, as lines for people: what it is, what it cannot be given, and what it could cost.
import type { Words } from "../../i18n/words.ts";
import type { SkillCard } from "./skill-view.ts";

/** Nothing for a skill that names nothing. */
export function describeWants({ wants, isGranted }: SkillCard, { skills }: Words): string[] {
  const { commands, hosts, tooMuch } = wants;
  const isSomething = commands.length + hosts.length > 0;
  return [
    ...(commands.length === 0 ? [] : [skills.wantsCommands(commands.join(", "))]),
    ...(hosts.length === 0 ? [] : [skills.wantsHosts(hosts.join(", "))]),
    ...(tooMuch.length === 0 ? [] : [skills.wantsTooMuch(tooMuch.join(", "))]),
    ...(isSomething ? [isGranted ? skills.wantsGranted : skills.wantsRisk] : []),
  ];
}
