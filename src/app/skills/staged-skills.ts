// Skills that somebody is about to add: fetched, looked into, and kept aside until it is decided. Nothing of them is run.
import { join } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import type { SkillsLoader } from "../../skills/loader.ts";
import { type Addition, copyAddition, planAddition } from "./addition.ts";
import { chooseSkill, findSkills } from "./find-skills.ts";
import { type StagedSource, stageSource, stageText } from "./stage-source.ts";

export interface StagedSkillsOptions {
  home: string;
  env: NodeJS.ProcessEnv;
  loader: Pick<SkillsLoader, "allow">;
  newId(): string;
}

export type Offer = { source: string; name?: string | undefined } | { text: string };

interface Staged {
  source: StagedSource;
  addition: Addition;
}

/** They lie in the system's temporary folder. */
const mostStaged = 5;
const longestFetchMs = 120_000;

export class StagedSkills {
  readonly #options: StagedSkillsOptions;
  readonly #staged = new Map<string, Staged>();

  constructor(options: StagedSkillsOptions) {
    this.#options = options;
  }

  /** The names of all where it is not clear which one is meant. */
  async stage(offer: Offer): Promise<{ id: string; addition: Addition } | string[]> {
    const { home, env, newId } = this.#options;
    const signal = AbortSignal.timeout(longestFetchMs);
    const source = await ("text" in offer
      ? stageText(offer.text)
      : stageSource(offer.source, { env, signal }));
    let isKept = false;
    try {
      const chosen = chooseSkill(findSkills(source.folder), "name" in offer ? offer.name : undefined);
      if (typeof chosen !== "string") {
        if (chosen.length === 0) throw fail("skills.none-inside");
        return chosen.slice(0, 100);
      }
      const addition = await planAddition(chosen, join(home, "skills"));
      const id = newId();
      this.#staged.set(id, { source, addition });
      isKept = true;
      await this.#dropOldest();
      return { id, addition };
    } finally {
      if (!isKept) await source.close();
    }
  }

  async add(id: string, isAccepted: boolean): Promise<string> {
    const { addition } = this.#staged.get(id) ?? {};
    if (addition === undefined) throw fail("skills.stage-gone");
    const isFlagged = addition.skill.findings.length > 0;
    if (isFlagged && !isAccepted) throw fail("skills.flagged");
    await copyAddition(addition);
    if (isFlagged) await this.#options.loader.allow(addition.skill.hash);
    await this.discard(id);
    return addition.name;
  }

  async discard(id: string): Promise<void> {
    const staged = this.#staged.get(id);
    this.#staged.delete(id);
    await staged?.source.close();
  }

  async #dropOldest(): Promise<void> {
    const [oldest] = this.#staged.keys();
    if (this.#staged.size > mostStaged && oldest !== undefined) await this.discard(oldest);
  }
}
