// What the page about skills asks: what there is, adding one after a look into it, and deciding about each.
import { rm } from "node:fs/promises";
import * as z from "zod";
import { describeSkill } from "../../i18n/describe-skill.ts";
import { fail } from "../../i18n/user-error.ts";
import { createWords, type Words } from "../../i18n/words.ts";
import { estimateTokens } from "../../lib/tokens.ts";
import { reveal, revealLine } from "../../lib/visible-text.ts";
import type { MethodTable } from "../../server/methods.ts";
import type {
  ExtensionCard,
  ShownFinding,
  SkillCard,
  SkillsMethods,
  StagedSkill,
} from "../../server/protocol/skills.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import type { SkillEntry, SkillFinding } from "../../skills/skill.ts";
import { readFirstBytes } from "../../skills/skill-files.ts";
import { readBody } from "../../skills/skill-folder.ts";
import type { Addition } from "../skills/addition.ts";
import { compareFolders } from "../skills/compare-folders.ts";
import { isRemovable, phraseNote, phraseReason, stateOf, switchSkill } from "../skills/phrase-skill.ts";
import type { StagedSkills } from "../skills/staged-skills.ts";

export interface SkillsParts {
  loader: SkillsLoader;
  staged: StagedSkills;
  /** Names of skills that are not used, now. */
  disabled(): readonly string[];
  /** Changes the config, and has it taken; throws a UserError for what cannot be. */
  saveConfig(patch: { agents: { defaults: { disabledSkills: string[] } } }): Promise<void>;
  listExtensions(words: Words): Promise<ExtensionCard[]>;
  /** Tells viewers. */
  onChange(): void;
}

const name = z.string().min(1).max(200);
const language = z.enum(["english", "chinese"]);
const longestBody = 200_000;
const offer = z.union([
  z.strictObject({ source: z.string().min(1).max(2_000), name: name.optional() }),
  z.strictObject({ text: z.string().min(1).max(longestBody) }),
]);

export function createSkillsMethods(parts: SkillsParts): MethodTable<SkillsMethods> {
  const { loader, staged, disabled, saveConfig, listExtensions, onChange } = parts;

  async function find(wanted: string, hash?: string): Promise<SkillEntry> {
    const entry = (await loader.survey()).get(wanted);
    if (entry === undefined) throw fail("skills.not-found", { name: wanted });
    if (hash !== undefined && entry.hash !== hash) throw fail("skills.other-now");
    return entry;
  }

  return {
    "skills.list": {
      params: z.strictObject({ language }),
      async run(wish) {
        const words = createWords(wish.language);
        const entries = (await loader.survey()).list();
        return { skills: await Promise.all(entries.map((entry) => toCard(entry, words))) };
      },
    },
    "skills.show": {
      params: z.strictObject({ name, language }),
      async run(wish) {
        const words = createWords(wish.language);
        const entry = await find(wish.name);
        return {
          ...(await toCard(entry, words)),
          path: revealLine(entry.path),
          body: reveal(await readText(entry)),
          shownFindings: entry.findings.map((finding) => toShown(finding, words)),
          notes: entry.notes.map((note) => phraseNote(note, words)),
          files: entry.files.map(revealLine),
        };
      },
    },
    "skills.extensions": {
      params: z.strictObject({ language }),
      run: async (wish) => ({ extensions: await listExtensions(createWords(wish.language)) }),
    },
    "skills.stage": {
      params: z.strictObject({ offer, language }),
      async run(wish) {
        const words = createWords(wish.language);
        const found = await staged.stage(wish.offer);
        if (Array.isArray(found)) return { choices: found.map(revealLine) };
        return { staged: await toStaged(found.id, found.addition, words) };
      },
    },
    "skills.add": {
      params: z.strictObject({ stage: name, isAccepted: z.boolean(), language }),
      async run(wish) {
        const added = await staged.add(wish.stage, wish.isAccepted);
        onChange();
        return { name: added };
      },
    },
    "skills.discard": {
      params: z.strictObject({ stage: name }),
      async run({ stage }) {
        await staged.discard(stage);
        return {};
      },
    },
    "skills.allow": {
      params: z.strictObject({ name, hash: name }),
      async run(wish) {
        await loader.allow((await find(wish.name, wish.hash)).hash);
        onChange();
        return {};
      },
    },
    "skills.switch": {
      params: z.strictObject({ name, isOn: z.boolean() }),
      async run({ name: wanted, isOn }) {
        const disabledSkills = switchSkill(await find(wanted), isOn, disabled());
        await saveConfig({ agents: { defaults: { disabledSkills } } });
        onChange();
        return {};
      },
    },
    "skills.remove": {
      params: z.strictObject({ name, hash: name }),
      async run(wish) {
        const entry = await find(wish.name, wish.hash);
        if (!isRemovable(entry)) throw fail("skills.shared");
        await rm(entry.folder, { recursive: true });
        onChange();
        return {};
      },
    },
  };
}

async function toCard(entry: SkillEntry, words: Words): Promise<SkillCard> {
  const { name: own, source, findings, isAllowed, hash } = entry;
  return {
    name: revealLine(own),
    description: describeSkill(entry, words),
    state: stateOf(entry),
    reasons: entry.reasons.map((reason) => ({ kind: reason.kind, text: phraseReason(reason, words) })),
    source,
    tokens: estimateTokens(await readText(entry)),
    findings: findings.length,
    isAllowed,
    isRemovable: isRemovable(entry),
    hash,
  };
}

/** Also of a skill that cannot be used: a person has to be able to read what was flagged. */
async function readText({ reasons, path }: SkillEntry): Promise<string> {
  const isReadable = reasons.every(({ kind }) => kind !== "leads-outside" && kind !== "unreadable");
  return (isReadable && (await readBody(path, readFirstBytes))) || "";
}

function toShown(finding: SkillFinding, { skills }: Words): ShownFinding {
  const { rule, file, excerpt } = finding;
  return { ...finding, file: revealLine(file), excerpt: revealLine(excerpt), about: skills.rules[rule] };
}

async function toStaged(stage: string, addition: Addition, words: Words): Promise<StagedSkill> {
  const { skill, files, from, to, isReplacing } = addition;
  const body = (await readBody(skill.path, readFirstBytes)) ?? "";
  return {
    stage,
    name: addition.name,
    description: revealLine(skill.manifest.description),
    body: reveal(body),
    tokens: estimateTokens(body),
    files: files.map(({ path, size }) => ({ path: revealLine(path), size })),
    shownFindings: skill.findings.map((finding) => toShown(finding, words)),
    notes: skill.manifest.notes.map((note) => phraseNote(note, words)),
    changes: isReplacing ? await compareFolders(to, from, words) : [],
    isReplacing,
  };
}
