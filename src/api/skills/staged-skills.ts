// Skills that are about to be added: fetched, read, and kept aside until it is decided. Nothing of them is run.
import { join } from "node:path";
import { fail } from "../../i18n/user-error.ts";
import type { SkillRecord } from "../../skills/skill.ts";
import type { Surroundings } from "../services.ts";
import { type Addition, copyAddition, planAddition } from "./addition.ts";
import { chooseSkill, findSkills } from "./find-skills.ts";
import { type StagedSource, stageSource, stageText } from "./stage-source.ts";

export type Offer = { source: string; name?: string | undefined } | { text: string };

interface Staged {
  source: StagedSource;
  addition: Addition;
}

/** They lie in the system's temporary folder. */
const mostStaged = 5;
const longestFetchMs = 120_000;

export class StagedSkills {
  readonly #staged = new Map<string, Staged>();

  /** The names of all where it is not clear which one is meant. */
  async stage(
    offer: Offer,
    { paths, env, ids }: Pick<Surroundings, "paths" | "env" | "ids">,
    cancelled?: AbortSignal,
  ): Promise<{ id: string; addition: Addition } | string[]> {
    const timeout = AbortSignal.timeout(longestFetchMs);
    const signal = cancelled === undefined ? timeout : AbortSignal.any([timeout, cancelled]);
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
      const addition = await planAddition(chosen, join(paths.home, "skills"));
      const id = ids.next();
      this.#staged.set(id, { source, addition });
      isKept = true;
      await this.#dropOldest();
      return { id, addition };
    } finally {
      if (!isKept) await source.close();
    }
  }

  async add(
    id: string,
    isAccepted: boolean,
  ): Promise<Pick<Addition, "name"> & Pick<SkillRecord, "findings" | "hash">> {
    const { addition } = this.#staged.get(id) ?? {};
    if (addition === undefined) throw fail("skills.stage-gone");
    const { findings, hash } = addition.skill;
    if (findings.length > 0 && !isAccepted) throw fail("skills.flagged");
    await copyAddition(addition);
    await this.discard(id);
    return { name: addition.name, findings, hash };
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
