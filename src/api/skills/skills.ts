// Operations about skills: what there is and why it can or cannot be used, adding one after a look into it, and deciding
// about each. Nothing of a skill is run.
import { basename } from "node:path";
import * as z from "zod";
import { toPlacedPhrase } from "../../config/problem.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { fail } from "../../i18n/user-error.ts";
import { findNearest } from "../../lib/language/nearest.ts";
import { revealLine } from "../../lib/visible-text.ts";
import { phraseServerProblem } from "../../mcp/problem.ts";
import type { SkillEntry } from "../../skills/skill.ts";
import { removeFile } from "../../storage/files/change-files.ts";
import { loadOwnTools } from "../extensions/foreign-tools.ts";
import { findOwnProblem, type OwnCodeFile } from "../extensions/own-code.ts";
import { type KnownServer, readServers } from "../mcp/survey-servers.ts";
import { operation } from "../operation.ts";
import type { InstallationServices, Surroundings } from "../services.ts";
import { revisionOperations } from "./skill-revisions.ts";
import { isRemovable, type ShownSkill, type StagedSkill, toCard, toShown, toStaged } from "./skill-view.ts";

const name = z.string().min(1).max(200);
const longestText = 200_000;
const offer = z.union([
  z.strictObject({ source: z.string().min(1).max(2_000), name: name.optional() }),
  z.strictObject({ text: z.string().min(1).max(longestText) }),
]);

const list = operation({
  name: "skills.list",
  about: "Every skill with its state, why it cannot be used, and what was found in it.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({}),
  async run({ skills }) {
    const entries = (await (await skills()).survey()).list();
    return { skills: await Promise.all(entries.map(toCard)) };
  },
});

const show = operation({
  name: "skills.show",
  about: "One skill in full, also one that cannot be used.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ name }),
  run: async (services, wanted): Promise<ShownSkill> => toShown(await find(services, wanted.name)),
});

const extensions = operation({
  name: "skills.extensions",
  about: "Custom tools and MCP servers, with their state.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({}),
  run: async (services) => ({ extensions: await listExtensions(services) }),
});

const stage = operation({
  name: "skills.stage",
  about:
    "Fetches a skill, from a folder, a zip file or a Git address of the gateway's machine or as the text of a SKILL.md, and shows what would be added. Of several skills it gives the names, to ask again with one.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ offer }),
  async run(services, wanted, { signal }): Promise<{ staged?: StagedSkill; choices?: string[] }> {
    const stagedSkill = await services.stagedSkills.stage(wanted.offer, services, signal);
    if (Array.isArray(stagedSkill)) return { choices: stagedSkill.map(revealLine) };
    return { staged: await toStaged(stagedSkill.id, stagedSkill.addition) };
  },
});

const add = operation({
  name: "skills.add",
  about: "Adds a skill that was staged. What was found in it has to be accepted.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ stage: name, isAccepted: z.boolean() }),
  async run({ stagedSkills, skills }, { stage: id, isAccepted }) {
    const { name: added, findings, hash } = await stagedSkills.add(id, isAccepted);
    if (findings.length > 0) await (await skills()).allow(hash);
    return { name: added };
  },
});

const discard = operation({
  name: "skills.discard",
  about: "Drops a skill that was staged.",
  access: "owner",
  needs: "installation",
  params: z.strictObject({ stage: name }),
  async run({ stagedSkills }, wanted) {
    await stagedSkills.discard(wanted.stage);
    return {};
  },
});

const allow = operation({
  name: "skills.allow",
  about: "Lets a flagged skill be used, as long as its content has this hash.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name, hash: name }),
  async run(services, wanted) {
    const { hash } = await find(services, wanted.name, wanted.hash);
    await (await services.skills()).allow(hash);
    return {};
  },
});

const grant = operation({
  name: "skills.grant",
  about:
    "Lets a skill use the commands and hosts that its allowed-tools name without a question, as long as its content has this hash; or no longer.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name, hash: name, isGranted: z.boolean() }),
  async run(services, { hash, isGranted, ...wanted }) {
    const entry = await find(services, wanted.name, hash);
    const { commands, hosts } = entry.wants;
    if (isGranted && entry.blocked) throw fail("skills.blocked");
    if (isGranted && commands.length + hosts.length === 0) throw fail("skills.wants-nothing");
    await (await services.skills()).grant(hash, isGranted);
    return {};
  },
});

const switchSkill = operation({
  name: "skills.switch",
  about: "Switches a skill on or off.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name, isOn: z.boolean() }),
  async run(services, wanted) {
    const { name: own, folder } = await find(services, wanted.name);
    const disabled = services.loaded().config.agents.defaults.disabledSkills;
    const others = disabled.filter((other) => other !== own && other !== basename(folder));
    const disabledSkills = wanted.isOn ? others : [...others, own];
    const faults = await services.saveConfig({ agents: { defaults: { disabledSkills } } });
    if (faults.length > 0) throw fail("config.not-used", { reasons: faults.map(toPlacedPhrase) });
    return {};
  },
});

const remove = operation({
  name: "skills.remove",
  about: "Deletes the folder of a skill that belongs to this installation.",
  access: "owner",
  needs: "installation",
  changes: ["skills"],
  params: z.strictObject({ name, hash: name }),
  async run(services, wanted) {
    const entry = await find(services, wanted.name, wanted.hash);
    if (!isRemovable(entry)) throw fail("skills.shared");
    await removeFile(entry.folder);
    return {};
  },
});

export const skillOperations = [
  list,
  show,
  extensions,
  stage,
  add,
  discard,
  allow,
  grant,
  switchSkill,
  remove,
  ...revisionOperations,
] as const;

/** By its name, also as it is shown. With a hash: only while it is what was looked at. */
async function find(
  { skills }: Pick<InstallationServices, "skills">,
  wanted: string,
  hash?: string,
): Promise<SkillEntry> {
  const entries = (await (await skills()).survey()).list();
  const entry =
    entries.find((each) => each.name === wanted) ?? entries.find((each) => revealLine(each.name) === wanted);
  if (entry === undefined) {
    const nearest = findNearest(
      wanted,
      entries.map((each) => revealLine(each.name)),
    );
    throw fail("skills.not-found", { name: revealLine(wanted), ...(nearest !== undefined && { nearest }) });
  }
  if (hash !== undefined && entry.hash !== hash) throw fail("skills.other-now");
  return entry;
}

/** Custom tools and MCP servers, with their state. */
export interface ExtensionCard {
  kind: "tools" | "mcp";
  name: string;
  state: "used" | "off" | "waiting" | "broken";
  /** What it brings, or why it is not used. */
  detail: Phrase;
}

async function listExtensions({
  paths,
  workspace,
  loaded,
}: Pick<Surroundings, "paths" | "workspace" | "loaded">): Promise<ExtensionCard[]> {
  const { files } = await loadOwnTools({ paths, workspace });
  const servers = await readServers({ paths, loaded: loaded() });
  return [...files.map(toToolsCard), ...servers.map(toServerCard)];
}

function toToolsCard(file: OwnCodeFile): ExtensionCard {
  const card = { kind: "tools", name: revealLine(file.file) } as const;
  const problem = findOwnProblem(file, "tools");
  if (problem === undefined) {
    const names = file.offers.map(({ name }) => name);
    return { ...card, state: "used", detail: phrase("extensions.tools", { names }) };
  }
  const isWaiting = file.state === "new" || file.state === "changed";
  return { ...card, state: isWaiting ? "waiting" : "broken", detail: problem };
}

function toServerCard({ name, isDisabled, problem, offered, seenAt }: KnownServer): ExtensionCard {
  const card = { kind: "mcp", name: revealLine(name) } as const;
  if (isDisabled) return { ...card, state: "off", detail: phrase("extensions.off") };
  if (problem !== undefined) return { ...card, state: "broken", detail: phraseServerProblem(problem) };
  if (offered === undefined || seenAt === undefined)
    return { ...card, state: "used", detail: phrase("extensions.unseen") };
  const seen = seenAt.slice(0, 16).replace("T", " ");
  return { ...card, state: "used", detail: phrase("extensions.offered", { count: offered, seen }) };
}
